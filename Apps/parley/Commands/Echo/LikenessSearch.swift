// SPDX-License-Identifier: MIT

import Domain
import Echo
import Persistence
import TerminalKit

/// Finds the texts that are most like a query.
protocol LikenessSearch: Sendable {
    /// The indices of the texts most like the query, with their likeness of at most 1, the most like first.
    func nearest(
        to query: String, in texts: [String], limit: Int, app: CompositionRoot, console: Console
    ) async throws -> [(index: Int, similarity: Double)]
}

/// Compares texts by the pieces of their words, on this machine.
struct LexicalLikeness: LikenessSearch {
    func nearest(
        to query: String, in texts: [String], limit: Int, app: CompositionRoot, console: Console
    ) async throws -> [(index: Int, similarity: Double)] {
        LexicalIndex(texts).nearest(to: query, limit: limit, least: 0.05)
    }
}

/// Compares the vectors that a model gives to texts, which are kept on this machine.
struct ModelLikeness: LikenessSearch {
    let model: ModelOptions
    let dimensions: Int?
    let isCached: Bool

    /// The texts that are asked for at once; what has come is kept before more is asked for.
    private static let batch = 400

    func nearest(
        to query: String, in texts: [String], limit: Int, app: CompositionRoot, console: Console
    ) async throws -> [(index: Int, similarity: Double)] {
        let settings = try await model.settings(for: .embeddings, in: app)
        let echo = try app.echo(settings)
        let vectors = try await vectors(of: [query] + texts, by: echo, settings, in: app, console)
        return echo.find.nearest(to: vectors[0], in: Array(vectors.dropFirst()), topK: limit)
            .map { ($0.index, Double($0.similarity)) }
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
        let kept = Set(texts.dropFirst())
        let missing = texts.filter { known[$0] == nil && seen.insert($0).inserted }
        let status = StatusLine(console: console)
        defer { status.clear() }
        for start in stride(from: 0, to: missing.count, by: Self.batch) {
            status.show(console.text("Reading \(start) of \(missing.count) paragraphs …"))
            let batch = Array(missing[start..<min(missing.count, start + Self.batch)])
            let vectors = try await echo.vectors(of: batch, model: settings.model, dimensions: dimensions)
            for (text, vector) in zip(batch, vectors) {
                known[text] = vector
                // The question is not cached, because it is usually new.
                guard kept.contains(text) else { continue }
                do { try await cache?.keep(vector, of: text) } catch let error as DatabaseError {
                    cache = await givenUp(cache, error, console)
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
        let reason = Sentence(error)
        console.warn("Vectors are not kept. \(reason) --no-cache keeps none without this warning.")
        return nil
    }
}
