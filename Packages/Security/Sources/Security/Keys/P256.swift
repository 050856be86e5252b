// SPDX-License-Identifier: MIT

import COpenSSL
public import FoundationEssentials

/// Signatures on NIST P-256 with SHA-256: ECDSA (FIPS 186-5), in the form of JSON Web Signatures (`ES256`, RFC 7518
/// §3.4).
///
/// Prefer ``Ed25519`` if no standard asks for P-256: its signatures need no randomness.
public enum P256 {
    /// The length of a signature in bytes: r and s, 32 each, big-endian.
    public static let signatureByteCount = 64
    static let coordinateByteCount = 32

    /// The public half, which verifies signatures.
    public struct PublicKey: Sendable, Hashable {
        /// The point's coordinates x and y, 32 bytes each, big-endian.
        public let bytes: [UInt8]

        /// A key of 64 bytes, as ``bytes`` gives them.
        ///
        /// - Throws: ``SecurityError`` with the code `invalidParameter` if they are not a point of the curve.
        public init(_ bytes: some ContiguousBytes) throws {
            self.bytes = bytes.withUnsafeBytes { Array($0) }
            _ = try P256Key(public: self.bytes)
        }

        /// True if the owner of this key signed the message. A signature has exactly one length; DER is not accepted.
        public func isValid(signature: some ContiguousBytes, for message: some ContiguousBytes) -> Bool {
            guard let key = try? P256Key(public: bytes),
                let encoded = signature.withUnsafeBytes({ P256Key.encoded($0) }), let context = EVP_MD_CTX_new()
            else { return false }
            defer { EVP_MD_CTX_free(context) }
            return message.withUnsafeBytes { message in
                EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key.pointer) == 1
                    && EVP_DigestVerify(
                        context, encoded, encoded.count, message.assumingMemoryBound(to: UInt8.self).baseAddress,
                        message.count) == 1
            }
        }
    }

    /// The secret half, which signs.
    public struct PrivateKey: Sendable, Redacted {
        private let key: P256Key
        /// The public key that belongs to this one.
        public let publicKey: PublicKey

        /// A fresh key.
        public init() throws {
            try self.init(P256Key())
        }

        /// A key as ``withUnsafeBytes(_:)`` gave it.
        ///
        /// - Throws: ``SecurityError`` with the code `invalidParameter` for anything else than a private key of this
        ///   curve.
        public init(_ bytes: some ContiguousBytes) throws {
            try self.init(bytes.withUnsafeBytes { try P256Key(private: $0) })
        }

        private init(_ key: P256Key) throws {
            self.key = key
            publicKey = try PublicKey(key.publicBytes())
        }

        /// Gives the key in DER (RFC 5915) to `body`, for storing it in a ``SecretStore``.
        public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
            try key.withPrivateBytes(body)
        }

        /// The signature of a message, 64 bytes, a different one each time.
        public func sign(_ message: some ContiguousBytes) throws -> [UInt8] {
            guard let context = EVP_MD_CTX_new() else { throw SecurityError.unavailable("allocate a signature") }
            defer { EVP_MD_CTX_free(context) }
            var encoded = [UInt8](repeating: 0, count: 80)
            var count = encoded.count
            let isDone = message.withUnsafeBytes { message in
                EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key.pointer) == 1
                    && EVP_DigestSign(
                        context, &encoded, &count, message.assumingMemoryBound(to: UInt8.self).baseAddress,
                        message.count) == 1
            }
            guard isDone, let signature = P256Key.decoded(encoded.prefix(count)) else {
                throw SecurityError.unavailable("sign")
            }
            return signature
        }
    }
}
