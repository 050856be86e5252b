// SPDX-License-Identifier: MIT

import Digests

@testable import Security

/// The bytes of a hexadecimal text.
func bytes(_ hex: String) -> [UInt8] { Hexadecimal.bytes(hex) ?? [] }

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
