// SPDX-License-Identifier: MIT

import Persistence
import TestKit
import Testing

@Suite struct FullTextPatternTests {
    private let database: Database

    init() async throws {
        database = try await Database.inMemory()
        try await database.write { connection in
            try connection.execute("CREATE VIRTUAL TABLE note USING fts5(title, body)")
            for (title, body) in [
                ("Texas", "Austin is the capital of Texas."),
                ("Ohio", "The capital of Ohio is Columbus; Texas is far."),
                ("Birds", "The cardinal says \"cheer\" AND NOT much else."),
            ] {
                try connection.execute("INSERT INTO note VALUES (\(title), \(body))")
            }
        }
    }

    private func search(_ pattern: FullTextPattern?, weights: [Double] = []) async throws -> [FullTextMatch] {
        guard let pattern else { return [] }
        return try await database.read { try $0.search("note", for: pattern, weights: weights, limit: 10) }
    }

    @Test func findsAndRanks() async throws {
        let found = try await search(FullTextPattern(allOf: "capital texas"))
        #expect(found.map(\.rowID) == [1, 2])
        #expect(found[0].rank < found[1].rank && found[1].rank < 0)
        #expect(try await search(FullTextPattern(anyOf: "cardinal columbus")).map(\.rowID).sorted() == [2, 3])
        #expect(try await search(FullTextPattern(phrase: "capital of Ohio")).map(\.rowID) == [2])
        #expect(try await search(FullTextPattern(phrase: "Ohio capital")).isEmpty)
        #expect(try await search(FullTextPattern(allOf: "the card", completesLastWord: true)).map(\.rowID) == [3])
        #expect(try await search(FullTextPattern(allOf: "\"cheer\" AND -much")).map(\.rowID) == [3])
    }

    @Test func weightsChangeTheOrder() async throws {
        let texas = FullTextPattern(allOf: "texas")
        #expect(try await search(texas, weights: [100, 0]).map(\.rowID) == [1, 2])
        let bodies = try await search(texas, weights: [0, 1])
        let titles = try await search(texas, weights: [1, 0])
        #expect(titles[1].rank == 0 && bodies[1].rank < 0)
    }

    @Test func limitsAndOffsetsPage() async throws {
        let pattern = try #require(FullTextPattern(allOf: "the"))
        let pages = try await database.read { connection in
            try (0..<4).map { try connection.search("note", for: pattern, limit: 1, offset: $0).map(\.rowID) }
        }
        #expect(pages.flatMap { $0 }.sorted() == [1, 2, 3] && pages[3].isEmpty)
    }

    /// Whatever a person types is a search, or nothing: never a syntax error.
    @Test func noTextIsASyntaxError() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "\"", "'", "*", "^", "(", ")", ":", "-", "+", "{", "}", ",", "AND", "OR", "NOT", "NEAR", "NEAR(", "title:",
            "\0",
            "a\0b", "texas", "ümlaut", "🇩🇪", " ", "\n", "\\", "?1", "--", "/*", "\u{301}", "\u{FFFD}", "x\u{0}\"",
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &generator)]
            }.joined(separator: Bool.random(using: &generator) ? " " : "")
            for pattern in [
                FullTextPattern(allOf: text), FullTextPattern(anyOf: text), FullTextPattern(phrase: text),
                FullTextPattern(allOf: text, completesLastWord: true),
            ] {
                await #expect(throws: Never.self, "seed \(seed): \(text.debugDescription)") {
                    _ = try await search(pattern)
                }
            }
        }
        let long = String(repeating: "many words ", count: 5_000)
        await #expect(throws: Never.self) { _ = try await search(FullTextPattern(allOf: long)) }
        await #expect(throws: Never.self) { _ = try await search(FullTextPattern(phrase: long)) }
        #expect(FullTextPattern(allOf: " \n\"-- ") == nil)
    }
}
