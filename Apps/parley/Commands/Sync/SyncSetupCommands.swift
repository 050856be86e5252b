// SPDX-License-Identifier: MIT

import Auth
import CommandLineArguments
import DataLayer
import DataSync
import Domain
import FoundationEssentials
import Security
import Sync
import SyncWire
import TerminalKit

/// The option with this device's name.
enum SyncDeviceName {
    static let option = ValueOption<String>(
        "name", placeholder: "NAME", help: "This device's name for your other devices; by default the machine's")

    static func name(_ invocation: Invocation) -> String {
        invocation[option] ?? CompositionRoot.machineName ?? "device"
    }
}

/// `parley sync setup`: begins a group of devices at a place.
struct SyncSetupCommand: Command {
    static let specification = CommandSpecification(
        path: ["sync", "setup"], summary: "Begin to keep your conversations on several devices",
        discussion: """
            parley sync setup --folder ~/Sync/parley
            The place sees neither words nor names: everything is sealed before it gets there. On each other device run
            parley sync join with the same place, and here parley sync add-device. Then write down the words of
            parley sync recovery show: they bring the conversations back when all devices are lost.

            parley service exchanges by itself (parley install --start runs it in your session); parley sync now does it once.
            """,
        options: SyncPlace.options + [SyncDeviceName.option, SecretStoreChoice.store])

    private let place: SyncPlace
    private let name: String
    private let store: SecretStoreChoice.Kind

    init(_ invocation: Invocation) throws(UsageError) {
        guard let place = try SyncPlace(invocation) else {
            throw invocation.error("Name the place: --folder DIR, --server, --webdav URL or --sftp URL.")
        }
        self.place = place
        name = SyncDeviceName.name(invocation)
        store = invocation[SecretStoreChoice.store] ?? .auto
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let settings = try await app.newSyncSettings(place, store, console)
        let secrets = try await SecretStoreChoice(settings.store).open(in: app)
        let isTaken = try await !app.withSyncTransport(settings) { try await $0.devices() }.isEmpty
        guard !isTaken else {
            throw DomainError.invalidInput(
                "There are devices at \(place.sentence) already. Join them: parley sync join with the same place, "
                    + "and parley sync add-device on one of them.")
        }
        let keys = try await app.freshSyncKeys(in: secrets)
        let phrase = try RecoveryPhrase()
        try await secrets.set(phrase.stored, for: CompositionRoot.syncSecret("recovery"))
        let name = name
        let report = try await app.withSyncDatabase { database in
            let device = try await SyncDevice.found(
                in: database, keys: keys, recovery: phrase.secretKeys.publicKeys, name: name)
            // Before anything is at the place: what breaks off from here on goes on with the next exchange.
            try settings.save(to: app.paths.syncSettings)
            return try await app.withOpenSync(device, in: database, settings) { sync in
                do { return try await sync.exchange(isWhole: true) } catch {
                    console.warn("Sync is set up all the same. parley sync now goes on, parley sync leave ends it.")
                    throw error
                }
            }
        }
        console.progress(
            "Your conversations are kept at \(place.sentence), sealed. parley sync add-device adds a device; write "
                + "down what parley sync recovery show shows. parley service exchanges by itself.")
        try console.emit(SyncReportOutput(report))
        return .done
    }
}

/// `parley sync leave`: ends sync on this device.
struct SyncLeaveCommand: Command {
    private static let isSure = Flag("yes", help: "Do not ask")
    static let specification = CommandSpecification(
        path: ["sync", "leave"], summary: "End sync on this device; its conversations stay here",
        discussion: """
            The other devices go on without it. With the last device the sealed objects stay at the place; delete them there.
            """,
        options: [isSure])

    private let isSure: Bool

