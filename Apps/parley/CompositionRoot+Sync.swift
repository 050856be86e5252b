// SPDX-License-Identifier: MIT

import Auth
import Concurrency
import DataLayer
import DataSync
import Diagnostics
import Domain
import FoundationEssentials
import Networking
import Persistence
import Security
import Sync
import SyncTransports
import SyncWire
import TerminalKit

/// The opened parts of sync, for one command.
struct OpenSync: Sendable {
    let device: SyncDevice
    let records: RecordSync
    let transport: any SyncTransport
    let journal: SyncJournal
    let settings: SyncSettings
    /// False once sync was left, or all data deleted: what is deleted then must not reach the other devices.
    var isSetUp: @Sendable () -> Bool = { true }

    /// The machine's clock, in milliseconds since 1970.
    static let now: @Sendable () -> Int64 = { Int64((Date().timeIntervalSince1970 * 1_000).rounded()) }

    /// Hands on what changed here, exchanges, and takes over what changed elsewhere.
    ///
    /// - Returns: Nil for an offer with nothing to offer.
    func exchange(_ extent: ExchangeSchedule.Extent) async throws -> ExchangeReport? {
        do {
            try requireSetUp()
            let marks = try await records.data.pending()
            try await journal.begin(device.id, oldest: marks.oldest)
            if try await device.status().isMember == true { try await records.handOver(now: Self.now()) }
            try requireSetUp()
            let waiting = try await device.status().waitingEntryCount
            guard extent > .offer || waiting > 0 else {
                try await journal.settle()
                return nil
            }
            // A change that came after the look at the marks waits, too.
            let oldest = marks.oldest ?? Date()
            if waiting > 0 { try await journal.begin(device.id, oldest: oldest) }
            let report = try await records.exchange(with: transport, now: Self.now, isWhole: extent == .whole)
            let rest = try await device.status().waitingEntryCount > 0 ? oldest : nil
            try await journal.succeed(at: Date(), waiting: rest)
            return report
        } catch {
            let error = advised(error)
            if !(error is CancellationError), isSetUp() { await journal.fail(error) }
            throw error
        }
    }

    /// The error of an exchange, with the command that stores a new password if the place may have one.
    private func advised(_ error: any Error) -> any Error {
        guard case .webdav = settings.place, (error as? SyncError)?.code == .refused else { return error }
        let store = settings.store.rawValue
        return DomainError.server(
            "\(DomainError(translating: error).sentence) If the place has a new password, store it: parley secrets set "
                + "parley-sync/password --store \(store)")
    }

    /// The same, in both directions in any case.
    func exchange(isWhole: Bool) async throws -> ExchangeReport {
        guard let report = try await exchange(isWhole ? .whole : .usual) else { throw CompositionRoot.syncIsNotSetUp }
        return report
    }

    private func requireSetUp() throws { if !isSetUp() { throw CompositionRoot.syncIsNotSetUp } }
}

extension SyncJournal {
    /// Notes a failure. One that cannot be noted, on a full disk, say, is lost.
    fileprivate func fail(_ error: any Error) async {
        guard let reason = ErrorReport(error)?.message else { return }
        try? await fail(at: Date(), reason)
    }
}

extension CompositionRoot {
    /// The settings of sync.
    ///
    /// - Throws: `DomainError.invalidInput` if it is not set up.
    func syncSettings() throws -> SyncSettings {
        guard let settings = try SyncSettings.load(from: paths.syncSettings) else { throw Self.syncIsNotSetUp }
        return settings
    }

    fileprivate static let syncIsNotSetUp = DomainError.invalidInput(
        "Sync is not set up here. parley sync setup begins; parley sync join joins your other devices.")

    /// Opens this device's part of the group, calls `body` and closes it.
    func withSync<Value: Sendable>(_ body: (OpenSync) async throws -> Value) async throws -> Value {
        let settings = try syncSettings()
        let keys = try await syncKeys(in: settings.store)
        return try await withSyncDatabase { database in
            let device = try await SyncDevice.open(in: database, keys: keys)
            return try await withOpenSync(device, in: database, settings) { sync in
                var sync = sync
                sync.isSetUp = { [paths] in !AppPaths.isMissing(paths.syncSettings) }
                return try await body(sync)
            }
        }
    }

