// SPDX-License-Identifier: MIT

import Auth
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

/// The opened parts of sync, for one command.
struct OpenSync: Sendable {
    let device: SyncDevice
    let records: RecordSync
    let transport: any SyncTransport

    /// The machine's clock, in milliseconds since 1970.
    static let now: @Sendable () -> Int64 = { Int64((Date().timeIntervalSince1970 * 1_000).rounded()) }

    /// Hands on what changed here, exchanges, and takes over what changed elsewhere.
    func exchange(isWhole: Bool) async throws -> ExchangeReport {
        if try await device.status().isMember == true { try await records.handOver(now: Self.now()) }
        let report = try await device.sync(with: transport, now: Self.now, isWhole: isWhole)
        _ = try await records.takeOver()
        return report
    }
}

extension CompositionRoot {
    /// The settings of sync.
    ///
    /// - Throws: `DomainError.invalidInput` if it is not set up.
    func syncSettings() throws -> SyncSettings {
        guard let settings = try SyncSettings.load(from: paths.syncSettings) else {
            throw DomainError.invalidInput(
                "Sync is not set up here. parley sync setup begins; parley sync join joins your other devices.")
        }
        return settings
    }

    /// Opens this device's part of the group and the place, calls `body` and closes both.
    func withSync<Value: Sendable>(_ body: (OpenSync) async throws -> Value) async throws -> Value {
        let settings = try syncSettings()
        return try await withSyncRecords { device, records in
            try await withSyncTransport(settings) { transport in
                try await body(OpenSync(device: device, records: records, transport: transport))
            }
        }
    }

    /// Opens this device's part of the group without the place, calls `body` and closes it.
    func withSyncRecords<Value: Sendable>(
        _ body: (SyncDevice, RecordSync) async throws -> Value
    ) async throws -> Value {
        let keys = try await syncKeys(in: try syncSettings().store)
        return try await withSyncDatabase { database in
            let device = try await SyncDevice.open(in: database, keys: keys)
            return try await withSyncedData { data in
                try await data.enable()
                return try await body(device, RecordSync(data, device))
            }
        }
    }

    /// Opens the databases and the place for a device that begins or joins, calls `body` and closes them.
    func withOpenSync<Value: Sendable>(
        _ device: SyncDevice, _ settings: SyncSettings, _ body: (OpenSync) async throws -> Value
    ) async throws -> Value {
        try await withSyncedData { data in
            try await data.enable()
            return try await withSyncTransport(settings) { transport in
                try await body(OpenSync(device: device, records: RecordSync(data, device), transport: transport))
            }
        }
    }

    /// Opens the databases whose rows all devices have, calls `body` and closes them.
    func withSyncedData<Value: Sendable>(_ body: (SyncedData) async throws -> Value) async throws -> Value {
        try paths.makeDataFolder()
        let data = sealedData
        try await unlock(data)
        let conversations = try await data.conversations(damage: .refuse)
        let result: Result<Value, any Error>
        do {
            let practice = try await PracticeDatabase(
                path: paths.practice, seal: try await data.key(), logger: logger.with(category: "storage"))
            do {
                let settings = try await settingsFile().open()
                do {
                    result = .success(
                        try await body(
                            SyncedData(
                                conversations: conversations, practice: practice, settings: Self.synced(settings))))
                } catch {
                    await settings.close()
                    throw error
                }
                await settings.close()
            } catch {
                await practice.close()
                throw error
            }
            await practice.close()
        } catch { result = .failure(error) }
        await conversations.close()
        return try result.get()
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
        let result: Result<Value, any Error>
        do { result = .success(try await body(database)) } catch { result = .failure(error) }
        await database.close()
        return try result.get()
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
                throw DomainError.invalidInput("The place's password is not stored. Run parley sync setup again.")
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
                    credential: key.map { .privateKey(path: $0) } ?? .agent),
                folder: String(url.path(percentEncoded: false).drop { $0 == "/" }))
            let result: Result<Value, any Error>
            do { result = .success(try await body(transport)) } catch { result = .failure(error) }
            await transport.close()
            return try result.get()
        case .server:
            return try await withAccount(AccountOptions(for: SyncNowCommand.specification)) { account in
                try await account.controller.start()
                guard await account.controller.isSignedIn else { throw DomainError.signInNeeded }
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
