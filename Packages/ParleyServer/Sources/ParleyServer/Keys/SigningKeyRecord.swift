// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials
import Security

/// The stored form of signing keys: JSON, sealed by the store.
struct SigningKeyRecord: Codable {
    /// The kind of a key, by the name of its algorithm. Rows of earlier versions have no kind: they are Ed25519 keys.
    private enum Algorithm: String, Codable {
        case es256 = "ES256"
        case edDSA = "EdDSA"
    }

    private struct Retired: Codable {
        let key: Data
        let algorithm: Algorithm?
        let until: AuthTime

        init(_ key: VerifyingKey, until: AuthTime) {
            self.until = until
            switch key {
            case .p256(let key): (self.key, algorithm) = (Data(key.bytes), .es256)
            case .ed25519(let key): (self.key, algorithm) = (Data(key.bytes), nil)
            }
        }

        func verifyingKey() throws -> VerifyingKey {
            switch algorithm ?? .edDSA {
            case .es256: .p256(try P256.PublicKey(key))
            case .edDSA: .ed25519(try Ed25519.PublicKey(key))
            }
        }
    }

    /// The private key: DER for ES256, 32 bytes for EdDSA (RFC 8032 §5.1.5).
    private let current: Data
    private let algorithm: Algorithm?
    private let retired: [Retired]

    init(current: SigningKey) throws {
        try self.init(current, retired: [])
    }

    private init(_ key: SigningKey, retired: [Retired]) throws {
        self.retired = retired
        switch key {
        case .p256(let key): (current, algorithm) = (try key.withUnsafeBytes { Data($0) }, .es256)
        case .ed25519(let key): (current, algorithm) = (try key.withUnsafeBytes { Data($0) }, nil)
        }
    }

    init(_ bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(SigningKeyRecord.self, from: Data(bytes))
    }

    func encoded() throws -> Sensitive<[UInt8]> { Sensitive([UInt8](try JSONEncoder().encode(self))) }

    private func signingKey() throws -> SigningKey {
        switch algorithm ?? .edDSA {
        case .es256: .p256(try P256.PrivateKey(current))
        case .edDSA: .ed25519(try Ed25519.PrivateKey(current))
        }
    }

    func keys(at now: AuthTime) throws -> SigningKeys {
        SigningKeys(
            current: try signingKey(), retired: try retired.filter { $0.until > now }.map { try $0.verifyingKey() })
    }

    func rotated(to next: SigningKey, at now: AuthTime, tokenLifetime: Duration) throws -> SigningKeyRecord {
        // A minute more, for verifiers whose clock is slow.
        let until = now + tokenLifetime + .seconds(60)
        let old = Retired(try signingKey().publicKey, until: until)
        return try SigningKeyRecord(next, retired: [old] + retired.filter { $0.until > now })
    }
}
