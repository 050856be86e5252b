// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Persistence
import TestKit
import Testing

private struct Unwanted: Error {}

@Suite struct TransactionTests {
    private let folder: TemporaryFolder
    private let database: Database

    init() async throws {
        folder = try TemporaryFolder()
        database = try await Database(at: folder.database)
        try await database.write { connection in
            try connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE) STRICT")
        }
    }

    private func names() async throws -> [String] {
        try await database.read { try $0.query("SELECT name FROM item ORDER BY id", as: String.self) }
    }

    @Test(arguments: [Durability.full, .normal])
    func commitsAndTellsWhatItDid(durability: Durability) async throws {
        let (id, changes) = try await database.write(durability: durability) { connection in
            try connection.execute("INSERT INTO item (name) VALUES ('a')")
            try connection.execute("INSERT INTO item (name) VALUES ('b')")
            let id = connection.lastInsertedRowID
            try connection.execute("UPDATE item SET name = name || '!'")
            return (id, connection.changes)
        }
        #expect(id == 2)
        #expect(changes == 2)
        #expect(try await names() == ["a!", "b!"])
        let again = try await Database(at: folder.database)
        #expect(try await again.read { try $0.first("SELECT count(*) FROM item", as: Int.self) } == 2)
    }

    /// A blocked one would end the program without a report of the crash.
    @Test func `the threads of a database block no fault`() async throws {
        let faults = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGTERM]
        let blocked = { @Sendable () -> [Int32] in
            var signals = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &signals)
            return faults.filter { sigismember(&signals, $0) == 1 }
        }
        #expect(try await database.write { _ in blocked() } == [SIGTERM])
        #expect(try await database.read { _ in blocked() } == [SIGTERM])
    }

    @Test func aThrowUndoesEverythingAndIsPassedOn() async throws {
        await #expect(throws: Unwanted.self) {
            try await database.write { connection in
                try connection.execute("INSERT INTO item (name) VALUES ('a')")
                try connection.execute("CREATE TABLE other (id INTEGER)")
                throw Unwanted()
            }
        }
        #expect(try await names().isEmpty)
        #expect(try await database.schema().contains { $0.hasPrefix("other") } == false)
        try await database.write { try $0.execute("INSERT INTO item (name) VALUES ('after')") }
        #expect(try await names() == ["after"])
    }

    @Test func aViolatedConstraintHasItsCode() async throws {
        let found = await code {
            try await database.write { connection in
                try connection.execute("INSERT INTO item (name) VALUES ('a')")
                try connection.execute("INSERT INTO item (name) VALUES ('a')")
            }
        }
        #expect(found == .constraint)
        #expect(try await names().isEmpty)
    }

    @Test func foreignKeysAreEnforced() async throws {
        let found = await code {
            try await database.write { connection in
                try connection.execute("CREATE TABLE part (item INTEGER NOT NULL REFERENCES item(id)) STRICT")
                try connection.execute("INSERT INTO part VALUES (99)")
            }
        }
        #expect(found == .constraint)
    }

    @Test(
        arguments: [
            "COMMIT", "ROLLBACK", "BEGIN", "SAVEPOINT x", "ATTACH ':memory:' AS other", "PRAGMA synchronous = OFF",
            "PRAGMA query_only = OFF", "PRAGMA foreign_keys = OFF", "PRAGMA journal_mode = DELETE",
            "PRAGMA Trusted_Schema = ON", "PRAGMA writable_schema(1)",
        ] as [SQL])
    func aClosureCannotTouchTheTransactionOrTheSettings(sql: SQL) async throws {
        // Twice: the connection's own statements are prepared and kept by then.
        for _ in 0..<2 {
            let found = await code {
                try await database.write { connection in
                    try connection.execute("INSERT INTO item (name) VALUES ('a')")
                    try connection.execute(sql)
                }
            }
            #expect(found == .invalidSQL)
        }
        #expect(await code { try await database.read { try $0.forEach(sql) { _ in } } } == .invalidSQL)
        #expect(try await names().isEmpty)
    }

    @Test func settingsAreWhatTheDocumentationSays() async throws {
        let settings = try await database.write { connection in
            (
                try connection.first("PRAGMA journal_mode", as: String.self),
                try connection.first("PRAGMA foreign_keys", as: Int.self),
                try connection.first("PRAGMA synchronous", as: Int.self),
                try connection.first("PRAGMA trusted_schema", as: Int.self)
            )
        }
        #expect(settings == ("wal", 1, 2, 0))
        for (durability, expected) in [(Durability.normal, 1), (.full, 2), (.normal, 1), (.full, 2)] {
            let found = try await database.write(durability: durability) { connection in
                try connection.first("PRAGMA synchronous", as: Int.self)
            }
            #expect(found == expected)
        }
    }

    @Test func readingCannotWrite() async throws {
        let memory = try await Database.inMemory()
        try await memory.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)") }
        for database in [database, memory] {
            let found = await code {
                // The types keep a method that writes out of a read; a query's text may still write.
                try await database.read { try $0.forEach("INSERT INTO item (name) VALUES ('a') RETURNING id") { _ in } }
            }
            #expect(found == .readOnly)
            try await database.write { try $0.execute("INSERT INTO item (name) VALUES ('b')") }
            let names = try await database.read { try $0.query("SELECT name FROM item", as: String.self) }
            #expect(names == ["b"])
        }
    }

    @Test func aReadGoesOnBesideAWriteAndSeesOneSnapshot() async throws {
        let database = database
        let (readStarted, written) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let counts = database.read { connection in
            let before = try connection.first("SELECT count(*) FROM item", as: Int.self)
            readStarted.signal()
            written.wait()
            return [before, try connection.first("SELECT count(*) FROM item", as: Int.self)]
        }
        try await database.write { connection in
            readStarted.wait()
            try connection.execute("INSERT INTO item (name) VALUES ('a')")
        }
        written.signal()
        #expect(try await counts == [0, 0])
        #expect(try await names() == ["a"])
    }

    @Test func cancellingBeforeTheCommitUndoes() async throws {
        let database = database
        let task = Task {
            try await database.write { connection in
                try connection.execute("INSERT INTO item (name) VALUES ('a')")
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await names().isEmpty)
    }

    @Test func cancellingStopsARunningStatement() async throws {
        let database = database
        let started = DispatchSemaphore(value: 0)
        let task = Task {
            try await database.read { connection in
                started.signal()
                _ = try connection.first(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
                    as: Int.self)
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                started.wait()
                continuation.resume()
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await names().isEmpty)
    }

    @Test func aHundredTasksIncrementWithoutLoss() async throws {
        let database = database
        try await database.write { try $0.execute("INSERT INTO item VALUES (0, NULL)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<100 {
                group.addTask {
                    try await database.write(durability: index % 10 == 0 ? .full : .normal) { connection in
                        let value = try connection.first("SELECT id FROM item", as: Int.self) ?? -1
                        try connection.execute("UPDATE item SET id = \(value + 1)")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await database.read { try $0.first("SELECT id FROM item", as: Int.self) } == 100)
    }

    @Test func twoDatabasesOnOneFileWriteAtOnce() async throws {
        let other = try await Database(at: folder.database)
        let databases = [database, other]
        try await database.write { try $0.execute("INSERT INTO item VALUES (0, NULL)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<100 {
                group.addTask {
                    try await databases[index % 2].write(durability: .normal) { connection in
                        try connection.execute("UPDATE item SET id = id + 1")
                    }
                }
            }
            try await group.waitForAll()
        }
        for database in databases {
            #expect(try await database.read { try $0.first("SELECT id FROM item", as: Int.self) } == 100)
        }
        #expect(try await database.integrityCheck().isEmpty)
    }

    @Test func aLockBeyondTheTimeoutIsBusy() async throws {
        let other = try await Database(at: folder.database, configuration: .init(busyTimeout: .zero))
        let database = database
        let (locked, tried) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let holding: Void = database.write { connection in
            try connection.execute("INSERT INTO item (name) VALUES ('a')")
            locked.signal()
            tried.wait()
        }
        let found = await code {
            // The wait stands in the closure of another queue, so that it blocks none of Swift's threads.
            try await other.read { _ in locked.wait() }
            try await other.write { try $0.execute("INSERT INTO item (name) VALUES ('b')") }
        }
        tried.signal()
        try await holding
        #expect(found == .busy)
        try await other.write { try $0.execute("INSERT INTO item (name) VALUES ('b')") }
        #expect(try await names() == ["a", "b"])
    }

    @Test func cancellingEndsTheWaitForALock() async throws {
        let other = try await Database(at: folder.database, configuration: .init(busyTimeout: .seconds(3_600)))
        let database = database
        let (locked, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let holding: Void = database.write { _ in
            locked.signal()
            release.wait()
        }
        try await other.read { _ in locked.wait() }
        let waiting = Task { try await other.write { try $0.execute("INSERT INTO item (name) VALUES ('b')") } }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        release.signal()
        try await holding
        #expect(try await names().isEmpty)
    }

    @Test func aFullDiskUndoesTheTransactionEvenIfTheErrorIsSwallowed() async throws {
        let blob = [UInt8](repeating: 7, count: 100_000)
        try await database.write { connection in
            try connection.execute("CREATE TABLE attachment (bytes BLOB) STRICT")
            _ = try connection.first("PRAGMA max_page_count = 20", as: Int.self)
        }
        let found = await code {
            try await database.write { connection in
                try connection.execute("INSERT INTO item (name) VALUES ('a')")
                try connection.execute("INSERT INTO attachment VALUES (\(blob))")
            }
        }
        #expect(found == .diskFull)
        _ = await code {
            try await database.write { connection in
                try connection.execute("INSERT INTO item (name) VALUES ('b')")
                try? connection.execute("INSERT INTO attachment VALUES (\(blob))")
                try? connection.execute("INSERT INTO item (name) VALUES ('c')")
                throw Unwanted()
            }
        }
        #expect(try await names().isEmpty)
        try await database.write { try $0.execute("INSERT INTO item (name) VALUES ('small')") }
        #expect(try await names() == ["small"])
        #expect(try await database.integrityCheck().isEmpty)
    }

    @Test func aClosedDatabaseSaysSo() async throws {
        try await database.write { try $0.execute("INSERT INTO item (name) VALUES ('a')") }
        await database.close()
        await database.close()
        #expect(await code { try await database.read { _ in } } == .closed)
        #expect(await code { try await database.write { _ in } } == .closed)
        #expect(try folder.names() == ["test.sqlite"])
    }
}
