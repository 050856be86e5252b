// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

/// `parley data export`: everything of the person's in one archive.
struct DataExportCommand: Command {
    static let specification = CommandSpecification(
        path: ["data", "export"],
        summary: "Write everything of yours, here and at the server, into one archive",
        discussion: "A tar archive with JSON, and recordings as FLAC or Opus. It is not encrypted.",
        positionals: [
            PositionalSpecification(name: "FILE", arity: .one, help: "Where to: .tar", completion: .files)
        ],
        options: [
            OptionSpecification(name: "offline", help: "Only what is on this device"),
            OptionSpecification(name: "overwrite", help: "Replace FILE if it is there"), AccountOptions.server,
        ])

    private let file: String
    private let isOffline: Bool
    private let replacesFile: Bool
    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        file = invocation.positionals[0]
        isOffline = invocation.has("offline")
        replacesFile = invocation.has("overwrite")
        account = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        guard replacesFile || !FileManager.default.fileExists(atPath: file) else {
            throw DomainError.file("\(file.printable) is there already. Name another file, or give --overwrite.")
        }
        try await app.withPractice(account, console: console, isOffline: isOffline) { practice in
            let counts = try await app.exportEverything(practice, to: file)
            try console.show("\(Self.words(counts)) are in \(file.printable). It is not encrypted.")
            try console.emit(Output(file: file, counts: counts))
        }
        return .done
    }

    private struct Output: Encodable {
        let file: String
        let counts: [String: Int]
    }

    static func words(_ counts: [String: Int]) -> String {
        counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }
}

/// `parley data delete`: deletes everything of the person's.
struct DataDeleteCommand: Command {
    static let specification = CommandSpecification(
        path: ["data", "delete"],
        summary: "Delete everything of yours, here and at the server, and show the receipts",
        discussion:
            "Recordings, results, the history and what waits. The account itself stays; parley sign-out ends its session.",
        options: [
            OptionSpecification(name: "yes", help: "Do not ask"),
            OptionSpecification(name: "offline", help: "Only what is on this device"), AccountOptions.server,
        ])

    private let isSure: Bool
    private let isOffline: Bool
    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        isSure = invocation.has("yes")
        isOffline = invocation.has("offline")
        account = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        guard try await isConfirmed(console) else {
            console.progress("Nothing was deleted.")
            return .refused
        }
        try await app.withPractice(account, console: console, isOffline: isOffline) { practice in
            for receipt in try await app.deleteEverything(practice) {
                let place = receipt.place == .device ? "On this device" : "At the server"
                try console.show("\(place): \(DataExportCommand.words(receipt.counts)) deleted. Receipt \(receipt.id).")
                try console.emit(ReceiptOutput(receipt))
            }
        }
        return .done
    }

    private func isConfirmed(_ console: Console) async throws -> Bool {
        if isSure { return true }
        guard InputStream().isTerminal else {
            throw DomainError.invalidInput("This deletes everything. Give --yes where nobody can be asked.")
        }
        console.progress("This deletes all your recordings, results and history for good. Type \"delete\" to do so.")
        var lines = InputStream().lines(1).makeAsyncIterator()
        return await lines.next()?.trimmingPrefix { $0 == " " } == "delete"
    }
}

private struct ReceiptOutput: Encodable {
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
