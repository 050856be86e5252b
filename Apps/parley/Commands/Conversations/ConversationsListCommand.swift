// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Domain
import TerminalKit

/// `parley conversations list`: shows the conversations.
struct ConversationsListCommand: Command {
    private static let limit = ValueOption<Int>(
        "limit", short: "n", placeholder: "COUNT",
        help: "At most so many besides the pinned ones (1 to 1000, default 40)",
        in: 1...1_000)
    private static let after = ValueOption<ConversationCursor>(
        "after", placeholder: "CURSOR", help: "Go on after this cursor, without the pinned ones",
        expected: "a cursor that a list ended with", parse: ConversationCursor.init)
    static let specification = CommandSpecification(
        path: ["conversations", "list"],
        summary: "List conversations: the pinned ones, then the one with the newest message first",
        discussion: "A long list goes on with --after and what the last line says.",
        options: [limit, after])

    private let limit: Int
    private let after: ConversationCursor?

    init(_ invocation: Invocation) throws(UsageError) {
        limit = invocation[Self.limit] ?? 40
        after = invocation[Self.after]
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let store = try await app.conversations()
        let pinned = after == nil ? try await store.allSummaries(pinned: true) : []
        let page = try await store.summaries(pinned: false, after: after, limit: limit)
        let entries = (pinned + page.summaries).map(ConversationEntry.init)
        if entries.isEmpty { console.progress("There is no conversation. Try: parley ask, parley chat") }
        for entry in entries { try entry.write(to: console) }
        if let next = page.next { console.progress("More of them: --after \(next)") }
        try console.emit(Output(conversations: entries, next: page.next?.description))
        return .done
    }

    private struct Output: Encodable {
        let conversations: [ConversationEntry]
        let next: String?
    }
}

/// `parley conversations search`: finds messages and shows their conversations.
struct ConversationsSearchCommand: Command {
    private static let words = Positional<[String]>(
        oneOrMore: "WORDS", help: "Whole words; case and accents are ignored")
    static let specification = CommandSpecification(
        path: ["conversations", "search"],
        summary: "Find conversations by their messages: those that contain all the words, best match first",
        positionals: [words],
        options: [HistoryCommand.limit])

    private let words: String
    private let limit: Int

    init(_ invocation: Invocation) throws(UsageError) {
        words = invocation[Self.words].joined(separator: " ")
        limit = invocation[HistoryCommand.limit] ?? 40
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let store = try await app.conversations()
        var matches: [Match] = []
        var places: [Identifier<Conversation>: Int] = [:]
        for message in try await store.search(words, limit: limit) {
            if let place = places[message.conversation] {
                matches[place].messages.append(MessageOutput(message))
            } else if let summary = try await store.summary(message.conversation) {
                places[message.conversation] = matches.count
                matches.append(Match(conversation: ConversationEntry(summary), messages: [MessageOutput(message)]))
            }
        }
        if matches.isEmpty { console.progress("No message contains \(words.printable).") }
        for match in matches {
            try match.conversation.write(to: console)
            for message in match.messages { try message.write(to: console) }
        }
        try console.emit(["matches": matches])
        return .done
    }

    private struct Match: Encodable {
        let conversation: ConversationEntry
        var messages: [MessageOutput]
    }
}

extension ConversationRepository {
    /// The summaries on all pages.
    func allSummaries(pinned: Bool? = nil) async throws -> [ConversationSummary] {
        var (all, cursor): ([ConversationSummary], ConversationCursor?) = ([], nil)
        repeat {
            let page = try await summaries(pinned: pinned, after: cursor, limit: 1_000)
            all += page.summaries
            cursor = page.next
        } while cursor != nil
        return all
    }

    /// The conversations that a command names, each once.
    ///
    /// - Throws: `notFound` or `invalidInput` if a name is not that of one conversation; then for all of them.
    func summaries(_ names: [NamePrefix]) async throws -> [ConversationSummary] {
        let all = try await allSummaries()
        let wanted = Set(try names.map { try $0.one(of: all.map(\.id), called: "conversation") })
        return all.filter { wanted.contains($0.id) }
    }

    /// The conversation that a command names, with its messages.
    func output(of name: NamePrefix) async throws -> ConversationOutput {
        let all = try await allSummaries()
        let id = try name.one(of: all.map(\.id), called: "conversation")
        guard let summary = all.first(where: { $0.id == id }) else { throw DomainError.notFound("conversation") }
        return ConversationOutput(summary, try await messages(in: id))
    }
}
