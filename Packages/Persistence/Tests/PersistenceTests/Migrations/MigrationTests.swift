// SPDX-License-Identifier: MIT

import Foundation
import Persistence
import Synchronization
import TestKit
import Testing

private let conversations = Migration(
    name: "conversations",
    sql: """
        CREATE TABLE conversation (id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT;
        -- Found by title.
        CREATE INDEX conversation_title ON conversation (title);
        """)
private let messages = Migration(
    name: "messages",
    sql: "CREATE TABLE message (conversation INTEGER NOT NULL REFERENCES conversation(id)) STRICT",
    "INSERT INTO conversation (title) VALUES ('first')")

private struct Unwanted: Error {}

@Suite struct MigrationTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func runsWhatIsMissingOnceAndInOrder() async throws {
        let database = try await Database(at: folder.database)
        let time = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(try await database.migrate([conversations], now: time) == ["conversations"])
        #expect(try await database.migrate([conversations, messages], now: time) == ["messages"])
        #expect(try await database.migrate([conversations, messages]).isEmpty)
        let records = try await database.read { connection in
            try connection.query("SELECT position, name, applied_at FROM schema_migration ORDER BY position") { row in
                "\(try row["position", as: Int.self]) \(try row["name", as: String.self]) \(try row["applied_at"] == time)"
            }
        }
        #expect(records == ["0 conversations true", "1 messages true"])
        #expect(try await database.read { try $0.first("SELECT count(*) FROM conversation", as: Int.self) } == 1)
        await database.close()
        let again = try await Database(at: folder.database)
        #expect(try await again.migrate([conversations, messages]).isEmpty)
    }

    @Test func aNewerFileIsRefusedAndNotChanged() async throws {
        let database = try await Database(at: folder.database)
        try await database.migrate([conversations, messages])
        let schema = try await database.schema()
        let bytes = try folder.bytes("test.sqlite-wal")
        do {
            try await database.migrate([conversations])
            Issue.record("A newer file was taken.")
        } catch let error as DatabaseError {
            #expect(error.code == .newer)
            #expect(error.message.contains("messages") && error.message.contains("newer version"))
        }
        #expect(try await database.schema() == schema)
        #expect(try folder.bytes("test.sqlite-wal") == bytes)
    }

    @Test func aChangedOrMovedMigrationIsRefused() async throws {
        let database = try await Database(at: folder.database)
        let code1 = Migration(name: "code", checksum: "1") { try $0.execute("CREATE TABLE a (id INTEGER)") }
        try await database.migrate([conversations, code1])
        let changed = Migration(name: "conversations", sql: "CREATE TABLE conversation (id INTEGER PRIMARY KEY)")
        let code2 = Migration(name: "code", checksum: "2") { try $0.execute("CREATE TABLE a (id INTEGER)") }
        for list in [
            [changed, code1], [conversations, code2], [code1, conversations], [messages, conversations, code1],
            [conversations, code1, conversations],
        ] {
            #expect(await code { try await database.migrate(list) } == .migrationChanged)
        }
        #expect(try await database.migrate([conversations, code1]).isEmpty)
    }

    @Test func aStatementMovedToAnotherScriptIsAChange() {
        let one = Migration(name: "m", sql: "SELECT 1;SELECT 2;")
        let two = Migration(name: "m", sql: "SELECT 1;", "SELECT 2;")
        #expect(one.checksum != two.checksum)
        #expect(one.checksum == Migration(name: "other", sql: "SELECT 1;SELECT 2;").checksum)
    }

    @Test func aFailedMigrationLeavesTheFileAsItWas() async throws {
        let database = try await Database(at: folder.database)
        try await database.migrate([conversations])
        let schema = try await database.schema()
        let failing: [Migration] = [
            Migration(name: "bad", sql: "CREATE TABLE half (id INTEGER); CREATE TABLE conversation (id INTEGER);"),
            Migration(name: "bad", sql: "CREATE TABLE half (id INTEGER); nonsense;"),
            Migration(name: "bad", sql: "CREATE TABLE half (id INTEGER); COMMIT; nonsense;"),
            Migration(name: "bad", sql: "ROLLBACK; CREATE TABLE half (id INTEGER);"),
            Migration(name: "bad", checksum: "1") { connection in
                try connection.execute("DROP TABLE conversation")
                try connection.execute("INSERT INTO gone VALUES (1)")
            },
        ]
        for migration in failing {
            do {
                try await database.migrate([conversations, migration])
                Issue.record("It did not fail.")
            } catch let error as DatabaseError {
                #expect(error.code == .migrationFailed)
                #expect(error.message.contains("bad"))
                #expect(error.underlying != nil)
            }
            #expect(try await database.schema() == schema)
        }
        await #expect(throws: Unwanted.self) {
            try await database.migrate([
                conversations, Migration(name: "own", checksum: "1") { _ in throw Unwanted() },
            ])
        }
        #expect(try await database.schema() == schema)
        #expect(try await database.migrate([conversations, messages]) == ["messages"])
    }

    @Test func earlierMigrationsStayWhenALaterOneFails() async throws {
        let database = try await Database(at: folder.database)
        let bad = Migration(name: "bad", sql: "nonsense")
        #expect(await code { try await database.migrate([conversations, bad]) } == .migrationFailed)
        #expect(try await database.migrate([conversations]).isEmpty)
    }

    @Test func twoAtOnceRunEachMigrationOnce() async throws {
        let path = folder.database
        let runs = Mutex(0)
        let counted = Migration(name: "counted", checksum: "1") { connection in
            runs.withLock { $0 += 1 }
            try connection.execute("INSERT INTO conversation (title) VALUES ('counted')")
        }
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let database = try await Database(at: path)
                    return try await database.migrate([conversations, messages, counted])
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(applied.sorted() == ["conversations", "counted", "messages"])
        #expect(runs.withLock { $0 } == 1)
    }

    @Test func aReadOnlyFileIsCheckedButNotMigrated() async throws {
        let database = try await Database(at: folder.database)
        try await database.migrate([conversations])
        await database.close()
        let readOnly = try await Database(at: folder.database, configuration: .init().with { $0.isReadOnly = true })
        #expect(try await readOnly.migrate([conversations]).isEmpty)
        #expect(await code { try await readOnly.migrate([conversations, messages]) } == .readOnly)
        #expect(await code { try await readOnly.write { try $0.execute("DROP TABLE conversation") } } == .readOnly)
    }
}
