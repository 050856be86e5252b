// SPDX-License-Identifier: MIT

import Digests
public import FoundationEssentials

/// SHA-256 (FIPS 180-4) of a whole message. `MessageDigest`, of the product Digests, takes one in pieces.
public enum SHA256 {
    /// The length of a digest in bytes.
    public static let byteCount = 32

    /// The digest of a message, 32 bytes.
    public static func hash(_ message: some ContiguousBytes) throws -> [UInt8] {
        do throws(DigestError) {
            var digest = try MessageDigest(.sha256)
            message.withUnsafeBytes { digest.update($0) }
            return digest.finish()
        } catch {
            throw SecurityError(code: .unavailable, message: error.message)
        }
    }
}
