// SPDX-License-Identifier: MIT

public import Security

/// A key that signs access tokens. The kind of key decides the algorithm.
public enum SigningKey: Sendable {
    /// `ES256` (RFC 7518 §3.4), which every client of GoTrue verifies.
    case p256(P256.PrivateKey)
    /// `EdDSA` (RFC 8037).
    case ed25519(Ed25519.PrivateKey)

    /// A fresh key of the kind that new servers use: P-256.
    public init() throws { self = .p256(try P256.PrivateKey()) }

    /// The key that verifies its signatures.
    public var publicKey: VerifyingKey {
        switch self {
        case .p256(let key): .p256(key.publicKey)
        case .ed25519(let key): .ed25519(key.publicKey)
        }
    }

    /// The signature of a message, 64 bytes.
    public func sign(_ message: [UInt8]) throws -> [UInt8] {
        switch self {
        case .p256(let key): try key.sign(message)
        case .ed25519(let key): try key.sign(message)
        }
    }
}

/// A key that verifies access tokens.
public enum VerifyingKey: Sendable, Hashable {
    /// `ES256`.
    case p256(P256.PublicKey)
    /// `EdDSA`.
    case ed25519(Ed25519.PublicKey)

    /// True if the owner of this key signed the message.
    public func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
        switch self {
        case .p256(let key): key.isValid(signature: signature, for: message)
        case .ed25519(let key): key.isValid(signature: signature, for: message)
        }
    }
}

/// The keys of access tokens: one that signs, and earlier ones, whose tokens are still valid.
public struct SigningKeys: Sendable {
    /// The key that signs.
    public let current: SigningKey
    /// Keys that no longer sign. Keep one for the lifetime of a token.
    public let retired: [VerifyingKey]

    /// A set of keys.
    public init(current: SigningKey, retired: [VerifyingKey] = []) {
        self.current = current
        self.retired = retired
    }

    /// The set after a change to a new key.
    public func rotated(to next: SigningKey) -> SigningKeys {
        SigningKeys(current: next, retired: [current.publicKey] + retired)
    }

    /// All keys whose tokens are valid, the newest first.
    public var published: [PublishedKey] {
        get throws { try ([current.publicKey] + retired).map { try PublishedKey($0) } }
    }
}

/// A public key as a JSON Web Key (RFC 7518 §6.2, RFC 8037 §2).
public struct PublishedKey: Sendable, Hashable, Codable {
    /// The kind of key: `EC` or `OKP`.
    public let kty: String
    /// The curve: `P-256` or `Ed25519`.
    public let crv: String
    /// The algorithm: `ES256` or `EdDSA`.
    public let alg: String
    /// The use: `sig`.
    public let use: String
    /// The key's id: the thumbprint (RFC 7638, RFC 8037 appendix A.3).
    public let kid: String
    /// The key, or its first coordinate; 32 bytes in base64url.
    public let x: String
    /// The second coordinate, 32 bytes in base64url; nil on Ed25519.
    public let y: String?

    /// A key under its thumbprint.
    public init(_ key: VerifyingKey) throws {
        use = "sig"
        let members: String
        switch key {
        case .p256(let key):
            (kty, crv, alg) = ("EC", "P-256", "ES256")
            x = Base64URL.encode(key.bytes.prefix(32))
            let second = Base64URL.encode(key.bytes.suffix(32))
            y = second
            members = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(second)"}"#
        case .ed25519(let key):
            (kty, crv, alg) = ("OKP", "Ed25519", "EdDSA")
            x = Base64URL.encode(key.bytes)
            y = nil
            members = #"{"crv":"Ed25519","kty":"OKP","x":"\#(x)"}"#
        }
        kid = Base64URL.encode(try SHA256.hash(Array(members.utf8)))
    }

    /// The key.
    ///
    /// - Throws: ``AuthServerError`` with the code `badAccessToken` for another kind of key, or an algorithm of another
    ///   kind.
    public func key() throws -> VerifyingKey {
        switch (kty, crv, alg, Base64URL.decode(x), y.map { Base64URL.decode($0) }) {
        case ("EC", "P-256", "ES256", let x?, .some(let y?)) where x.count == 32: .p256(try P256.PublicKey(x + y))
        case ("OKP", "Ed25519", "EdDSA", let x?, nil): .ed25519(try Ed25519.PublicKey(x))
        default:
            throw AuthServerError(
                .badAccessToken, "The key is neither a P-256 key for ES256 nor an Ed25519 key for EdDSA.")
        }
    }
}
