// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials
import Security

/// Signing keys as they are stored: JSON, sealed by the store.
struct SigningKeyRecord: Codable {
    private struct Retired: Codable {
        let key: Data
        let until: AuthTime
    }

    /// The private key, 32 bytes (RFC 8032 §5.1.5).
    private let current: Data
    private let retired: [Retired]

    init(current: Ed25519.PrivateKey) throws {
        self.current = try current.withUnsafeBytes { Data($0) }
        retired = []
    }

    private init(current: Data, retired: [Retired]) {
        self.current = current
        self.retired = retired
    }

    init(_ bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(SigningKeyRecord.self, from: Data(bytes))
    }

    func encoded() throws -> Sensitive<[UInt8]> { Sensitive([UInt8](try JSONEncoder().encode(self))) }

    func keys(at now: AuthTime) throws -> SigningKeys {
        SigningKeys(
            current: try Ed25519.PrivateKey(current),
            retired: try retired.filter { $0.until > now }.map { try Ed25519.PublicKey($0.key) })
    }

    func rotated(to next: Ed25519.PrivateKey, at now: AuthTime, tokenLifetime: Duration) throws -> SigningKeyRecord {
        let old = try Ed25519.PrivateKey(current).publicKey
        // A minute more, for verifiers whose clock is late.
        let until = now + tokenLifetime + .seconds(60)
        return SigningKeyRecord(
            current: try next.withUnsafeBytes { Data($0) },
            retired: [Retired(key: Data(old.bytes), until: until)] + retired.filter { $0.until > now })
    }
}
