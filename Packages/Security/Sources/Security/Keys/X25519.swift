// SPDX-License-Identifier: MIT

import COpenSSL
public import FoundationEssentials

/// Key agreement on Curve25519 (RFC 7748).
public enum X25519 {
    /// The public half: 32 bytes.
    public struct PublicKey: Sendable, Hashable {
        /// The key as RFC 7748 §5 encodes it.
        public let bytes: [UInt8]

        /// A key of 32 bytes.
        ///
        /// - Throws: ``SecurityError`` with the code `invalidParameter` for another length.
        public init(_ bytes: some ContiguousBytes) throws {
            self.bytes = try bytes.withUnsafeBytes { buffer in
                try EVPKey(EVP_PKEY_X25519, public: buffer).publicBytes()
            }
        }
    }

    /// The secret half.
    public struct PrivateKey: Sendable, Redacted {
        private let key: EVPKey
        /// The public key that belongs to this one.
        public let publicKey: PublicKey

        /// A fresh key.
        public init() throws {
            try self.init(EVPKey(generating: EVP_PKEY_X25519))
        }

        /// A key of 32 random bytes.
        ///
        /// - Throws: ``SecurityError`` with the code `invalidParameter` for another length.
        public init(_ bytes: some ContiguousBytes) throws {
            let copy = try bytes.withUnsafeBytes { try SecureBytes(copying: $0) }
            try self.init(EVPKey(EVP_PKEY_X25519, private: copy))
        }

        private init(_ key: EVPKey) throws {
            self.key = key
            publicKey = try PublicKey(key.publicBytes())
        }

        /// Gives the key's 32 bytes to `body`, for storing them in a ``SecretStore``.
        public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
            try key.withPrivateBytes(body)
        }

        /// A key that both sides derive: HKDF over the shared secret, which is never used directly.
        ///
        /// - Parameters:
        ///   - other: The other side's public key.
        ///   - salt: Random and not secret, or empty.
        ///   - info: The purpose of the key. Include both public keys, unless the protocol binds them otherwise.
        /// - Throws: ``SecurityError`` with the code `invalidParameter` for a public key of small order, which would
        ///   make the secret known to everybody (RFC 7748 §6.1).
        public func sharedKey(
            with other: PublicKey, salt: some ContiguousBytes, info: some ContiguousBytes
        ) throws -> SymmetricKey {
            let secret = try sharedSecret(with: other)
            return try secret.withUnsafeBytes { try HKDF.key(from: $0, salt: salt, info: info) }
        }

        func sharedSecret(with other: PublicKey) throws -> SecureBytes {
            let peer = try other.bytes.withUnsafeBytes { try EVPKey(EVP_PKEY_X25519, public: $0) }
            guard let context = EVP_PKEY_CTX_new(key.pointer, nil), EVP_PKEY_derive_init(context) == 1 else {
                throw SecurityError.unavailable("set up a key agreement")
            }
            defer { EVP_PKEY_CTX_free(context) }
            return try SecureBytes(count: EVPKey.byteCount) { buffer in
                var count = buffer.count
                let target = buffer.assumingMemoryBound(to: UInt8.self).baseAddress
                guard EVP_PKEY_derive_set_peer(context, peer.pointer) == 1,
                    EVP_PKEY_derive(context, target, &count) == 1, count == EVPKey.byteCount
                else {
                    throw SecurityError(
                        code: .invalidParameter,
                        message: "The other side's public key is of small order: do not go on with that side.")
                }
            }
        }
    }
}