    init(_ invocation: Invocation) throws(UsageError) { isSure = invocation.has(Self.isSure) }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let settings = try app.syncSettings()
        guard
            try await console.confirmsDeletion(
                of: "this device's keys for sync, and removes it from the group. Its conversations stay" as Sentence,
                summary: "this device's keys for sync" as Sentence, isSure: isSure)
        else { return .done }
        do {
            try await app.withSync { sync in
                _ = try? await sync.exchange(isWhole: false)
                try await sync.device.remove(sync.device.id)
                _ = try await sync.device.sync(with: sync.transport, now: OpenSync.now, isWhole: false)
            }
        } catch let error as SyncError where error.code == .notMember {
            // Another device removed this one.
        } catch {
            if error is CancellationError { throw error }
            console.warn("The other devices still count this one: \(DomainError(translating: error).sentence)")
        }
        try await app.withSyncedData { try await $0.disable() }
        // The settings go last, so that a locked keyring or a crash leaves a device that can leave again.
        let secrets = try await SecretStoreChoice(settings.store).open(in: app)
        for account in ["device", "recovery", "password"] {
            try await secrets.delete(CompositionRoot.syncSecret(account))
        }
        try app.removeSyncFiles()
        console.progress("This device keeps its conversations to itself from now on.")
        try console.emit(["left": true])
        return .done
    }
}

extension CompositionRoot {
    /// The settings of a device that begins or joins; asks for the place's password if it has one.
    func newSyncSettings(
        _ place: SyncPlace, _ store: SecretStoreChoice.Kind, _ console: Console
    ) async throws -> SyncSettings {
        guard try SyncSettings.load(from: paths.syncSettings) == nil else {
            throw DomainError.invalidInput(
                "Sync is set up here already. parley sync status shows it, parley sync leave ends it.")
        }
        // A beginning that broke off before there were settings: its group would be in the way of every other one.
        // Notes in a database are that beginning's, or came with a copy from another machine: all rows must be sent.
        let files = [paths.sync, paths.conversations, paths.practice, paths.settings]
        if files.contains(where: { !AppPaths.isMissing($0) }) {
            try await withSyncedData { try await $0.disable() }
            try removeSyncFiles()
        }
        try paths.makeConfigurationFolder()
        let kind = store == .auto ? try await automaticStore() : store
        return try await syncSettings(at: place, store: kind, console)
    }

    /// The settings of a place: asks for its password if it has one, and stores it; the relay's account is the one that is
    /// signed in.
    func syncSettings(
        at place: SyncPlace, store: SecretStoreChoice.Kind, _ console: Console
    ) async throws -> SyncSettings {
        var settings = SyncSettings(place: place, store: store)
        switch place {
        case .folder, .sftp: break
        case .webdav:
            let password = try await SecretPrompt(console: console).value("Password of \(place.sentence): " as Sentence)
            let secrets = try await SecretStoreChoice(store).open(in: self)
            try await secrets.set(password, for: Self.syncSecret("password"))
        case .server:
            settings.account = try await withAccount(AccountOptions(for: SyncNowCommand.specification)) {
                try await $0.controller.storedUser()?.id
            }
        }
        return settings
    }

    /// Removes sync's database and settings.
    func removeSyncFiles() throws {
        for path in [paths.sync, paths.sync + "-wal", paths.sync + "-shm", paths.syncSettings]
        where FileManager.default.fileExists(atPath: path) {
            do { try FileManager.default.removeItem(atPath: path) } catch {
                throw DomainError.file("\(path.printable) cannot be removed. Remove it by hand.")
            }
        }
    }
}

extension SyncTransport {
    /// The records of devices at this place.
    func devices() async throws -> Set<SyncObjectName> {
        var records: Set<SyncObjectName> = []
        var pages = ListingPages(self)
        while let listing = try await pages.next() {
            for object in listing.objects { if case .membership = object.name { records.insert(object.name) } }
        }
        return records
    }
}

extension RecoveryPhrase {
    /// The words in one line, for a store of secrets.
    var stored: Sensitive<[UInt8]> { words.withExposed { Sensitive(utf8: $0.joined(separator: " ")) } }
}
