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
    private static let replace = Flag("replace", help: "Delete what other devices left at the place, and begin anew")
    private static let isSure = Flag("yes", help: "Do not ask")
    static let specification = CommandSpecification(
        path: ["sync", "setup"], summary: "Begin to keep your conversations on several devices",
        discussion: """
            parley sync setup --folder ~/Sync/parley
            The place sees neither words nor names: everything is sealed before it gets there. On each other device run
            parley sync join with the same place, and here parley sync add-device. Then write down the words of
            parley sync recovery show: they bring the conversations back when all devices are lost.

            parley service exchanges by itself (parley install --start runs it in your session); parley sync now does it once.

            If nobody can join the devices of the place any more (all lost, and the words too), --replace begins anew there.
            """,
        options: SyncPlace.options + [SyncDeviceName.option, SecretStoreChoice.store, replace, isSure])

    private let place: SyncPlace
    private let name: String
    private let isReplacing: Bool
    private let isSure: Bool
    private let store: SecretStoreChoice.Kind

    init(_ invocation: Invocation) throws(UsageError) {
        guard let place = try SyncPlace(invocation) else {
            throw invocation.error("Name the place: --folder DIR, --server, --webdav URL or --sftp URL.")
        }
        self.place = place
        name = SyncDeviceName.name(invocation)
        (isReplacing, isSure) = (invocation.has(Self.replace), invocation.has(Self.isSure))
        store = invocation[SecretStoreChoice.store] ?? .auto
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let settings = try await app.newSyncSettings(place, store, console)
        let secrets = try await SecretStoreChoice(settings.store).open(in: app)
        guard try await app.withSyncTransport(settings, { try await isFree($0, console) }) else {
            console.progress("Nothing was deleted.")
            return .refused
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

    /// True once no group of devices has the place: what one left there is deleted if that is wanted, and confirmed.
    private func isFree(_ transport: any SyncTransport, _ console: Console) async throws -> Bool {
        let objects = try await transport.objects()
        let records = objects.filter(\.isMembership)
        guard !records.isEmpty else { return true }
        guard isReplacing else {
            throw DomainError.invalidInput(
                "There are devices at \(place.sentence) already. Join them: parley sync join with the same place, and "
                    + "parley sync add-device on one of them. If none is left: parley sync setup --replace.")
        }
        let loss: Sentence =
            "what your devices left at \(place.sentence). What is on this device stays; run parley sync leave on the "
            + "others first"
        guard
            try await console.confirmsDeletion(
                of: loss,
                summary: "what your devices left at \(place.sentence)" as Sentence, isSure: isSure)
        else { return false }
        // The records go last: a deletion that breaks off leaves a place that is taken, and begins again.
        for name in objects.subtracting(records) { try await transport.remove(name) }
        for name in records { try await transport.remove(name) }
        return true
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
    /// All objects at this place.
    func objects() async throws -> Set<SyncObjectName> {
        var names: Set<SyncObjectName> = []
        var pages = ListingPages(self)
        while let listing = try await pages.next() { names.formUnion(listing.objects.map(\.name)) }
        return names
    }
}

extension RecoveryPhrase {
    /// The words in one line, for a store of secrets.
    var stored: Sensitive<[UInt8]> { words.withExposed { Sensitive(utf8: $0.joined(separator: " ")) } }
}
