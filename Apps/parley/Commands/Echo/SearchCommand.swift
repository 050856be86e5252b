// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import FoundationEssentials
import TerminalKit

/// `parley search`: finds the paragraphs about a subject.
struct SearchCommand: Command {
    private static let top = ValueOption<Int>(
        "top", short: "n", placeholder: "COUNT", help: "Show so many paragraphs (1 to 1000, default 5)", in: 1...1_000)
    private static let noCache = Flag("no-cache", help: "Keep no vectors")
    private static let offline = Flag(
        "offline", help: "Ask no model: compare the pieces of words on this machine")
    private static let query = Positional<String>("QUERY", help: "What to look for, in your own words")
    private static let file = Positional<[String]>(oneOrMore: "FILE", help: "Text files in UTF-8", completion: .files)
    static let specification = CommandSpecification(
        path: ["search"],
        summary: "Find the paragraphs of text files that are about something",
        discussion: """
            Paragraphs are compared by their vectors, which are kept on this machine by their content: what has not changed is
            not asked for again. With --offline they are compared by the pieces of their words: other forms of a word and slips of
            the keyboard are found, other words for the same are not.
            \(ModelOptions.discussion)
            """,
        positionals: [query, file],
        options: ModelOptions.options(.embeddings) + [
            EmbedCommand.dimensions,
            top,
            noCache,
            offline,
        ])

    private let query: String
    private let files: [String]
    private let model: ModelOptions
    private let dimensions: Int?
    private let count: Int
    private let isCached: Bool
    private let isOffline: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        query = invocation[Self.query]
        files = invocation[Self.file]
        model = ModelOptions(invocation, for: .embeddings)
        dimensions = invocation[EmbedCommand.dimensions]
        count = invocation[Self.top] ?? 5
        isCached = !invocation.has(Self.noCache)
        isOffline = invocation.has(Self.offline)
        guard query.contains(where: { !$0.isWhitespace }) else {
            throw UsageError("QUERY is empty.", command: invocation.command)
        }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let paragraphs = try files.flatMap { try Paragraph.read($0) }
        guard !paragraphs.isEmpty else {
            console.progress("There is no text in these files.")
            return .done
        }
        let likeness: any LikenessSearch =
            isOffline ? LexicalLikeness() : ModelLikeness(model: model, dimensions: dimensions, isCached: isCached)
        let found = try await likeness.nearest(
            to: query, in: paragraphs.map(\.text), limit: count, app: app, console: console)
        if found.isEmpty { console.progress("No paragraph is about that.") }
        for (index, similarity) in found {
            let paragraph = paragraphs[index]
            let rounded = (similarity * 1_000).rounded() / 1_000
            try console.show(
                "\(console.styled("\(paragraph.file.printable):\(paragraph.line)", .strong))  "
                    + "\(console.styled("\(rounded)", .muted))  \(ForeignText.short(paragraph.text, limit: 200))")
            try console.emit(
                Output(file: paragraph.file, line: paragraph.line, similarity: rounded, text: paragraph.text))
        }
        return .done
    }

    private struct Output: Encodable {
        let file: String
        let line: Int
        let similarity: Double
        let text: String
    }
}
