// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import Persistence

/// Ten steps that take the same table further, each of which leaves a row that says so.
private let steps = (0..<10).map { step in
    Migration(name: "step \(step)", checksum: "1") { connection in
        if step == 0 { try connection.execute("CREATE TABLE done (step INTEGER NOT NULL, process INTEGER) STRICT") }
        try connection.execute("INSERT INTO done VALUES (\(step), \(Int(getpid())))")
    }
}

private let notes = Migration(
    name: "notes",
    sql: """
        CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT NOT NULL UNIQUE) STRICT;
        CREATE INDEX note_body ON note (lower(body));
        INSERT INTO note (body) VALUES ('one'), ('two'), ('three');
        PRAGMA user_version = 7;
        """)

/// Rewrites everything there is and fills more pages than the cache holds, so that unfinished work is in the log.
private func rewrite(_ connection: WritableConnection) throws {
    try connection.execute("UPDATE note SET body = body || ' changed'")
    try connection.execute("ALTER TABLE note ADD COLUMN sound BLOB")
    for _ in 0..<40 {
        try connection.execute("INSERT INTO note (body, sound) VALUES (hex(randomblob(9)), zeroblob(200000))")
    }
    try connection.execute("PRAGMA user_version = 8")
}

extension Database {
    /// The schema, every row of every table, and the version number.
    fileprivate func content() async throws -> [String] {
        let schema = try await schema()
        return try await read { connection in
            let tables = try connection.query(
                "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", as: String.self)
            let rows = try tables.flatMap { table in
                try connection.query(SQL(fromDatabase: "SELECT * FROM \(TableSalvager.quoted(table))")) { row in
                    "\(table): \(try row.values())"
                }
            }
            return schema + rows + ["\(try connection.first("PRAGMA user_version", as: Int.self) ?? -1)"]
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct MigrationFailureTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func aFailedMigrationLeavesEveryRow() async throws {
        let database = try await Database(at: folder.database)
        try await database.migrate([notes])
        let before = try await database.content()
        #expect(before.count > 6 && before.last == "7")
        let failing: [@Sendable (WritableConnection) throws -> Void] = [
            {
                try rewrite($0); try $0.execute("INSERT INTO note (id, body) VALUES (1, 'taken')")
            },
            {
                try rewrite($0); try $0.execute("DROP TABLE note"); try $0.execute("SELECT * FROM note")
            },
            {
                try rewrite($0); try $0.execute("INSERT INTO note (body) VALUES (\(Double.nan))")
            },
            {
                try rewrite($0); _ = try $0.first("SELECT body FROM note", as: Int.self)
            },
            {
                try rewrite($0); throw CancellationError()
            },
            {
                try rewrite($0); withUnsafeCurrentTask { $0?.cancel() }
            },
            {
                try rewrite($0); try $0.execute("DELETE FROM schema_migration"); try $0.execute("nonsense")
            },
        ]
        for (number, apply) in failing.enumerated() {
            let task = Task {
                try await database.migrate([notes, Migration(name: "bad", checksum: "1", apply: apply)])
            }
            await #expect(throws: (any Error).self, "\(number)") { try await task.value }
            #expect(try await database.content() == before, "\(number)")
        }
        // The first of a file's migrations leaves nothing at all.
        let empty = try await Database(at: folder.file("empty.sqlite"))
        let bad = Migration(name: "bad", sql: "CREATE TABLE half (id INTEGER); nonsense;")
        #expect(await code { try await empty.migrate([bad]) } == .migrationFailed)
        #expect(try await empty.content() == ["0"])
        // Once it is right, it runs.
        #expect(
            try await database.migrate([notes, Migration(name: "good", checksum: "1", apply: rewrite)]) == ["good"])
    }

    @Test func aFullDiskIsNoFaultOfTheMigrationAndLeavesEveryRow() async throws {
        let database = try await Database(at: folder.database)
        try await database.migrate([notes])
        let before = try await database.content()
        try await database.write { _ = try $0.first("PRAGMA max_page_count = 100", as: Int.self) }
        let large = Migration(name: "large", checksum: "1", apply: rewrite)
        #expect(await code { try await database.migrate([notes, large]) } == .diskFull)
        #expect(try await database.content() == before)
        try await database.write { _ = try $0.first("PRAGMA max_page_count = 1000000", as: Int.self) }
        #expect(try await database.migrate([notes, large]) == ["large"])
    }

    @Test(arguments: [0, 1, 2]) func aKillInMidMigrationLeavesTheFileAsItWas(instant: Int) async throws {
        let path = folder.database
        var database = try await Database(at: path)
        try await database.migrate([notes])
        let before = try await database.content()
        await database.close()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, instant = instant as Int] in
            let database = try await Database(at: path)
            let killed = Migration(name: "killed", checksum: "1") { connection in
                if instant > 0 { try rewrite(connection) }
                if instant > 1 { try connection.execute("DROP TABLE note") }
                kill(getpid(), SIGKILL)
            }
            try await database.migrate([notes, killed])
        }
        database = try await Database(at: path)
        #expect(try await database.content() == before)
        #expect(try await database.integrityCheck().isEmpty)
        let again = Migration(name: "killed", checksum: "1", apply: rewrite)
        #expect(try await database.migrate([notes, again]) == ["killed"])
    }

    @Test func aKillBetweenMigrationsKeepsThoseThatWereDone() async throws {
        let path = folder.database
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let killed = Migration(name: "step 4", checksum: "1") { _ in kill(getpid(), SIGKILL) }
            try await Database(at: path).migrate(steps.prefix(4) + [killed])
        }
        let database = try await Database(at: path)
        #expect(try await database.migrate(steps) == (4..<10).map { "step \($0)" })
        let done = try await database.read { try $0.query("SELECT step FROM done ORDER BY rowid", as: Int.self) }
        #expect(done == Array(0..<10))
    }

    @Test func twoProcessesAtOnceRunEachMigrationOnceAndInOrder() async throws {
        let path = folder.database
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<2 {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String, number = number as Int] in
                        // Each waits for the other, so that both begin together.
                        #expect(mknod("\(path)-ready-\(number)", S_IFREG | 0o600, 0) == 0)
                        while access("\(path)-ready-\(1 - number)", F_OK) != 0 { sched_yield() }
                        let database = try await Database(at: path)
                        try await database.migrate(steps)
                        let count = try await database.read { try $0.first("SELECT count(*) FROM done", as: Int.self) }
                        #expect(count == 10)
                    }
                }
            }
        }
        let database = try await Database(at: path)
        #expect(try await database.migrate(steps).isEmpty)
        let done = try await database.read { try $0.query("SELECT step FROM done ORDER BY rowid", as: Int.self) }
        #expect(done == Array(0..<10))
        let names = try await database.read { connection in
            try connection.query("SELECT name FROM schema_migration ORDER BY position", as: String.self)
        }
        #expect(names == steps.map(\.name))
        #expect(try await database.integrityCheck().isEmpty)
    }

    @Test func aNewerFileIsRefusedAlsoForReadingOnly() async throws {
        let database = try await Database(at: folder.database)
        try await database.migrate(steps)
        await database.close()
        for isReadOnly in [true, false] {
            let older = try await Database(
                at: folder.database, configuration: .init().with { $0.isReadOnly = isReadOnly })
            #expect(await code { try await older.migrate(Array(steps.prefix(9))) } == .newer)
            #expect(await code { try await older.migrate([]) } == .newer)
            let count = try await older.read { try $0.first("SELECT count(*) FROM done", as: Int.self) }
            #expect(count == 10)
            await older.close()
        }
    }
}
