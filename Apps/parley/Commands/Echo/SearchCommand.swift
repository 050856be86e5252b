// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import Echo
import FoundationEssentials
import Persistence
import TerminalKit

/// `parley search`: finds the paragraphs about a subject.
struct SearchCommand: Command {
    private static let top = ValueOption<Int>(
        "top", short: "n", placeholder: "COUNT", help: "Show so many paragraphs (1 to 1000, default 5)", in: 1...1_000)
    private static let noCache = Flag("no-cache", help: "Keep no vectors")
    private static let query = Positional<String>("QUERY", help: "What to look for, in your own words")
    private static let file = Positional<[String]>(oneOrMore: "FILE", help: "Text files in UTF-8", completion: .files)
    static let specification = CommandSpecification(
        path: ["search"],
        summary: "Find the paragraphs of text files that are about something",
        discussion: """
            Paragraphs are compared by their vectors, which are kept on this machine by their content: what has not changed is
            not asked for again.
            \(ModelOptions.discussion)
            """,
        positionals: [query, file],
        options: ModelOptions.options(.embeddings) + [
            EmbedCommand.dimensions,
            top,
            noCache,
        ])

    /// The texts that are asked for at once; what has come is kept before more is asked for.
    private static let batch = 400

    private let query: String
    private let files: [String]
    private let model: ModelOptions
    private let dimensions: Int?
    private let count: Int
    private let isCached: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        query = invocation[Self.query]
        files = invocation[Self.file]
        model = ModelOptions(invocation, for: .embeddings)
        dimensions = invocation[EmbedCommand.dimensions]
        count = invocation[Self.top] ?? 5
        isCached = !invocation.has(Self.noCache)
        guard query.contains(where: { !$0.isWhitespace }) else {
            throw UsageError("QUERY is empty.", command: invocation.command)
        }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let settings = try await model.settings(for: .embeddings, in: app)
        let paragraphs = try files.flatMap { try Paragraph.read($0) }
        guard !paragraphs.isEmpty else {
            console.progress("There is no text in these files.")
            return .done
        }
        let echo = try app.echo(settings)
        let vectors = try await vectors(of: [query] + paragraphs.map(\.text), by: echo, settings, in: app, console)
        let found = echo.find.nearest(to: vectors[0], in: Array(vectors.dropFirst()), topK: count)
        for (index, similarity) in found {
            let paragraph = paragraphs[index]
            let rounded = (Double(similarity) * 1_000).rounded() / 1_000
            try console.show(
                "\(console.styled("\(paragraph.file.printable):\(paragraph.line)", .strong))  "
                    + "\(console.styled("\(rounded)", .muted))  \(ForeignText.short(paragraph.text, limit: 200))")
            try console.emit(
                Output(file: paragraph.file, line: paragraph.line, similarity: rounded, text: paragraph.text))
        }
        return .done
    }

    /// The vectors of texts: from the cache, and else from the server.
    private func vectors(
        of texts: [String], by echo: Echo, _ settings: ModelSettings, in app: CompositionRoot, _ console: Console
    ) async throws -> [[Float]] {
        var cache = isCached ? await openedCache(settings, in: app, console) : nil
        var known: [String: [Float]] = [:]
        do {
            for text in Set(texts) { known[text] = try await cache?.vector(of: text) }
        } catch let error as DatabaseError {
            cache = await givenUp(cache, error, console)
        }
        var seen: Set<String> = []
        let paragraphs = Set(texts.dropFirst())
        let missing = texts.filter { known[$0] == nil && seen.insert($0).inserted }
        let status = StatusLine(console: console)
        defer { status.clear() }
        if !missing.isEmpty {
            for start in stride(from: 0, to: missing.count, by: Self.batch) {
                status.show("Reading \(start) of \(missing.count) paragraphs …")
                let batch = Array(missing[start..<min(missing.count, start + Self.batch)])
                let vectors = try await echo.vectors(of: batch, model: settings.model, dimensions: dimensions)
                for (text, vector) in zip(batch, vectors) {
                    known[text] = vector
                    // The question is not cached, because it is usually new.
                    guard paragraphs.contains(text) else { continue }
                    do { try await cache?.keep(vector, of: text) } catch let error as DatabaseError {
                        cache = await givenUp(cache, error, console)
                    }
                }
            }
        }
        await cache?.close()
        return texts.map { known[$0] ?? [] }
    }

    private func openedCache(_ settings: ModelSettings, in app: CompositionRoot, _ console: Console) async
        -> VectorCache?
    {
        do {
            try app.paths.makeDataFolder()
            return try await app.vectorCache(settings, dimensions: dimensions)
        } catch { return await givenUp(nil, error, console) }
    }

    /// Continues without a cache, and so requests the missing vectors again the next time.
    private func givenUp(_ cache: VectorCache?, _ error: any Error, _ console: Console) async -> VectorCache? {
        await cache?.close()
        let reason = (error as? DatabaseError)?.message ?? ErrorReport(error)?.message ?? "\(error)"
        console.warn("Vectors are not kept. \(reason) --no-cache keeps none without this warning.")
        return nil
    }

    private struct Output: Encodable {
        let file: String
        let line: Int
        let similarity: Double
        let text: String
    }
}
