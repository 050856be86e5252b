// SPDX-License-Identifier: MIT

@testable import Security

/// The bytes of a hexadecimal text.
func bytes(_ hex: String) -> [UInt8] {
    var rest = hex[...]
    var result: [UInt8] = []
    while !rest.isEmpty {
        result.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
        rest = rest.dropFirst(2)
    }
    return result
}

func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

extension SymmetricKey {
    /// The key's bytes, for comparing.
    var exposed: [UInt8] { withUnsafeBytes { Array($0) } }
}

extension SecureBytes {
    var exposed: [UInt8] { withUnsafeBytes { Array($0) } }
}

/// The code of the ``SecurityError`` that a closure throws.
func code(of body: () async throws -> Void) async -> SecurityError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? SecurityError)?.code
    }
}
