// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataSync
import Domain
import Security
import Sync

/// `parley sync recovery show`: shows the recovery phrase.
struct SyncRecoveryShowCommand: Command {
    static let specification = CommandSpecification(
        path: ["sync", "recovery", "show"],
        summary: "Show the words that bring your conversations back when all devices are lost",
        discussion: "Whoever has them can read everything. Write them on paper; do not keep them in a file.")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let settings = try app.syncSettings()
        let secrets = try await SecretStoreChoice(settings.store).open(in: app, writes: false)
        guard let stored = try await secrets.value(for: CompositionRoot.syncSecret("recovery")) else {
            throw DomainError.invalidInput(
                "The words are on the device on which sync was set up, and on the paper where you wrote them.")
        }
        let words = try RecoveryPhrase(reading: stored).words.withExposed { $0 }
        for (index, word) in words.enumerated() {
            try console.show("\(index + 1 < 10 ? " " : "")\(index + 1)  \(word)")
        }
        try console.emit(["words": words])
        return .done
    }
}

/// `parley sync recovery use`: joins the devices of a recovery phrase.
struct SyncRecoveryUseCommand: Command {
    static let specification = CommandSpecification(
        path: ["sync", "recovery", "use"],
        summary: "Bring your conversations back with the words of the recovery phrase",
        discussion: """
            The words are asked for, or read from standard input. Then remove the devices that you lost:
            parley sync revoke NAME.
            """,
        options: SyncPlace.options + [SyncDeviceName.option, SecretStoreChoice.store])

    private let place: SyncPlace
    private let name: String
    private let store: SecretStoreChoice.Kind

    init(_ invocation: Invocation) throws(UsageError) {
        guard let place = try SyncPlace(invocation) else {
            throw invocation.error(
                "Name the place of your devices: --folder DIR, --server, --webdav URL or --sftp URL.")
        }
        self.place = place
        name = SyncDeviceName.name(invocation)
        store = invocation[SecretStoreChoice.store] ?? .auto
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let phrase = try RecoveryPhrase(
            reading: await SecretPrompt(console: console).value("The words, in order: " as Sentence))
        let settings = try await app.newSyncSettings(place, store, console)
        let secrets = try await SecretStoreChoice(settings.store).open(in: app)
        let keys = try await app.freshSyncKeys(in: secrets)
        let name = name
        let report = try await app.withSyncDatabase { database in
            let device = try await app.withSyncTransport(settings) { transport in
                try await SyncDevice.recover(
                    with: phrase.secretKeys, at: transport, in: database, keys: keys, name: name)
            }
            try await secrets.set(phrase.stored, for: CompositionRoot.syncSecret("recovery"))
            return try await app.begin(device, in: database, settings)
        }
        console.progress(
            "Your conversations are back. Remove lost devices: parley sync devices, parley sync revoke NAME.")
        try console.emit(SyncReportOutput(report))
        return .done
    }
}
