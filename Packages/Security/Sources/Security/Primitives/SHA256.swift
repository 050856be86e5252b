// SPDX-License-Identifier: MIT

import COpenSSL
public import FoundationEssentials

/// SHA-256 (FIPS 180-4).
public enum SHA256 {
    /// The length of a digest in bytes.
    public static let byteCount = 32

    /// The digest of a message, 32 bytes.
    public static func hash(_ message: some ContiguousBytes) throws -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: byteCount)
        let isDone = message.withUnsafeBytes { message in
            EVP_Digest(message.baseAddress, message.count, &digest, nil, EVP_sha256(), nil) == 1
        }
        guard isDone else { throw SecurityError.unavailable("hash") }
        return digest
    }
}
