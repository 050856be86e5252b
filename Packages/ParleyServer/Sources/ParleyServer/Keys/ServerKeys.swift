// SPDX-License-Identifier: MIT

import AuthServer
import Diagnostics
import FoundationEssentials
import Security

/// The server's secrets: the root of its authentication codes, and the keys that sign access tokens. They are in the
/// secret store of a home, or shared by instances.
struct ServerKeys: Sendable {
    /// The keys for codes, links and refresh tokens.
    let auth: AuthKeys
    /// The key that seals mails in the queue.
    let mail: SymmetricKey
    /// The key that seals notifications in the queue.
    let hook: SymmetricKey
    private let store: any SecretStore
    private let hasSharedRoot: Bool
    /// Nil if the signing keys are in the secret store.
    private let shared: SharedKeys?
    private static let service = "parley-server"

    /// Reads the keys; an empty store gets new ones.
    ///
    /// - Parameters:
    ///   - store: The home's.
    ///   - root: The root key that instances share; nil for the store's own.
    ///   - database: The place of the signing keys if it is shared.
    init(
        in store: any SecretStore, root rootKey: ServerRootKey? = nil, database: (any ServerDatabase)? = nil
    ) async throws {
        self.store = store
        hasSharedRoot = rootKey != nil
        let secret = if let rootKey { rootKey.bytes } else { try await Self.root(in: store) }
        (auth, mail, hook) = try secret.withExposed { bytes in
            (
                try AuthKeys(root: SymmetricKey(bytes)),
                try HKDF.key(from: bytes, salt: [UInt8](), info: Array("parley server 1 mail".utf8)),
                try HKDF.key(from: bytes, salt: [UInt8](), info: Array("parley server 1 hook".utf8))
            )
        }
        if let database, database.isShared {
            let keys = try SharedKeys(database, root: secret)
            // A home that moves to a shared database goes on with its key.
            _ = try await keys.record(or: Self.stored(in: store) ?? SigningKeyRecord(current: SigningKey()))
            self.shared = keys
        } else {
            self.shared = nil
            if try await Self.stored(in: store) == nil {
                try await Self.put(SigningKeyRecord(current: SigningKey()), in: store)
            }
        }
    }

    /// The signing keys that are stored now, without those whose tokens have all expired.
    func signing(at now: AuthTime) async throws -> SigningKeySchedule {
        try await record().schedule(at: now)
    }

    /// Throws unless the keys exist and can be read. Makes no key.
    func check() async throws { _ = try await record() }

    /// Makes a new key the current one. The previous one stays published for the lifetime of a token.
    func rotate(at now: AuthTime, tokenLifetime: Duration) async throws {
        let next = try SigningKey()
        if let shared {
            try await shared.rotate(to: next, at: now, tokenLifetime: tokenLifetime)
        } else {
            try await Self.put(record().rotated(to: next, at: now, tokenLifetime: tokenLifetime), in: store)
        }
    }

    /// Puts the signing keys of a shared database into a backup's secret store, from which a restored server takes them.
    ///
    /// - Parameters:
    ///   - root: The root key that instances share; nil for the one in `store`.
    ///   - store: The copy of the secret store of an instance's home.
    /// - Throws: ``ServerSetupError``.
    static func copySigningKeys(
        of database: any ServerDatabase, root rootKey: ServerRootKey?, to store: any SecretStore
    ) async throws {
        let root =
            if let rootKey { rootKey.bytes } else {
                try await store.value(for: name("root"))
            }
        guard let root else { throw ServerSetupError.otherRootKey }
        try await put(SharedKeys(database, root: root).record(), in: store)
    }

    private func record() async throws -> SigningKeyRecord {
        if let shared { return try await shared.record() }
        if !hasSharedRoot, try await store.value(for: Self.name("root")) == nil {
            throw ServerSetupError.rootKeyVanished
        }
        guard let record = try await Self.stored(in: store) else { throw ServerSetupError.rootKeyVanished }
        return record
    }

    private static func root(in store: any SecretStore) async throws -> Sensitive<[UInt8]> {
        if let root = try await store.value(for: name("root")) { return root }
        try await store.set(Sensitive(try SecureRandom.bytes(SymmetricKey.byteCount)), for: name("root"))
        guard let root = try await store.value(for: name("root")) else { throw ServerSetupError.rootKeyVanished }
        return root
    }

    private static func stored(in store: any SecretStore) async throws -> SigningKeyRecord? {
        try await store.value(for: name("signing"))?.withExposed { try SigningKeyRecord($0) }
    }

    private static func put(_ record: SigningKeyRecord, in store: any SecretStore) async throws {
        try await store.set(record.encoded(), for: name("signing"))
    }

    private static func name(_ account: String) throws -> SecretName {
        try SecretName(service: service, account: account)
    }
}
