// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Domain
import FoundationEssentials

/// `parley history delete`: deletes questions with their answers.
struct HistoryDeleteCommand: Command {
    private static let last = ValueOption<Int>(
        "last", placeholder: "COUNT", help: "The newest questions (1 to 100000)", in: 1...100_000)
    private static let since = day("since", help: "What is not older than this day, such as 2026-01-31")
    private static let before = day("before", help: "What is older than this day; with --since, the days between")
    private static let conversation = ValueOption<NamePrefix>(
        "conversation", placeholder: "NAME", help: "This conversation (parley conversations list shows names)",
        expected: NamePrefix.form("parley conversations list"), parse: NamePrefix.init)
    private static let all = Flag("all", help: "Everything")
    private static let yes = Flag("yes", help: "Do not ask")
    private static let words = Positional<[String]>(any: "WORDS", help: "Whole words; case and accents are ignored")
    static let specification = CommandSpecification(
        path: ["history", "delete"],
        summary: "Delete questions with their answers, for good",
        discussion: """
            Which ones: those with a message that contains all the WORDS, as parley history search finds them; the newest ones;
            those of some days (in UTC); those of a conversation; or all. A question and its answer go together.
            """,
        positionals: [words],
        options: [
            last,
            since,
            before,
            conversation,
            all,
            yes,
        ])

    /// The messages that are deleted.
    enum Selection: Equatable, Sendable {
        case words(String)
        case last(Int)
        case days(since: Date?, before: Date?)
        case conversation(NamePrefix)
        case all
    }

    /// The most messages that are searched.
    private static let limit = 10_000_000

    let selection: Selection
    private let isSure: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        isSure = invocation.has(Self.yes)
        var selections: [Selection] = []
        let words = invocation[Self.words]
        if !words.isEmpty { selections.append(.words(words.joined(separator: " "))) }
        if let count = invocation[Self.last] { selections.append(.last(count)) }
        let (since, before) = (invocation[Self.since], invocation[Self.before])
        if since != nil || before != nil { selections.append(.days(since: since, before: before)) }
        if let name = invocation[Self.conversation] { selections.append(.conversation(name)) }
        if invocation.has(Self.all) { selections.append(.all) }
        guard selections.count == 1, let selection = selections.first else {
            throw UsageError(
                "Say what is to be deleted: WORDS, --last COUNT, --since DAY, --before DAY, --conversation NAME or --all; one.",
                command: invocation.command)
        }
        if let since, let before, since >= before {
            throw UsageError("The day of --before comes after the one of --since.", command: invocation.command)
        }
        self.selection = selection
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let history = try await app.conversations()
        let turns: Set<TurnID>
        do { turns = try await self.turns(in: history) } catch {
            // A deletion that failed may have left the conversation in the log.
            _ = try await history.delete(Set<TurnID>())
            throw error
        }
        guard !turns.isEmpty else {
            // An earlier deletion may have failed after the messages, in the log or before what they made.
            if selection == .all { try await app.clearWhatConversationsMade() }
            _ = try await history.delete(turns)
            console.progress(
                selection == .all
                    ? "There is no message. What earlier ones left is deleted."
                    : "There is no such message. Nothing was deleted.")
            try console.emit(Output(messages: 0))
            return .done
        }
        let loss = Sentence(
            one: "\(turns.count) question with the answers for good",
            other: "\(turns.count) questions with the answers for good", count: turns.count)
        guard try await console.confirmsDeletion(of: loss, summary: "messages" as Sentence, isSure: isSure) else {
            console.progress("Nothing was deleted.")
            return .refused
        }
        try await app.clearWhatConversationsMade()
        let count = selection == .all ? try await history.deleteAll() : try await history.delete(turns)
        try console.tell(
            Sentence(one: "\(count) message deleted.", other: "\(count) messages deleted.", count: count))
        try console.emit(Output(messages: count))
        return .done
    }

    private func turns(in history: SQLiteConversationRepository) async throws -> Set<TurnID> {
        switch selection {
        case .words(let words): return Set(try await history.search(words, limit: Self.limit).map(\.turn))
        case .all: return Set(try await history.recentMessages(limit: Self.limit).map(\.turn))
        case .days(let since, let before):
            let messages = try await history.recentMessages(limit: Self.limit)
            return Set(
                messages.filter { $0.createdAt >= since ?? .distantPast && $0.createdAt < before ?? .distantFuture }
                    .map(\.turn))
        case .conversation(let name):
            var turns: Set<TurnID> = []
            for summary in try await history.summaries([name]) {
                turns.formUnion(try await history.messages(in: summary.id).map(\.turn))
            }
            return turns
        case .last(let count):
            var turns: Set<TurnID> = []
            for message in try await history.recentMessages(limit: Self.limit).reversed() where turns.count < count {
                turns.insert(message.turn)
            }
            return turns
        }
    }

    private static func day(_ name: String, help: String) -> ValueOption<Date> {
        ValueOption(name, placeholder: "DAY", help: help, expected: "a day such as 2026-01-31") {
            CalendarDate($0).map { Date(timeIntervalSince1970: Double($0.dayNumber) * 86_400) }
        }
    }

    private struct Output: Encodable {
        let messages: Int
    }
}