    /// Opens this device's part of the group without the place and the databases, calls `body` and closes it.
    func withSyncDevice<Value: Sendable>(_ body: (SyncDevice) async throws -> Value) async throws -> Value {
        let keys = try await syncKeys(in: try syncSettings().store)
        return try await withSyncDatabase { try await body(try await SyncDevice.open(in: $0, keys: keys)) }
    }

    /// Opens this device's part of the group and the databases without the place, calls `body` and closes them.
    func withSyncRecords<Value: Sendable>(
        _ body: (SyncDevice, RecordSync) async throws -> Value
    ) async throws -> Value {
        try await withSyncDevice { device in
            try await withSyncedData { data in
                try await data.enable()
                return try await body(device, RecordSync(data, device, lock: paths.syncLock))
            }
        }
    }

    /// The state of sync, without asking anybody: not even for the device's keys.
    func syncSummary() async throws -> SyncSummary {
        let pending =
            AppPaths.isMissing(paths.conversations)
            ? PendingChanges() : try await withSyncedData { try await $0.pending() }
        return try await withSyncDatabase { try await SyncJournal($0).summary(pending) }
    }

    /// Opens the databases and the place for a device, calls `body` and closes them.
    func withOpenSync<Value: Sendable>(
        _ device: SyncDevice, in database: Database, _ settings: SyncSettings,
        _ body: (OpenSync) async throws -> Value
    ) async throws -> Value {
        try await withSyncedData { data in
            try await data.enable()
            var records = RecordSync(data, device, lock: paths.syncLock)
            records.beforeErasing = { try await clearWhatConversationsMade() }
            let journal = SyncJournal(database)
            var isOpen = false
            do {
                return try await withSyncTransport(settings) { transport in
                    isOpen = true
                    return try await body(
                        OpenSync(
                            device: device, records: records, transport: transport, journal: journal,
                            settings: settings))
                }
            } catch {
                if !isOpen, !(error is CancellationError) { await journal.fail(error) }
                throw error
            }
        }
    }

    /// Opens the databases whose rows all devices have, calls `body` and closes them.
    func withSyncedData<Value: Sendable>(_ body: (SyncedData) async throws -> Value) async throws -> Value {
        try paths.makeDataFolder()
        let data = sealedData
        try await unlock(data)
        let conversations = try await data.conversations(damage: .refuse)
        return try await withCleanup {
            let practice = try await PracticeDatabase(
                path: paths.practice, seal: try await data.key(), logger: logger.with(category: "storage"))
            return try await withCleanup {
                let settings = try await settingsFile().open()
                return try await withCleanup {
                    try await body(
                        SyncedData(conversations: conversations, practice: practice, settings: Self.synced(settings)))
                } cleanup: {
                    await settings.close()
                }
            } cleanup: {
                await practice.close()
            }
        } cleanup: {
            await conversations.close()
        }
    }

    private static func synced(_ settings: OpenKeyValueFile) -> SyncedSettings {
        let names = Setting.all.filter { $0.staysHere == nil }.map(\.name)
        return SyncedSettings(settings, names: Set(names)) { name, text in
            Setting(rawValue: name)?.type.accepts(text) ?? false
        }
    }

    /// Opens sync's database, calls `body` and closes it.
    func withSyncDatabase<Value: Sendable>(_ body: (Database) async throws -> Value) async throws -> Value {
        try paths.makeDataFolder()
        let database = try await SyncFile.open(
            paths.sync, seal: try await dataSeal(), logger: logger.with(category: "storage"))
        return try await withCleanup {
            try await body(database)
        } cleanup: {
            await database.close()
        }
    }

    // MARK: The place

