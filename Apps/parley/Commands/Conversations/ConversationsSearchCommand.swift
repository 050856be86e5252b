// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Domain
import TerminalKit

/// `parley conversations search`: finds messages and shows their conversations.
struct ConversationsSearchCommand: Command {
    private static let words = Positional<[String]>(
        oneOrMore: "WORDS", help: "Whole words; case and accents are ignored")
    private static let meaning = Flag(
        "meaning",
        help: "Find what is like the WORDS: other forms, parts of words, slips; with --model the same in other words")
    static let specification = CommandSpecification(
        path: ["conversations", "search"],
        summary: "Find conversations by their messages: those that contain all the words, best match first",
        discussion: """
            With --meaning, at most 10 messages are shown unless --limit says otherwise. They are compared by the pieces of
            their words, on this machine alone. With --model or --base-url that model gives each message a vector, which is
            kept on this machine: the texts of all conversations go to its server once.
            """,
        positionals: [words],
        options: [HistoryCommand.limit, meaning] + ModelOptions.options(.embeddings))

    private let words: String
    private let limit: Int?
    private let isByMeaning: Bool
    private let model: ModelOptions

    init(_ invocation: Invocation) throws(UsageError) {
        words = invocation[Self.words].joined(separator: " ")
        limit = invocation[HistoryCommand.limit]
        isByMeaning = invocation.has(Self.meaning)
        model = ModelOptions(invocation, for: .embeddings)
        guard isByMeaning || !model.namesServer else {
            throw UsageError("--model and --base-url need --meaning.", command: invocation.command)
        }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let store = try await app.conversations()
        var matches: [Match] = []
        var places: [Identifier<Conversation>: Int] = [:]
        for message in try await found(in: store, app, console) {
            if let place = places[message.conversation] {
                matches[place].messages.append(MessageOutput(message))
            } else if let summary = try await store.summary(message.conversation) {
                places[message.conversation] = matches.count
                matches.append(Match(conversation: ConversationEntry(summary), messages: [MessageOutput(message)]))
            }
        }
        if matches.isEmpty {
            console.progress(
                isByMeaning ? "No message is like \(words.printable)." : "No message contains \(words.printable).")
        }
        for match in matches {
            try match.conversation.write(to: console)
            for message in match.messages { try message.write(to: console) }
        }
        try console.emit(["matches": matches])
        return .done
    }

    private func found(
        in store: any ConversationRepository, _ app: CompositionRoot, _ console: Console
    ) async throws -> [Message] {
        guard isByMeaning else { return try await store.search(words, limit: limit ?? 40) }
        // A tool's output may be long, and nobody said it.
        let messages = try await store.recentMessages(limit: Int(Int32.max)).filter {
            $0.role != .tool && $0.text.contains { !$0.isWhitespace }
        }
        guard !messages.isEmpty else { return [] }
        let likeness: any LikenessSearch =
            model.namesServer ? ModelLikeness(model: model, dimensions: nil, isCached: true) : LexicalLikeness()
        return try await likeness.nearest(
            to: words, in: messages.map(\.text), limit: limit ?? 10, app: app, console: console
        ).map { messages[$0.index] }
    }

    private struct Match: Encodable {
        let conversation: ConversationEntry
        var messages: [MessageOutput]
    }
}
