// SPDX-License-Identifier: MIT

import CSQLite
import Concurrency
import TestKit
import Testing

@testable import Persistence

/// Copying the log into the file.
@Suite(.timeLimit(.minutes(5))) struct CheckpointTests {
    /// A disk may take seconds to sync, and other processes' writes would fail as busy meanwhile.
    @Test func anotherCanWriteWhileALongLogIsSynced() async throws {
        let folder = try TemporaryFolder()
        let vfs = FaultVFS()
        var configuration = Database.Configuration().with { $0.checkpointPages = 8 }
        configuration.vfs = vfs.name
        let database = try await Database(at: folder.database, configuration: configuration)
        try await database.write { try $0.execute("CREATE TABLE item (bytes BLOB) STRICT") }
        let path = folder.database
        let results = Guarded([Int32]())
        vfs.plan.withLock { plan in
            plan.duringSync = { synced in
                // The log's own sync belongs to the commit, which needs the lock.
                if synced == path { results.withLock { $0.append(Self.begin(path)) } }
            }
        }
        // Longer than what makes the log start anew, in one transaction.
        try await database.write { try $0.execute("INSERT INTO item VALUES (zeroblob(400000))") }
        vfs.plan.withLock { $0.duringSync = nil }
        #expect(results.withLock { $0 } == [SQLITE_OK])
        #expect(try folder.bytes("test.sqlite-wal").isEmpty)
        await database.close()
    }

    @Test func `what is deleted leaves the log beside another program`() async throws {
        let folder = try TemporaryFolder()
        let other = try await Database(at: folder.database)
        let database = try await Database(at: folder.database, configuration: .init(busyTimeout: .zero))
        let words = "planted words"
        func holds(_ name: String) throws -> Bool {
            String(decoding: try folder.bytes(name), as: UTF8.self).contains(words)
        }
        try await database.write { connection in
            try connection.execute("CREATE TABLE item (text TEXT) STRICT")
            try connection.execute("INSERT INTO item VALUES (\(words))")
        }
        try await database.write { try $0.execute("DELETE FROM item") }
        #expect(try holds("test.sqlite-wal"))
        try await other.snapshot { snapshot in
            _ = try await snapshot.run { try $0.first("SELECT count(*) FROM item", as: Int.self) }
            try await database.write { try $0.execute("DELETE FROM item") }
            #expect(await code { try await database.emptyLog() } == .busy)
            // It gives the lock back in between, and ends when it is cancelled.
            let patient = try await Database(at: folder.database, configuration: .init(busyTimeout: .seconds(60)))
            let emptying = Task { try await patient.emptyLog() }
            try await other.write { try $0.execute("INSERT INTO item VALUES ('new')") }
            emptying.cancel()
            await #expect(throws: CancellationError.self) { try await emptying.value }
        }
        try await database.emptyLog()
        #expect(try folder.bytes("test.sqlite-wal").isEmpty && !holds("test.sqlite"))
        try await Database.inMemory().emptyLog()
    }

    /// What another program hears that begins a transaction and does not wait.
    private static func begin(_ path: String) -> Int32 {
        var other: OpaquePointer?
        defer { sqlite3_close(other) }
        guard sqlite3_open(path, &other) == SQLITE_OK else { return SQLITE_CANTOPEN }
        return sqlite3_exec(other, "BEGIN IMMEDIATE; ROLLBACK", nil, nil, nil)
    }
}
