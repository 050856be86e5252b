// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials
import Security

/// The server's secrets: the roots of its authentication codes, and the keys that sign access tokens. They are in the
/// secret store of a home, or shared by instances.
struct ServerKeys: Sendable {
    /// The root keys.
    let roots: RootKeyRing
    private let store: any SecretStore
    private let hasSharedRoot: Bool
    /// Nil if the signing keys are in the secret store.
    private let shared: SharedKeys?
    private static let service = "parley-server"

    /// Reads the keys; an empty store gets new ones.
    ///
    /// - Parameters:
    ///   - store: The home's.
    ///   - root: The root keys that instances share; nil for the store's own.
    ///   - database: The place of the signing keys if it is shared.
    init(
        in store: any SecretStore, root rootKey: ServerRootKey? = nil, database: (any ServerDatabase)? = nil
    ) async throws {
        self.store = store
        hasSharedRoot = rootKey != nil
        let secrets = if let rootKey { rootKey.keys } else { [try await Self.root(in: store)] }
        roots = try RootKeyRing(secrets)
        let stored = hasSharedRoot ? try await Self.storedUse(in: store) : nil
        if let database, database.isShared {
            let keys = SharedKeys(database: database, roots: roots)
            // A home that moves to a shared database goes on with its key.
            let opened = try await keys.record(or: Self.stored(in: store) ?? SigningKeyRecord(current: SigningKey()))
            roots.set(try await keys.use() ?? stored ?? RootKeyUse(of: [opened.root]))
            self.shared = keys
        } else {
            self.shared = nil
            if let stored { roots.set(stored) }
            if try await Self.stored(in: store) == nil {
                try await Self.put(SigningKeyRecord(current: SigningKey()), in: store)
            }
        }
    }

    /// The keys for codes, links and refresh tokens.
    ///
    /// - Throws: ``ServerSetupError/lacksRootKey(_:)``.
    func auth(at now: AuthTime) throws -> AuthKeys { try roots.keys(at: now)[0].auth }

    /// The seal of mails in the queue.
    func mailSeal(_ clock: AuthClock) -> DeliverySeal {
        DeliverySeal { [roots] in try roots.keys(at: clock.now()).map(\.mail) }
    }

    /// The seal of notifications in the queue.
    func hookSeal(_ clock: AuthClock) -> DeliverySeal {
        DeliverySeal { [roots] in try roots.keys(at: clock.now()).map(\.hook) }
    }

    /// The signing keys that are stored now, without those whose tokens have all expired. Takes over a change of the
    /// root key in use as well.
    func signing(at now: AuthTime) async throws -> SigningKeySchedule {
        guard let shared else { return try await record().schedule(at: now) }
        _ = try await use()
        let opened = try await shared.record()
        if opened.root != roots.use.current(at: now) { try await shared.seal(at: now) }
        return try opened.record.schedule(at: now)
    }

    /// Throws unless the keys exist and can be read, and the root key in use is there. Makes no key.
    ///
    /// - Throws: Also `Readiness.Warning`.
    func check(at now: AuthTime) async throws {
        let use = try await use()
        _ = try roots.keys(at: now)
        _ = try await record()
        if let next = use.next(at: now), !roots.has(next.key) {
            throw Readiness.Warning(
                word: "behind",
                description: "the root key \(next.key) is used from \(next.from.reportText) on, and this instance "
                    + "lacks it. Put it into the file of --key-file")
        }
        if let problem = roots.problem { throw Readiness.Warning(word: "stale", description: problem) }
    }

    /// Makes a new key the current one. The previous one stays published for the lifetime of a token.
    func rotate(at now: AuthTime, tokenLifetime: Duration) async throws {
        let next = try SigningKey()
        if let shared {
            try await shared.rotate(to: next, at: now, tokenLifetime: tokenLifetime)
        } else {
            try await Self.put(record().rotated(to: next, at: now, tokenLifetime: tokenLifetime), in: store)
        }
    }

