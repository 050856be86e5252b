// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import Persistence
import TestKit
import Testing

/// The labelled set, searched by likeness and by FTS5's bm25: the figures of docs/memory.md.
@Suite struct SearchRecallTests {
    @Test func `likeness finds more than bm25 of any of the words, and that more than all the words`() async throws {
        let messages = SearchSet.messages
        let lexical = LexicalIndex(messages)
        let byLikeness = try await recall { lexical.nearest(to: $0, limit: 5).map(\.index) }
        let database = try await fullText(messages)
        let byAny = try await recall { try await found($0, joinedBy: " OR ", in: database) }
        let byAll = try await recall { try await found($0, joinedBy: " AND ", in: database) }
        await database.close()
        print("recall of five: likeness \(byLikeness), bm25 of any word \(byAny), of all words \(byAll)")
        #expect(byLikeness > 0.85)
        #expect((0.4...0.6).contains(byAny))
        #expect(byAll < byAny)
    }

    /// The mean share of the meant messages that are among the five.
    private func recall(_ search: (String) async throws -> [Int]) async throws -> Double {
        var sum = 0.0
        for question in SearchSet.questions {
            let found = try await search(question.text)
            sum += Double(question.answers.intersection(found).count) / Double(question.answers.count)
        }
        return sum / Double(SearchSet.questions.count)
    }

    private func fullText(_ texts: [String]) async throws -> Database {
        let database = try await Database.inMemory()
        try await database.migrate([
            Migration(
                name: "texts",
                sql: "CREATE VIRTUAL TABLE text USING fts5 (body, tokenize = 'unicode61 remove_diacritics 2')")
        ])
        try await database.write { connection in
            for (index, text) in texts.enumerated() {
                try connection.execute("INSERT INTO text (rowid, body) VALUES (\(index), \(text))")
            }
        }
        return database
    }

    private func found(_ question: String, joinedBy word: String, in database: Database) async throws -> [Int] {
        let pattern = question.split(separator: " ").map { "\"\($0)\"" }.joined(separator: word)
        return try await database.read { connection in
            try connection.query("SELECT rowid FROM text WHERE text MATCH \(pattern) ORDER BY rank LIMIT 5") {
                try $0["rowid", as: Int.self]
            }
        }
    }
}
