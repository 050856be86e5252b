// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials
import Security

/// The server's secrets, in a secret store: the root of its authentication codes, and the keys that sign access tokens.
struct ServerKeys: Sendable {
    /// What codes, links and refresh tokens are checked with.
    let auth: AuthKeys
    /// What access tokens are signed with.
    let signing: SigningKeys

    private static let service = "parley-server"

    /// Reads the keys; a store that has none gets new ones.
    static func open(in store: any SecretStore, at now: AuthTime) async throws -> ServerKeys {
        let root = try SecretName(service: service, account: "root")
        if try await store.value(for: root) == nil {
            try await store.set(Sensitive(try SecureRandom.bytes(SymmetricKey.byteCount)), for: root)
        }
        guard let secret = try await store.value(for: root) else {
            throw ServerSetupError.rootKeyVanished
        }
        let auth = try secret.withExposed { try AuthKeys(root: SymmetricKey($0)) }
        return ServerKeys(auth: auth, signing: try await signing(in: store, at: now))
    }

    /// The signing keys of the moment, without those whose tokens have all expired.
    static func signing(in store: any SecretStore, at now: AuthTime) async throws -> SigningKeys {
        let name = try SecretName(service: service, account: "signing")
        if let stored = try await store.value(for: name) {
            return try stored.withExposed { try SigningKeyRecord($0).keys(at: now) }
        }
        let record = try SigningKeyRecord(current: SigningKey())
        try await store.set(record.encoded(), for: name)
        return try record.keys(at: now)
    }

    /// Lets a new key take over. The one before stays published for as long as a token can live.
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

/// Why a server cannot start.
enum ServerSetupError: Error, CustomStringConvertible {
    /// Somebody deleted the root key just after it was made.
    case rootKeyVanished

    var description: String { "The server's root key was deleted while it started. Start one server in a folder." }
}
