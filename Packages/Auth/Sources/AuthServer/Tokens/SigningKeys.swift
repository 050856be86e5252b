// SPDX-License-Identifier: MIT

public import Security

/// The keys that access tokens are signed with: one that signs, and those before it, whose tokens are still good.
public struct SigningKeys: Sendable {
    /// The key that signs.
    public let current: Ed25519.PrivateKey
    /// Keys that sign no more. Keep one for as long as a token lives.
    public let retired: [Ed25519.PublicKey]

    /// A set of keys.
    public init(current: Ed25519.PrivateKey, retired: [Ed25519.PublicKey] = []) {
        self.current = current
        self.retired = retired
    }

    /// The set after a new key has taken over.
    public func rotated(to next: Ed25519.PrivateKey) -> SigningKeys {
        SigningKeys(current: next, retired: [current.publicKey] + retired)
    }

    /// All keys whose tokens are good, the newest first.
    public var published: [PublishedKey] {
        get throws { try ([current.publicKey] + retired).map { try PublishedKey($0) } }
    }
}

/// A public key as a JSON Web Key (RFC 8037 §2).
public struct PublishedKey: Sendable, Hashable, Codable {
    /// The kind of key: `OKP`.
    public let kty: String
    /// The curve: `Ed25519`.
    public let crv: String
    /// What it signs with: `EdDSA`.
    public let alg: String
    /// What it is for: `sig`.
    public let use: String
    /// Its name: the thumbprint (RFC 7638, RFC 8037 appendix A.3).
    public let kid: String
    /// The key, 32 bytes in base64url.
    public let x: String

    /// A key under its thumbprint.
    public init(_ key: Ed25519.PublicKey) throws {
        (kty, crv, alg, use) = ("OKP", "Ed25519", "EdDSA", "sig")
        x = Base64URL.encode(key.bytes)
        kid = Base64URL.encode(try SHA256.hash(Array(#"{"crv":"Ed25519","kty":"OKP","x":"\#(x)"}"#.utf8)))
    }

    /// The key.
    ///
    /// - Throws: ``AuthServerError`` with the code `badAccessToken` for another kind of key.
    public func key() throws -> Ed25519.PublicKey {
        guard kty == "OKP", crv == "Ed25519", let bytes = Base64URL.decode(x) else {
            throw AuthServerError(.badAccessToken, "The key is not an Ed25519 key.")
        }
        return try Ed25519.PublicKey(bytes)
    }
}
