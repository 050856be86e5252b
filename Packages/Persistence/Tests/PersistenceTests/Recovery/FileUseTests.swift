// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import Persistence

@Suite(.timeLimit(.minutes(5))) struct FileUseTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Another process that has the database open and commits what it is told to.
    private struct Holder {
        private let process: ChildProcess

        init(_ path: String) throws {
            process = try ChildProcess(
                ChildProcess.path(besideTests: "PersistenceCrashTestSupport"), ["hold", path], input: .pipe)
        }

        /// The next line that it says.
        func said() -> String? { process.line() }

        func commit(_ number: Int) -> String? {
            process.write("\(number)\n")
            return said()
        }

        func end() -> ChildProcess.End { process.finish().end }
    }

    private func make() async throws {
        let database = try await Database(at: folder.database)
        try await database.write { connection in
            try connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY) STRICT")
            try connection.execute("CREATE TABLE other (bytes BLOB) STRICT")
            for _ in 0..<40 {
                try connection.execute("INSERT INTO other VALUES (\([UInt8](repeating: 7, count: 4_000)))")
            }
        }
        await database.close()
    }

    /// Zeros on the table's last page: the file opens, and what is on other pages can be used.
    private func damage() throws {
        let bytes = try folder.bytes("test.sqlite")
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.database))
        try file.seek(toOffset: UInt64(bytes.count - 4_096))
        try file.write(contentsOf: Data(count: 4_096))
        try file.close()
    }

    @Test func `what another process commits during a recovery is not lost`() async throws {
        try await make()
        let holder = try Holder(folder.database)
        #expect(holder.said() == "open")
        #expect(holder.commit(1) == "1")
        try damage()
        #expect(await code { _ = try await Database.recover(folder.database) } == .busy)
        #expect(await code { _ = try await Database.recoverIfDamaged(folder.database) } == .busy)
        // The file is where it was, so this one goes into it, and is saved with it.
        #expect(holder.commit(2) == "2")
        #expect(holder.end() == .exited(0))
        let report = try #require(try await Database.recoverIfDamaged(folder.database))
        #expect(report.tables.first { $0.name == "item" }?.rows == 2, "\(report)")
        let database = try await Database(at: folder.database)
        #expect(try await database.read { try $0.query("SELECT id FROM item", as: Int.self) } == [1, 2])
        await database.close()
        // Who found the same damage and waited finds a sound file.
        #expect(try await Database.recoverIfDamaged(folder.database) == nil)
        #expect(
            try folder.names().count { $0.contains(".damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == 1
        )
    }

    @Test func `a database cannot be opened while its file is replaced`() async throws {
        try await make()
        let use = try #require(try await FileUse.exclusive(of: DatabaseFile(path: folder.database)))
        let configuration = Database.Configuration(busyTimeout: .milliseconds(20))
        #expect(await code { _ = try await Database(at: folder.database, configuration: configuration) } == .busy)
        #expect(
            await code {
                _ = try await FileUse.exclusive(of: DatabaseFile(path: folder.database), timeout: .zero)
            } == .busy)
        // Another file of the folder has signs of its own.
        let other = try await Database(at: folder.file("other.sqlite"))
        await other.close()
        withExtendedLifetime(consume use) {}
        let database = try await Database(at: folder.database)
        await database.close()
    }

    @Test func `a copy that finds its name taken is kept`() async throws {
        try await make()
        try damage()
        let partial = try DatabaseFile(path: folder.file("partial"))
        try folder.write([1], to: "partial")
        #expect(
            await code {
                try Database.put(
                    partial, inPlaceOf: DatabaseFile(path: folder.database), DatabaseFile(path: folder.file("aside")))
            } == .alreadyExists)
        #expect(try folder.bytes("aside.recovered") == [1])
    }

    @Test func `a recovered outbox counts what is left in it`() async throws {
        let database = try await Database(at: folder.database)
        try await database.migrate(Outbox.migrations)
        try await database.write { connection in
            for id in 1...4 {
                try connection.execute(
                    "INSERT INTO outbox_item (id, idempotency_key, enqueued_at, size) VALUES (\(id), \("item \(id)"), 0, 10)"
                )
                if id != 3 { try connection.execute("INSERT INTO outbox_payload VALUES (\(id), x'01')") }
            }
            // As if the row had been on a lost page: the total stays, and so does an item without its payload.
            try connection.execute("DROP TRIGGER outbox_item_removed")
            try connection.execute("DELETE FROM outbox_item WHERE id = 2")
        }
        await database.close()
        _ = try await Database.recover(folder.database)
        let recovered = try await Database(at: folder.database)
        let total = try await recovered.read { connection in
            try connection.query("SELECT items, bytes FROM outbox_total") { try $0.values() }
        }
        #expect(total == [[.integer(2), .integer(20)]])
        await recovered.close()
    }
}
