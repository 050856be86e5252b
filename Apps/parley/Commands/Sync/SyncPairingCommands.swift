// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataSync
import Domain
import Persistence
import QRCodes
import Security
import Sync
import TerminalKit

/// `parley sync add-device`: lets another device join.
struct SyncAddDeviceCommand: Command {
    static let specification = CommandSpecification(
        path: ["sync", "add-device"], summary: "Add another device: shows a code, a text and a QR code for it",
        discussion: """
            On the other device, run parley sync join with the same place, and type the code or paste the text. Then both show
            six words; type "yes" on both if they are the same. The code is good for ten minutes and for one device.
            """)

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let place = try app.syncSettings().place
        let paired = try await app.withSync { sync in
            let code = try PairingCode()
            try show(code, place, console)
            return try await sync.device.offer(code, over: sync.transport, now: OpenSync.now) { question in
                try await SixWords(question: question, console: console).areSame()
            }
        }
        console.progress("\(paired.name.printable) is one of your devices now.")
        try console.emit(["device": "\(paired.device)", "name": paired.name])
        return .done
    }

    private func show(_ code: PairingCode, _ place: SyncPlace, _ console: Console) throws {
        let typed = code.text.withExposed { $0 }
        let pasted = try PairingText(place: place.text, code: code).text.withExposed { $0 }
        if let picture = try? QRCode(pasted).lines(for: .dark) {
            console.progress(verbatim: picture.joined(separator: "\n"))
        }
        console.progress("\(pasted)\n\nThe code is \(typed). Waiting for the other device.")
    }
}

/// `parley sync join`: joins the group of another device.
struct SyncJoinCommand: Command {
    private static let code = Positional<String?>(
        optional: "CODE", help: "The code, or the text that begins with parley:; without it you are asked")
    static let specification = CommandSpecification(
        path: ["sync", "join"], summary: "Join your other devices, with a code from parley sync add-device",
        positionals: [code], options: SyncPlace.options + [SyncDeviceName.option, SecretStoreChoice.store])

    private let code: String?
    private let place: SyncPlace
    private let name: String
    private let store: SecretStoreChoice.Kind

    init(_ invocation: Invocation) throws(UsageError) {
        code = invocation[Self.code]
        guard let place = try SyncPlace(invocation) else {
            throw invocation.error("Name the place of your other devices: --folder DIR, --server, --webdav or --sftp.")
        }
        self.place = place
        name = SyncDeviceName.name(invocation)
        store = invocation[SecretStoreChoice.store] ?? .auto
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        var typed = code
        if typed == nil {
            typed = try await WordQuestion(
                text: "The code that the other device shows:" as Sentence, console: console
            ).answer()
        }
        guard let typed, !typed.isEmpty else { throw DomainError.invalidInput("Without a code no device can join.") }
        let code =
            typed.hasPrefix(PairingText.prefix) ? try PairingText(reading: typed).code : try PairingCode(reading: typed)
        let settings = try await app.newSyncSettings(place, store, console)
        let secrets = try await SecretStoreChoice(settings.store).open(in: app)
        let keys = try await app.freshSyncKeys(in: secrets)
        let name = name
        let report = try await app.withSyncDatabase { database in
            let device = try await app.withSyncTransport(settings) { transport in
                try await SyncDevice.accept(code, over: transport, in: database, keys: keys, name: name) { question in
                    try await SixWords(question: question, console: console).areSame()
                }
            }
            return try await app.begin(device, in: database, settings)
        }
        console.progress("This device has your conversations now.")
        try console.emit(SyncReportOutput(report))
        return .done
    }
}

extension CompositionRoot {
    /// The first exchange of a device that has joined.
    func begin(
        _ device: SyncDevice, in database: Database, _ settings: SyncSettings
    ) async throws -> ExchangeReport {
        try await withOpenSync(device, in: database, settings) { sync in
            try settings.save(to: paths.syncSettings)
            _ = try await sync.exchange(isWhole: true)
            let report = try await sync.exchange(isWhole: true)
            for text in try await device.status().obstacles(newer: report.newerCount) { console.warn(text) }
            return report
        }
    }
}

/// The six words that both devices show.
private struct SixWords {
    let question: PairingQuestion
    let console: Console

    func areSame() async throws -> Bool {
        let words = question.words.joined(separator: " ")
        let name = question.name.printable.isEmpty ? "The other device" as Sentence : Sentence(verbatim: question.name)
        let text: Sentence = """
            \(name) shows six words. Here they are
              \(words)
            Type "yes" if they are the same on both devices, and anything else if they are not.
            """
        return try await WordQuestion(text: text, console: console).answer() == "yes"
    }
}
