// SPDX-License-Identifier: MIT

import COpenSSL

/// SHA-256 (FIPS 180-4) of a message that comes in pieces, such as a file while it is written.
///
/// Not for use from two threads at once.
public final class RunningSHA256 {
    private let context: OpaquePointer

    /// A digest of nothing so far.
    ///
    /// - Throws: ``SecurityError`` with the code `unavailable` when libcrypto has no memory.
    public init() throws {
        guard let context = EVP_MD_CTX_new() else { throw SecurityError.unavailable("hash") }
        guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            EVP_MD_CTX_free(context)
            throw SecurityError.unavailable("hash")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds the next bytes of the message.
    public func update(_ bytes: UnsafeRawBufferPointer) throws {
        guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
            throw SecurityError.unavailable("hash")
        }
    }

    /// The digest of the message so far, 32 bytes; more may be added afterwards.
    public func digest() throws -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: SHA256.byteCount)
        guard let copy = EVP_MD_CTX_new() else { throw SecurityError.unavailable("hash") }
        defer { EVP_MD_CTX_free(copy) }
        guard EVP_MD_CTX_copy_ex(copy, context) == 1, EVP_DigestFinal_ex(copy, &digest, nil) == 1 else {
            throw SecurityError.unavailable("hash")
        }
        return digest
    }
}
