// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Domain
import TerminalKit

/// `parley history`: shows questions and answers.
struct HistoryCommand: Command {
    static let specification = CommandSpecification(
        path: ["history"],
        summary: "Show what was asked and answered, oldest first",
        options: [limit])

    static let limit = ValueOption<Int>(
        "limit", short: "n", placeholder: "COUNT", help: "Show at most so many messages (1 to 100000, default 40)",
        in: 1...100_000)

    private let limit: Int

    init(_ invocation: Invocation) throws(UsageError) {
        limit = invocation[Self.limit] ?? 40
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let messages = try await app.conversations().recentMessages(limit: limit)
        if messages.isEmpty {
            console.progress("Nothing has been asked yet. Try: parley ask \"What is the capital of Texas?\"")
        }
        try HistoryOutput(messages).write(to: console)
        return .done
    }
}

/// `parley history search`: finds questions and answers.
struct HistorySearchCommand: Command {
    private static let words = Positional<[String]>(
        oneOrMore: "WORDS", help: "Whole words; case and accents are ignored")
    static let specification = CommandSpecification(
        path: ["history", "search"],
        summary: "Find messages that contain all the words, best match first",
        positionals: [words],
        options: [HistoryCommand.limit])

    private let words: String
    private let limit: Int

    init(_ invocation: Invocation) throws(UsageError) {
        words = invocation[Self.words].joined(separator: " ")
        limit = invocation[HistoryCommand.limit] ?? 40
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let messages = try await app.conversations().search(words, limit: limit)
        if messages.isEmpty { console.progress("No message contains \(words.printable).") }
        try HistoryOutput(messages).write(to: console)
        return .done
    }
}

/// `parley history repair`: saves the readable part of a damaged history.
struct HistoryRepairCommand: Command {
    static let specification = CommandSpecification(
        path: ["history", "repair"],
        summary: "Check the history; if it is damaged, keep it aside and save what can be read",
        discussion: "Close every other parley first; the repair waits a few seconds for it.")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let account = try await SystemManager.withoutServices("parley history repair") {
            try await app.repairConversations()?.sentence
        }
        try console.show(console.text(account ?? "The history is sound. Nothing was changed."))
        try console.emit(Output(damaged: account != nil, message: account?.english))
        return .done
    }

    private struct Output: Encodable {
        let damaged: Bool
        let message: String?
    }
}
