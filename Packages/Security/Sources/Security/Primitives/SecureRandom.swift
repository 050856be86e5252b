// SPDX-License-Identifier: MIT

import COpenSSL
import FoundationEssentials

/// Bytes and tokens from libcrypto's generator (NIST SP 800-90A), seeded by the system.
public enum SecureRandom {
    /// Random bytes.
    ///
    /// - Throws: ``SecurityError``: `unavailable` when the system has no randomness, `invalidParameter` for a negative count.
    public static func bytes(_ count: Int) throws -> [UInt8] {
        guard count >= 0 else { throw SecurityError(code: .invalidParameter, message: "A count is not negative.") }
        var result = [UInt8](repeating: 0, count: count)
        try result.withUnsafeMutableBytes { buffer in
            try fill(buffer) { RAND_bytes($0, $1) }
        }
        return result
    }

    /// A token for links, sessions and states: base64url without padding (RFC 4648 §5).
    ///
    /// - Parameter byteCount: The number of random bytes in the token; 16 (128 bits) is the least.
    /// - Throws: ``SecurityError``: `unavailable`, `invalidParameter` for fewer bytes.
    public static func token(byteCount: Int = 32) throws -> String {
        guard byteCount >= 16 else {
            throw SecurityError(
                code: .invalidParameter, message: "A token that cannot be guessed has 16 bytes or more.")
        }
        return Data(try bytes(byteCount)).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Fills a key from the private generator, which is separate from the one for published values.
    static func fillPrivate(_ buffer: UnsafeMutableRawBufferPointer) throws {
        try fill(buffer) { RAND_priv_bytes($0, $1) }
    }

    private static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, _ generate: (UnsafeMutablePointer<UInt8>?, Int32) -> Int32
    ) throws {
        guard !buffer.isEmpty else { return }
        try SecurityError.requireLibCrypto()
        guard let count = Int32(exactly: buffer.count),
            generate(buffer.assumingMemoryBound(to: UInt8.self).baseAddress, count) == 1
        else { throw SecurityError.unavailable("make random bytes") }
    }
}
