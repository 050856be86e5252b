// SPDX-License-Identifier: MIT

import COpenSSL

/// A key of an elliptic curve inside libcrypto, which overwrites the private part when it is released.
// SAFETY: the key is not changed after the initialiser, and libcrypto counts references atomically.
final class EVPKey: @unchecked Sendable {
    static let byteCount = 32

    let pointer: OpaquePointer

    /// A fresh private key; `type` is `EVP_PKEY_X25519` or `EVP_PKEY_ED25519`.
    convenience init(generating type: Int32) throws {
        // Both curves take any 32 random bytes as their private key (RFC 7748 §5, RFC 8032 §5.1.5).
        let bytes = try SecureBytes.random(count: Self.byteCount)
        try self.init(type, private: bytes)
    }

    init(_ type: Int32, private bytes: SecureBytes) throws {
        try SecurityError.requireLibCrypto()
        let key = bytes.withUnsafeBytes {
            EVP_PKEY_new_raw_private_key(type, nil, $0.assumingMemoryBound(to: UInt8.self).baseAddress, $0.count)
        }
        guard let key else { throw Self.invalid }
        pointer = key
    }

    init(_ type: Int32, public bytes: UnsafeRawBufferPointer) throws {
        try SecurityError.requireLibCrypto()
        let key = EVP_PKEY_new_raw_public_key(
            type, nil, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count)
        guard let key else { throw Self.invalid }
        pointer = key
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    func publicBytes() throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        var count = bytes.count
        guard EVP_PKEY_get_raw_public_key(pointer, &bytes, &count) == 1, count == Self.byteCount else {
            throw SecurityError.unavailable("read a public key")
        }
        return bytes
    }

    func withPrivateBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        let bytes = try SecureBytes(count: Self.byteCount) { buffer in
            var count = buffer.count
            guard
                EVP_PKEY_get_raw_private_key(pointer, buffer.assumingMemoryBound(to: UInt8.self).baseAddress, &count)
                    == 1
            else { throw SecurityError.unavailable("read a private key") }
        }
        return try bytes.withUnsafeBytes(body)
    }

    private static let invalid = SecurityError(
        code: .invalidParameter, message: "A key of this curve has \(byteCount) bytes.")
}
