// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import FoundationEssentials
import TerminalKit

/// `parley data export`: writes all data of the person into one archive.
struct DataExportCommand: Command {
    private static let offline = Flag("offline", help: "Only what is on this device")
    private static let overwrite = Flag("overwrite", help: "Replace FILE if it exists")
    private static let file = Positional<String>("FILE", help: "Where to: .tar", completion: .files)
    static let specification = CommandSpecification(
        path: ["data", "export"],
        summary: "Write everything of yours, here and at the server, into one archive",
        discussion: """
            A tar archive with JSON, and recordings as FLAC or Opus. It is not encrypted.
            Not in it: secrets, the keys and the place of parley sync, and the earlier values that parley sync keeps.
            """,
        positionals: [file],
        options: [
            offline,
            overwrite, AccountOptions.server,
        ])

    private let file: String
    private let isOffline: Bool
    private let replacesFile: Bool
    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        file = invocation[Self.file]
        try FileEnding.check(file, is: "tar", of: invocation.command)
        isOffline = invocation.has(Self.offline)
        replacesFile = invocation.has(Self.overwrite)
        account = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        guard replacesFile || !FileManager.default.fileExists(atPath: file) else {
            throw DomainError.file("\(file.printable) already exists. Choose another file, or add --overwrite.")
        }
        try await app.withPractice(account, isOffline: isOffline) { practice in
            let counts = try await app.exportEverything(practice, to: file)
            try console.tell("\(Self.words(counts)) are in \(file.printable). It is not encrypted.")
            if let missing = counts["missing"] {
                console.progress(
                    "The sound of \(missing) recordings is missing: manifest.json in it says which, and why.")
            }
            try console.emit(Output(file: file, counts: counts))
        }
        return .done
    }

    private struct Output: Encodable {
        let file: String
        let counts: [String: Int]
    }

    static func words(_ counts: [String: Int]) -> Sentence {
        counts.filter { $0.key != "missing" }.sorted { $0.key < $1.key }.map { words($0.value, of: $0.key) }.listed
    }

    /// A number with its noun.
    private static func words(_ count: Int, of kind: String) -> Sentence {
        switch kind {
        case "results": Sentence(one: "\(count) result", other: "\(count) results", count: count)
        case "sounds": Sentence(one: "\(count) sound", other: "\(count) sounds", count: count)
        case "recordings": Sentence(one: "\(count) recording", other: "\(count) recordings", count: count)
        case "messages": Sentence(one: "\(count) message", other: "\(count) messages", count: count)
        case "evaluations": Sentence(one: "\(count) evaluation", other: "\(count) evaluations", count: count)
        case "sessions": Sentence(one: "\(count) session", other: "\(count) sessions", count: count)
        case "secrets": Sentence(one: "\(count) secret", other: "\(count) secrets", count: count)
        case "files": Sentence(one: "\(count) file", other: "\(count) files", count: count)
        case "uploads": Sentence(one: "\(count) unfinished upload", other: "\(count) unfinished uploads", count: count)
        case "objects": Sentence(one: "\(count) sealed object", other: "\(count) sealed objects", count: count)
        case "measurements": Sentence(one: "\(count) measurement", other: "\(count) measurements", count: count)
        case "traces": Sentence(one: "\(count) trace", other: "\(count) traces", count: count)
        case "alarms": Sentence(one: "\(count) timer or alarm", other: "\(count) timers and alarms", count: count)
        case "settings": Sentence(one: "\(count) setting", other: "\(count) settings", count: count)
        case "keptAnswers": Sentence(one: "\(count) kept answer", other: "\(count) kept answers", count: count)
        case "chatInputs": Sentence(one: "\(count) typed line", other: "\(count) typed lines", count: count)
        case "contextChoices": "the choice of what parley may read"
        case "waiting": "\(count) waiting"
        case "held": "\(count) held"
        default: Sentence(verbatim: "\(count) \(kind)")
        }
    }
}

/// `parley data delete`: deletes all data of the person.
struct DataDeleteCommand: Command {
    private static let yes = Flag("yes", help: "Do not ask")
    private static let offline = Flag("offline", help: "Only what is on this device")
    static let specification = CommandSpecification(
        path: ["data", "delete"],
        summary: "Delete everything of yours, here and at the server, and show the receipts",
        discussion: """
            Recordings, also unfinished and damaged ones, results, the history, what waits, caches, files that were set aside,
            what parley settings, assistant and prompts stored, and your secrets, also those in the desktop's keyring. You are
            signed out here, and parley sync ends here; your other devices keep what they have. Deleting needs no passphrase
            and no key; asking the server needs your session, and --offline does without.
            The app lock ends, too. What stays: tools, pinned keys, limits, what parley install set up, empty lock files, and your
            account at the server, which parley account delete deletes. End other parley programs first: what they do meanwhile is
            stored anew.
            """,
        options: [
            yes,
            offline, AccountOptions.server,
        ])

    private let isSure: Bool
    private let isOffline: Bool
    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        isSure = invocation.has(Self.yes)
        isOffline = invocation.has(Self.offline)
        account = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let loss: Sentence = "all your recordings, results, history and secrets for good"
        guard try await console.confirmsDeletion(of: loss, summary: "everything" as Sentence, isSure: isSure) else {
            console.progress("Nothing was deleted.")
            return .refused
        }
        let outcome = try await app.eraseEverything(account, isOffline: isOffline)
        // An empty receipt of this device would say that nothing was there, though it could not be deleted.
        for receipt in outcome.receipts
        where receipt.place != .device || !receipt.counts.isEmpty || outcome.problems.isEmpty {
            let (id, words) = (receipt.id, DataExportCommand.words(receipt.counts))
            switch (receipt.place, receipt.counts.isEmpty) {
            case (.device, true): try console.tell("On this device: nothing was left. Receipt \(id).")
            case (.device, false): try console.tell("On this device: \(words) deleted. Receipt \(id).")
            case (.server, true): try console.tell("At the server: nothing was left. Receipt \(id).")
            case (.server, false): try console.tell("At the server: \(words) deleted. Receipt \(id).")
            }
            try console.emit(ReceiptOutput(receipt))
        }
        for problem in outcome.problems { console.report(problem) }
        return outcome.problems.isEmpty ? .done : .data
    }
}

struct ReceiptOutput: Encodable {
    let receipt: String
    let place: String
    let deletedAt: String
    let counts: [String: Int]

    init(_ receipt: DeletionReceipt) {
        self.receipt = receipt.id
        place = receipt.place.rawValue
        deletedAt = receipt.deletedAt.formatted(.iso8601)
        counts = receipt.counts
    }
}
