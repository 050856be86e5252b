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
