// SPDX-License-Identifier: MIT

import Persistence
import Testing

@Suite struct FullTextTests {
    @Test func searchesAndRanks() async throws {
        let database = try await Database.inMemory()
        try await database.migrate([
            Migration(
                name: "messages",
                sql: """
                    CREATE TABLE message (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
                    CREATE VIRTUAL TABLE message_text USING fts5(
                        body, content='message', content_rowid='id', tokenize='unicode61 remove_diacritics 2');
                    """)
        ])
        try await database.write { connection in
            for body in [
                "What is the capital of Texas?", "Austin is the capital, the capital, the capital.", "Größe und Maß",
                "The bird of Ohio is the cardinal.",
            ] {
                try connection.execute("INSERT INTO message (body) VALUES (\(body))")
                try connection.execute(
                    "INSERT INTO message_text (rowid, body) VALUES (\(connection.lastInsertedRowID), \(body))")
            }
        }
        func search(_ words: String) async throws -> [Int] {
            try await database.read { connection in
                try connection.query(
                    """
                    SELECT rowid FROM message_text WHERE message_text MATCH \(words) ORDER BY bm25(message_text)
                    """, as: Int.self)
            }
        }
        #expect(try await search("capital") == [2, 1])
        #expect(try await search("grosse OR große OR grosze OR gro*") == [3])
        #expect(try await search("ohio AND cardinal") == [4])
        try await database.write { connection in
            try connection.execute(
                """
                INSERT INTO message_text (message_text, rowid, body) SELECT 'delete', id, body FROM message WHERE id = 2
                """)
            try connection.execute("DELETE FROM message WHERE id = 2")
        }
        #expect(try await search("capital") == [1])
        #expect(await code { _ = try await search("\"unbalanced") } == .invalidSQL)
        #expect(try await database.integrityCheck().isEmpty)
    }

    @Test func aTriggerMayWriteAnIndexWhereSQLiteCallsItHarmless() async throws {
        let database = try await Database.inMemory()
        try await database.migrate([
            Migration(
                name: "messages",
                sql: """
                    CREATE TABLE message (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
                    CREATE VIRTUAL TABLE message_text USING fts5(body, content='message', content_rowid='id');
                    CREATE TRIGGER message_added AFTER INSERT ON message BEGIN
                        INSERT INTO message_text (rowid, body) VALUES (new.id, new.body);
                    END;
                    """)
        ])
        do {
            try await database.write { try $0.execute("INSERT INTO message (body) VALUES ('hello')") }
            let found = try await database.read { connection in
                try connection.first(
                    "SELECT rowid FROM message_text WHERE message_text MATCH 'hello'", as: Int.self)
            }
            #expect(found == 1)
        } catch let error as DatabaseError {
            // SQLite before 3.41 does not, and an untrusted schema may do what is harmless only.
            #expect(error.code == .invalidSQL && error.message.contains("write it by a statement"))
        }
    }
}
