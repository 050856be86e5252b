// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import DataVoice
import Domain

/// `parley recordings recover`: keeps the unfinished recordings that a crash left.
struct RecordingsRecoverCommand: Command {
    private static let name = NamePrefix.several(from: "parley recordings list")
    static let specification = CommandSpecification(
        path: ["recordings", "recover"],
        summary: "Keep recordings that were not finished, as if they had been kept then",
        discussion: "The program was killed, or the machine lost its power: parley recordings list shows them.",
        positionals: [name],
        options: [AccountOptions.server])

    private let names: [NamePrefix]
    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        names = invocation[Self.name]
        account = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account, isOffline: true) { practice in
            let known = try await practice.storage.recordings.unfinished().map(\.id)
            for id in try names.map({ try $0.one(of: known, called: "unfinished recording") }) {
                let recording = try await practice.storage.recordings.recover(id)
                try console.tell("Kept \(recording.id.short), \(Duration.seconds(recording.duration).clock).")
                try console.emit(["recovered": recording.id.description])
            }
        }
        return .done
    }
}
