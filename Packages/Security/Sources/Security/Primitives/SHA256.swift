// SPDX-License-Identifier: MIT

import COpenSSL
import Digests
public import FoundationEssentials

/// HMAC with SHA-256 (RFC 2104, FIPS 198-1).
public enum HMACSHA256 {
    /// The authentication code of a message, 32 bytes. A key may have any length; 32 random bytes are right.
    public static func code(for message: some ContiguousBytes, key: some ContiguousBytes) throws -> [UInt8] {
        try SecurityError.requireLibCrypto()
        var code = [UInt8](repeating: 0, count: SHA256.byteCount)
        let isDone = key.withUnsafeBytes { key in
            message.withUnsafeBytes { message in
                // A null key would mean the key of an earlier call.
                let empty = UnsafeRawPointer(bitPattern: 1)
                return HMAC(
                    EVP_sha256(), key.baseAddress ?? empty, Int32(clamping: key.count),
                    message.assumingMemoryBound(to: UInt8.self).baseAddress, message.count, &code, nil) != nil
            }
        }
        guard isDone else { throw SecurityError.unavailable("authenticate") }
        return code
    }

    /// True if a code belongs to a message; compares in constant time.
    public static func isValid(
        _ code: some ContiguousBytes, for message: some ContiguousBytes, key: some ContiguousBytes
    ) throws -> Bool {
        ConstantTime.areEqual(try self.code(for: message, key: key), code)
    }
}

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

/// Comparison in a time that does not depend on the position of a difference.
public enum ConstantTime {
    /// True if two byte strings are equal. Their lengths are not secret.
    public static func areEqual(_ left: some ContiguousBytes, _ right: some ContiguousBytes) -> Bool {
        left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                guard left.count == right.count else { return false }
                guard let first = left.baseAddress, let second = right.baseAddress else { return true }
                return CRYPTO_memcmp(first, second, left.count) == 0
            }
        }
    }
}
