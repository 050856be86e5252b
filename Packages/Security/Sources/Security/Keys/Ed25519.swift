// SPDX-License-Identifier: MIT

import COpenSSL
public import FoundationEssentials

/// Signatures on edwards25519 (RFC 8032 §5.1).
public enum Ed25519 {
    /// The length of a signature in bytes.
    public static let signatureByteCount = 64

    /// The public half, which verifies signatures.
    public struct PublicKey: Sendable, Hashable {
        /// The key's 32 bytes.
        public let bytes: [UInt8]

        /// A key of 32 bytes.
        ///
        /// - Throws: ``SecurityError`` with the code `invalidParameter` for another length.
        public init(_ bytes: some ContiguousBytes) throws {
            self.bytes = try bytes.withUnsafeBytes { try EVPKey(EVP_PKEY_ED25519, public: $0).publicBytes() }
        }

        /// True if the owner of this key signed the message.
        public func isValid(signature: some ContiguousBytes, for message: some ContiguousBytes) -> Bool {
            guard let key = try? bytes.withUnsafeBytes({ try EVPKey(EVP_PKEY_ED25519, public: $0) }),
                let context = EVP_MD_CTX_new()
            else { return false }
            defer { EVP_MD_CTX_free(context) }
            return signature.withUnsafeBytes { signature in
                message.withUnsafeBytes { message in
                    signature.count == signatureByteCount
                        && EVP_DigestVerifyInit(context, nil, nil, nil, key.pointer) == 1
                        && EVP_DigestVerify(
                            context, signature.assumingMemoryBound(to: UInt8.self).baseAddress, signature.count,
                            message.assumingMemoryBound(to: UInt8.self).baseAddress, message.count) == 1
                }
            }
        }
    }

    /// The secret half, which signs.
    public struct PrivateKey: Sendable, Redacted {
        private let key: EVPKey
        /// The public key that belongs to this one.
        public let publicKey: PublicKey

        /// A fresh key.
        public init() throws {
            try self.init(EVPKey(generating: EVP_PKEY_ED25519))
        }

        /// A key of 32 random bytes (RFC 8032's "private key", not the expanded one).
        ///
        /// - Throws: ``SecurityError`` with the code `invalidParameter` for another length.
        public init(_ bytes: some ContiguousBytes) throws {
            let copy = try bytes.withUnsafeBytes { try SecureBytes(copying: $0) }
            try self.init(EVPKey(EVP_PKEY_ED25519, private: copy))
        }

        private init(_ key: EVPKey) throws {
            self.key = key
            publicKey = try PublicKey(key.publicBytes())
        }

        /// Gives the key's 32 bytes to `body`, for storing them in a ``SecretStore``.
        public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
            try key.withPrivateBytes(body)
        }

        /// The signature of a message, 64 bytes, always the same for the same message.
        public func sign(_ message: some ContiguousBytes) throws -> [UInt8] {
            guard let context = EVP_MD_CTX_new() else { throw SecurityError.unavailable("allocate a signature") }
            defer { EVP_MD_CTX_free(context) }
            var signature = [UInt8](repeating: 0, count: signatureByteCount)
            var count = signature.count
            let isDone = message.withUnsafeBytes { message in
                EVP_DigestSignInit(context, nil, nil, nil, key.pointer) == 1
                    && EVP_DigestSign(
                        context, &signature, &count, message.assumingMemoryBound(to: UInt8.self).baseAddress,
                        message.count) == 1
            }
            guard isDone, count == signatureByteCount else { throw SecurityError.unavailable("sign") }
            return signature
        }
    }
}
