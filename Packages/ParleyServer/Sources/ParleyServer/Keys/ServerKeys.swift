// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Diagnostics
import FoundationEssentials
import Security

/// The server's secrets, in a secret store: the root of its authentication codes, and the keys that sign access tokens.
struct ServerKeys: Sendable {
    /// The keys for codes, links and refresh tokens.
    let auth: AuthKeys
    /// The keys that sign access tokens.
    let signing: SigningKeys
    /// The key that seals mails in the queue.
    let mail: SymmetricKey

    private static let service = "parley-server"

    /// Reads the keys; an empty store gets new ones.
    static func open(in store: any SecretStore, at now: AuthTime) async throws -> ServerKeys {
        let root = try SecretName(service: service, account: "root")
        if try await store.value(for: root) == nil {
            try await store.set(Sensitive(try SecureRandom.bytes(SymmetricKey.byteCount)), for: root)
        }
        guard let secret = try await store.value(for: root) else {
            throw ServerSetupError.rootKeyVanished
        }
        let (auth, mail) = try secret.withExposed { bytes in
            (
                try AuthKeys(root: SymmetricKey(bytes)),
                try HKDF.key(from: bytes, salt: [UInt8](), info: Array("parley server 1 mail".utf8))
            )
        }
        return ServerKeys(auth: auth, signing: try await signing(in: store, at: now), mail: mail)
    }

    /// Throws unless both keys exist and can be read. Makes no key.
    static func check(_ store: any SecretStore) async throws {
        for account in ["root", "signing"] {
            guard try await store.value(for: SecretName(service: service, account: account)) != nil else {
                throw ServerSetupError.rootKeyVanished
            }
        }
    }

    /// The present signing keys, without those whose tokens have all expired.
    static func signing(in store: any SecretStore, at now: AuthTime) async throws -> SigningKeys {
        let name = try SecretName(service: service, account: "signing")
        if let stored = try await store.value(for: name) {
            return try stored.withExposed { try SigningKeyRecord($0).keys(at: now) }
        }
        let record = try SigningKeyRecord(current: SigningKey())
        try await store.set(record.encoded(), for: name)
        return try record.keys(at: now)
    }

    /// Makes a new key the current one. The previous one stays published for the lifetime of a token.
    static func rotate(in store: any SecretStore, at now: AuthTime, tokenLifetime: Duration) async throws {
        let name = try SecretName(service: service, account: "signing")
        guard let stored = try await store.value(for: name) else {
            _ = try await signing(in: store, at: now)
            return
        }
        let next = try SigningKey()
        let record = try stored.withExposed { try SigningKeyRecord($0) }
            .rotated(to: next, at: now, tokenLifetime: tokenLifetime)
        try await store.set(record.encoded(), for: name)
    }
}

/// The signing keys of a running server; they may be exchanged at any time.
final class SigningKeyRing: Sendable {
    private let current: Guarded<SigningKeys>

    init(_ keys: SigningKeys) {
        current = Guarded(keys)
    }

    var keys: SigningKeys {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}
