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

    /// A key that will sign.
    private struct Next: Codable {
        /// As ``SigningKeyRecord/current``.
        let key: Data
        let algorithm: Algorithm?
        /// The time of its first signature.
        let from: AuthTime
        /// The end of the tokens of the key before it.
        let until: AuthTime
    }

    /// The private key: DER for ES256, 32 bytes for EdDSA (RFC 8032 §5.1.5).
    private let current: Data
    private let algorithm: Algorithm?
    private var retired: [Retired]
    private let next: Next?

    init(current: SigningKey) throws {
        try self.init(current, retired: [])
    }

    private init(_ key: SigningKey, retired: [Retired]) throws {
        (current, algorithm) = try Self.stored(key)
        self.retired = retired
        next = nil
    }

    private init(_ record: SigningKeyRecord, next: Next) {
        (current, algorithm, retired) = (record.current, record.algorithm, record.retired)
        self.next = next
    }

    private static func stored(_ key: SigningKey) throws -> (Data, Algorithm?) {
        switch key {
        case .p256(let key): (try key.withUnsafeBytes { Data($0) }, .es256)
        case .ed25519(let key): (try key.withUnsafeBytes { Data($0) }, nil)
        }
    }

    init(_ bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(SigningKeyRecord.self, from: Data(bytes))
    }

    func encoded() throws -> Sensitive<[UInt8]> { Sensitive([UInt8](try JSONEncoder().encode(self))) }

    private static func signingKey(_ key: Data, _ algorithm: Algorithm?) throws -> SigningKey {
        switch algorithm ?? .edDSA {
        case .es256: .p256(try P256.PrivateKey(key))
        case .edDSA: .ed25519(try Ed25519.PrivateKey(key))
        }
    }

    /// The keys without those whose tokens have all expired.
    func schedule(at now: AuthTime) throws -> SigningKeySchedule {
        let current = try Self.signingKey(current, algorithm)
        let live = try retired.filter { $0.until > now }.map { try $0.verifyingKey() }
        guard let next else { return SigningKeySchedule(present: SigningKeys(current: current, retired: live)) }
        let following = try Self.signingKey(next.key, next.algorithm)
        return SigningKeySchedule(
            present: SigningKeys(current: current, retired: [following.publicKey] + live),
            next: (
                keys: SigningKeys(
                    current: following, retired: (next.until > now ? [current.publicKey] : []) + live),
                from: next.from
            ))
    }

    /// - Parameter notice: The time until the next key signs, in which others learn of it.
    func rotated(
        to key: SigningKey, at now: AuthTime, tokenLifetime: Duration, notice: Duration = .zero
    ) throws -> SigningKeyRecord {
        var settled = try settled(at: now)
        // A minute more, for verifiers whose clock is slow.
        let until = now + notice + tokenLifetime + .seconds(60)
        guard notice > .zero else {
            let old = Retired(try Self.signingKey(settled.current, settled.algorithm).publicKey, until: until)
            return try SigningKeyRecord(key, retired: [old] + settled.retired)
        }
        // An announced key is replaced. Its tokens count if instances may begin with it before they read of its end.
        if let next, next.from > now, next.from - now <= RootKeyUse.readingTime {
            settled.retired.append(
                Retired(try Self.signingKey(next.key, next.algorithm).publicKey, until: until))
        }
        let (bytes, algorithm) = try Self.stored(key)
        return SigningKeyRecord(
            settled, next: Next(key: bytes, algorithm: algorithm, from: now + notice, until: until))
    }

    /// The record in which a key that signs already is the current one.
    private func settled(at now: AuthTime) throws -> SigningKeyRecord {
        let live = retired.filter { $0.until > now }
        let key = try Self.signingKey(current, algorithm)
        guard let next, next.from <= now else { return try SigningKeyRecord(key, retired: live) }
        let old = next.until > now ? [Retired(key.publicKey, until: next.until)] : []
        return try SigningKeyRecord(Self.signingKey(next.key, next.algorithm), retired: old + live)
    }
}
