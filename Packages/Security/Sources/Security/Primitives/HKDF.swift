// SPDX-License-Identifier: MIT

import COpenSSL
public import FoundationEssentials

/// HKDF with SHA-256 (RFC 5869): makes keys for several purposes out of one good secret.
///
/// Not for passphrases: they are guessable, see ``Scrypt``.
public enum HKDF {
    /// A key for one purpose.
    ///
    /// - Parameters:
    ///   - secret: The input keying material.
    ///   - salt: Random and not secret; may be empty.
    ///   - info: The purpose of the key; another purpose gives an independent key.
    public static func key(
        from secret: some ContiguousBytes, salt: some ContiguousBytes, info: some ContiguousBytes
    ) throws -> SymmetricKey {
        try SymmetricKey { try derive(from: secret, salt: salt, info: info, into: $0) }
    }

    /// Fills `output`, at most 255 × 32 bytes.
    static func derive(
        from secret: some ContiguousBytes, salt: some ContiguousBytes, info: some ContiguousBytes,
        into output: UnsafeMutableRawBufferPointer
    ) throws {
        try SecurityError.requireLibCrypto()
        guard let kdf = EVP_KDF_fetch(nil, "HKDF", nil) else { throw SecurityError.unavailable("find HKDF") }
        defer { EVP_KDF_free(kdf) }
        guard let context = EVP_KDF_CTX_new(kdf) else { throw SecurityError.unavailable("allocate HKDF") }
        defer { EVP_KDF_CTX_free(context) }
        let name: StaticString = "digest"
        let digestName = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
        var digest = Array("SHA256".utf8CString)
        let isDone = secret.withUnsafeBytes { secret in
            salt.withUnsafeBytes { salt in
                info.withUnsafeBytes { info in
                    digest.withUnsafeMutableBufferPointer { digest in
                        var parameters = [
                            OSSL_PARAM_construct_utf8_string(digestName, digest.baseAddress, 0),
                            parameter("key", secret), parameter("salt", salt), parameter("info", info),
                            OSSL_PARAM_construct_end(),
                        ]
                        let target = output.assumingMemoryBound(to: UInt8.self).baseAddress
                        return EVP_KDF_derive(context, target, output.count, &parameters) == 1
                    }
                }
            }
        }
        guard isDone else { throw SecurityError.unavailable("derive a key") }
    }

    /// libcrypto keeps the pointer to the name, so the name is a literal.
    private static func parameter(_ name: StaticString, _ bytes: UnsafeRawBufferPointer) -> OSSL_PARAM {
        OSSL_PARAM_construct_octet_string(
            UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self),
            UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    }
}
