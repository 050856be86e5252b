// SPDX-License-Identifier: MIT

/// What is uploaded: a file, or bytes that are nowhere in the clear, such as an encrypted recording.
///
/// The bytes must not change while an upload is under way.
public protocol TusSource: Sendable {
    /// How many bytes there are.
    var length: Int { get }

    /// Bytes from an offset on.
    ///
    /// - Parameters:
    ///   - offset: From 0 to `length`.
    ///   - count: How many; fewer are given only where the source ends.
    /// - Throws: What ends the upload; what the server has stays there.
    func read(at offset: Int, count: Int) async throws -> [UInt8]

    /// What the content is known by, such as its SHA-256: the same for the same upload, also after the program has ended,
    /// and another one for another.
    func fingerprint() async throws -> String
}

extension TusSource {
    /// The idempotency key and the name of the record: the SHA-256 of the endpoint's address and the fingerprint.
    func key(at endpoint: String) async throws -> String {
        let text = "\(endpoint)\n\(try await fingerprint())"
        return Hexadecimal.text(try MessageDigest.hash(text.utf8, .sha256))
    }
}

enum Hexadecimal {
    static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
