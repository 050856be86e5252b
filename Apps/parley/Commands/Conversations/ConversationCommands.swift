// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Domain
import FoundationEssentials
import TerminalKit

private let list = "parley conversations list"

/// `parley conversations show`: shows one with all that was said.
struct ConversationsShowCommand: Command {
    private static let name = NamePrefix.one(from: list)
    private static let history = Flag("history", help: "Show what was overwritten, when and on which of your devices")
    static let specification = CommandSpecification(
        path: ["conversations", "show"], summary: "Show a conversation with its answers and calls of tools",
        discussion: """
            With --history: the titles, pins and texts that a later change replaced, the newest first, as parley sync keeps
            them. The times are those of each device's clock.
            """,
        positionals: [name], options: [history])

    private let name: NamePrefix
    private let showsHistory: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        (name, showsHistory) = (invocation[Self.name], invocation.has(Self.history))
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let store = try await app.conversations()
        guard showsHistory else {
            try await store.output(of: name).write(to: console)
            return .done
        }
        guard let summary = try await store.summaries([name]).first else { throw DomainError.notFound("conversation") }
        let messages = try await store.messages(in: summary.id)
        await store.close()
        try await OverwrittenOutput(summary, messages, in: app).write(to: console)
        return .done
    }
}

/// `parley conversations export`: writes one as a document.
struct ConversationsExportCommand: Command {
    private enum Format: String, CaseIterable, Sendable { case markdown, json }

    private static let name = NamePrefix.one(from: list)
    private static let format = ValueOption<Format>(
        "format", placeholder: "FORMAT", help: "The form of the document (default markdown, with --json json)",
        choices: Format.allCases)
    private static let output = ValueOption<String>(
        "output", short: "o", placeholder: "FILE", help: "Write into this file and not to standard output",
        completion: .files)
    static let specification = CommandSpecification(
        path: ["conversations", "export"], summary: "Write a conversation as Markdown or JSON",
        positionals: [name], options: [format, output])

    private let name: NamePrefix
    private let format: Format?
    private let path: String?

    init(_ invocation: Invocation) throws(UsageError) {
        name = invocation[Self.name]
        format = invocation[Self.format]
        path = invocation[Self.output]
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let conversation = try await app.conversations().output(of: name)
        let text: String
        switch format ?? (console.isJSON ? .json : .markdown) {
        case .markdown: text = conversation.markdown
        case .json: text = try conversation.json
        }
        guard let path else {
            try console.output.write(text)
            return .done
        }
        try OutputFile.write(Array(text.utf8), to: path, mode: 0o600)
        try console.tell("Written to \(path.printable).")
        try console.emit(["file": path])
        return .done
    }
}

/// `parley conversations rename`: gives one a title.
struct ConversationsRenameCommand: Command {
    private static let name = NamePrefix.one(from: list)
    private static let title = Positional<[String]>(
        any: "TITLE", help: "The new title; without it, the title is removed")
    static let specification = CommandSpecification(
        path: ["conversations", "rename"], summary: "Give a conversation a title", positionals: [name, title])

    private let name: NamePrefix
    private let title: String

    init(_ invocation: Invocation) throws(UsageError) {
        name = invocation[Self.name]
        title = invocation[Self.title].joined(separator: " ")
        guard title.count <= 200 else {
            throw UsageError("A title has at most 200 characters.", command: invocation.command)
        }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let store = try await app.conversations()
        let isEmpty = title.allSatisfy(\.isWhitespace)
        for summary in try await store.summaries([name]) {
            try await store.rename(summary.id, to: isEmpty ? nil : title)
            guard let renamed = try await store.summary(summary.id) else { continue }
            try ConversationEntry(renamed).write(to: console)
            try console.emit(ConversationEntry(renamed))
        }
        return .done
    }
}

/// `parley conversations pin`: keeps conversations at the top of the list.
struct ConversationsPinCommand: Command {
    private static let names = NamePrefix.several(from: list)
    static let specification = CommandSpecification(
        path: ["conversations", "pin"], summary: "Keep conversations at the top of the list", positionals: [names])

    private let names: [NamePrefix]

    init(_ invocation: Invocation) throws(UsageError) { names = invocation[Self.names] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await Self.set(true, names, in: app, console)
    }

    static func set(
        _ isPinned: Bool, _ names: [NamePrefix], in app: CompositionRoot, _ console: Console
    ) async throws -> ExitCode {
        let store = try await app.conversations()
        for summary in try await store.summaries(names) {
            try await store.setPinned(isPinned, summary.id)
            try console.tell(isPinned ? "Pinned \(summary.id.short)." : "Unpinned \(summary.id.short).")
            try console.emit([isPinned ? "pinned" : "unpinned": summary.id.description])
        }
        return .done
    }
}

/// `parley conversations unpin`: ends what `pin` began.
struct ConversationsUnpinCommand: Command {
    private static let names = NamePrefix.several(from: list)
    static let specification = CommandSpecification(
        path: ["conversations", "unpin"], summary: "Return pinned conversations to their positions in the list",
        positionals: [names])

    private let names: [NamePrefix]

    init(_ invocation: Invocation) throws(UsageError) { names = invocation[Self.names] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await ConversationsPinCommand.set(false, names, in: app, console)
    }
}

/// `parley conversations delete`: deletes conversations with all that was said.
struct ConversationsDeleteCommand: Command {
    private static let names = NamePrefix.several(from: list)
    private static let yes = Flag("yes", help: "Do not ask")
    static let specification = CommandSpecification(
        path: ["conversations", "delete"], summary: "Delete conversations with all their messages, for good",
        positionals: [names], options: [yes])

    private let names: [NamePrefix]
    private let isSure: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        names = invocation[Self.names]
        isSure = invocation.has(Self.yes)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let store = try await app.conversations()
        let found: [ConversationSummary]
        do { found = try await store.summaries(names) } catch {
            // A deletion that failed may have left the conversation in the log.
            _ = try await store.delete(Set<TurnID>())
            throw error
        }
        let count = found.map(\.messageCount).reduce(0, +)
        let messages = Sentence(one: "\(count) message", other: "\(count) messages", count: count)
        let loss = Sentence(
            one: "\(found.count) conversation with \(messages) for good",
            other: "\(found.count) conversations with \(messages) for good", count: found.count)
        guard try await console.confirmsDeletion(of: loss, summary: "conversations" as Sentence, isSure: isSure) else {
            console.progress("Nothing was deleted.")
            return .refused
        }
        try await app.clearWhatConversationsMade()
        for summary in found {
            let count = try await store.delete(summary.id)
            try console.tell(
                Sentence(
                    one: "\(summary.id.short) deleted with \(count) message.",
                    other: "\(summary.id.short) deleted with \(count) messages.", count: count))
            try console.emit(Output(deleted: summary.id.description, messages: count))
        }
        return .done
    }

    private struct Output: Encodable {
        let deleted: String
        let messages: Int
    }
}