    // MARK: Root keys

    /// The history of the root keys' use, as the database has it now.
    func use() async throws -> RootKeyUse {
        if let use = try await shared?.use() { roots.set(use) }
        return roots.use
    }

    /// Lets the file's first key come into use if it is a new one: at once in a home of its own, and after the notice
    /// where other instances have to learn of it. A running server calls it; commands do not.
    ///
    /// - Returns: The announced key; nil if nothing changed.
    /// - Throws: ``ServerSetupError/lacksRootKey(_:)`` if the file lacks the key in use.
    func announceRoot(at now: AuthTime) async throws -> RootKeyUse.Entry? {
        try await announce(roots.inFile, at: now)
    }

    /// Takes over a file that was read again.
    ///
    /// - Parameter needed: The keys that must not be missing.
    /// - Returns: As ``announceRoot(at:)``.
    /// - Throws: ``ServerSetupError``; the earlier keys then stay.
    func replaceRoots(
        _ rootKey: ServerRootKey, needed: [RootKeyReport.Key] = [], at now: AuthTime
    ) async throws -> RootKeyUse.Entry? {
        let keys = try RootKey.all(rootKey.keys)
        func isMissing(_ id: String) -> Bool { !keys.contains { $0.id == id } }
        if let key = needed.first(where: { isMissing($0.id) }) { throw key.loss }
        if let next = try await use().next(at: now), isMissing(next.key) {
            throw ServerSetupError.lacksRootKey(next.key)
        }
        return try await announce(keys, at: now)
    }

    private func announce(_ keys: [RootKey], at now: AuthTime) async throws -> RootKeyUse.Entry? {
        guard hasSharedRoot else { return nil }
        let (first, before) = (keys[0].id, roots.use)
        if let current = before.current(at: now), !keys.contains(where: { $0.id == current }) {
            throw ServerSetupError.lacksRootKey(current)
        }
        let use: RootKeyUse
        if let shared {
            use = try await shared.changeUse(or: before) {
                $0.announcing(first, from: now + SharedKeys.notice, at: now)
            }
        } else {
            use = before.announcing(first, from: now, at: now)
            if try await Self.storedUse(in: store) != use { try await Self.put(use, in: store) }
        }
        roots.set(keys, use)
        return before.entry(of: first) == nil ? use.entry(of: first) : nil
    }

    /// Puts the signing keys of a shared database, and the use of its root keys, into a backup's secret store, from which
    /// a restored server takes them.
    ///
    /// - Parameters:
    ///   - root: The root keys that instances share; nil for the one in `store`.
    ///   - store: The copy of the secret store of an instance's home.
    /// - Throws: ``ServerSetupError``.
    static func copySigningKeys(
        of database: any ServerDatabase, root rootKey: ServerRootKey?, to store: any SecretStore
    ) async throws {
        var keys = rootKey?.keys ?? []
        if keys.isEmpty, let own = try await store.value(for: name("root")) { keys = [own] }
        guard !keys.isEmpty else { throw ServerSetupError.otherRootKey }
        let shared = SharedKeys(database: database, roots: try RootKeyRing(keys))
        try await put(shared.record().record, in: store)
        if let use = try await shared.use() { try await put(use, in: store) }
    }

    private func record() async throws -> SigningKeyRecord {
        if let shared { return try await shared.record().record }
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

    private static func storedUse(in store: any SecretStore) async throws -> RootKeyUse? {
        try await store.value(for: name("root-use"))?.withExposed {
            try JSONDecoder().decode(RootKeyUse.self, from: Data($0))
        }
    }

    private static func put(_ use: RootKeyUse, in store: any SecretStore) async throws {
        try await store.set(Sensitive([UInt8](try JSONEncoder().encode(use))), for: name("root-use"))
    }

    private static func name(_ account: String) throws -> SecretName {
        try SecretName(service: service, account: account)
    }
}