    /// The relay keeps accounts apart, and each account's devices have one place: one name does for all.
    private static let relayGroup = [UInt8](repeating: 0, count: SyncLimit.groupByteCount)

    /// Opens the place of the settings, calls `body` and closes it.
    func withSyncTransport<Value: Sendable>(
        _ settings: SyncSettings, _ body: (any SyncTransport) async throws -> Value
    ) async throws -> Value {
        switch settings.place {
        case .folder(let path): return try await body(FolderTransport(folder: path))
        case .webdav(let text, let user):
            guard let url = URL(string: text) else {
                throw DomainError.invalidInput("\(text.printable) is no address.")
            }
            let store = try await SecretStoreChoice(settings.store).open(in: self, writes: false)
            guard let password = try await store.value(for: Self.syncSecret("password")) else {
                throw DomainError.invalidInput(
                    "The place's password is not stored. Store it: parley secrets set parley-sync/password --store "
                        + "\(settings.store.rawValue)")
            }
            let transport = try WebDAVTransport(
                url: url, user: user, password: password.withExposed { String(decoding: $0, as: UTF8.self) },
                over: try self.transport(to: url))
            return try await body(transport)
        case .sftp(let text, let key):
            guard let url = URL(string: text), let host = url.host(), let user = url.user() else {
                throw DomainError.invalidInput("\(text.printable) is no SFTP address.")
            }
            let transport = try SFTPTransport(
                server: FileTransferClient.Configuration(
                    host: host, port: url.port ?? 22, user: user,
                    credential: key.map { .privateKey(path: $0) } ?? .agent,
                    knownHostsFile: environment["HOME"].flatMap {
                        $0.hasPrefix("/") ? $0 + "/.ssh/known_hosts" : nil
                    }),
                // One slash ends the host: a path from the root has two.
                folder: String(url.path(percentEncoded: false).dropFirst()))
            return try await withCleanup {
                #if DEBUG
                    return try await body(DeveloperPlace(transport, at: text, link: developer))
                #else
                    return try await body(transport)
                #endif
            } cleanup: {
                await transport.close()
            }
        case .server:
            return try await withAccount(AccountOptions(for: SyncNowCommand.specification)) { account in
                try await account.controller.start()
                guard let user = try await account.controller.storedUser() else { throw DomainError.signInNeeded }
                guard settings.account ?? user.id == user.id else {
                    throw DomainError.invalidInput(
                        "Sync was set up with another account than the one that is signed in. Sign in with that one, or run "
                            + "parley sync leave.")
                }
                // Without a cache: the objects are kept in the database.
                var configuration = HTTPClient.Configuration()
                configuration.baseURL = account.server
                configuration.tokens = account.controller
                configuration.log = networkLog { _ in }
                let client = HTTPClient(transport: try self.transport(to: account.server), configuration: configuration)
                return try await body(RelayTransport(client: client, group: Self.relayGroup))
            }
        }
    }

    // MARK: Secrets

    /// The name of a secret of sync.
    static func syncSecret(_ account: String) throws -> SecretName {
        try SecretName(service: "parley-sync", account: account)
    }

    /// This device's keys.
    func syncKeys(in store: SecretStoreChoice.Kind) async throws -> SecretKeys {
        let store = try await SecretStoreChoice(store).open(in: self, writes: false)
        guard let stored = try await store.value(for: Self.syncSecret("device")) else {
            throw DomainError.invalidInput(
                "This device's keys for sync are missing from the store of secrets. Unlock the keyring, or leave with "
                    + "parley sync leave and join again.")
        }
        return try SecretKeys(stored: stored)
    }

    /// The keys of a device that is about to join: those of an earlier attempt, or fresh ones, stored.
    func freshSyncKeys(in store: any SecretStore) async throws -> SecretKeys {
        if let stored = try await store.value(for: Self.syncSecret("device")) { return try SecretKeys(stored: stored) }
        let keys = try SecretKeys()
        try await store.set(try keys.stored, for: Self.syncSecret("device"))
        return keys
    }
}
