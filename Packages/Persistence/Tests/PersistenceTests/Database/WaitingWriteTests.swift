// SPDX-License-Identifier: MIT

import CSQLite
import Diagnostics
import Dispatch
import Foundation
import TestKit
import Testing

@testable import Persistence

/// Writes that wait for other writes, of this process and of others.
@Suite(.timeLimit(.minutes(5))) struct WaitingWriteTests {
    private let folder: TemporaryFolder
    private let database: Database

    init() async throws {
        folder = try TemporaryFolder()
        database = try await Database(at: folder.database)
        try await database.write { connection in
            try connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT")
            try connection.execute("INSERT INTO item VALUES (1, 'first')")
        }
    }

    private func names(_ database: Database? = nil) async throws -> [String] {
        try await (database ?? self.database).read {
            try $0.query("SELECT name FROM item ORDER BY id", as: String.self)
        }
    }

    /// A write that holds the writer until `release` is signalled; returns once it does.
    private func hold(_ release: DispatchSemaphore) async -> Task<Void, any Error> {
        let database = database
        return await withCheckedContinuation { continuation in
            let box = DispatchSemaphore(value: 0)
            let task = Task {
                try await database.write { connection in
                    box.signal()
                    release.wait()
                    try connection.execute("INSERT INTO item (name) VALUES ('held')")
                }
            }
            DispatchQueue.global().async {
                box.wait()
                continuation.resume(returning: task)
            }
        }
    }

    @Test func aWriteBehindAnotherIsCancelledAtOnce() async throws {
        let release = DispatchSemaphore(value: 0)
        let holding = await hold(release)
        let database = database
        for isCancelledBefore in [false, true] {
            let waiting = Task {
                if isCancelledBefore { withUnsafeCurrentTask { $0?.cancel() } }
                try await database.write { try $0.execute("INSERT INTO item (name) VALUES ('never')") }
            }
            waiting.cancel()
            // The other write holds the writer until below: without the cancellation this would never return.
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        let migration = Task { _ = try await database.migrate([]) }
        migration.cancel()
        await #expect(throws: CancellationError.self) { try await migration.value }
        release.signal()
        try await holding.value
        #expect(try await names() == ["first", "held"])
        try await database.write { try $0.execute("INSERT INTO item (name) VALUES ('after')") }
        #expect(try await names() == ["first", "held", "after"])
    }

    @Test func cancellingAfterTheCommitChangesNothing() async throws {
        let database = database
        let committed = Task {
            try await database.write { try $0.execute("INSERT INTO item (name) VALUES ('kept')") }
            withUnsafeCurrentTask { $0?.cancel() }
        }
        try await committed.value
        #expect(try await names() == ["first", "kept"])
    }

    @Test func waitingWritesRunInOrderAndSomeAreCancelledAmongThem() async throws {
        let database = database
        let gate = WriteGate()
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        var tasks: [(Task<Int, any Error>, Bool)] = []
        for number in 0..<200 {
            let isCancelled = Int.random(in: 0..<3, using: &generator) == 0
            let task = Task {
                try await gate.pass {
                    try await database.write(durability: .normal) { connection in
                        try connection.execute("INSERT INTO item (name) VALUES (\("\(number)"))")
                        return number
                    }
                }
            }
            if isCancelled { task.cancel() }
            tasks.append((task, isCancelled))
        }
        var expected = 1
        for (number, (task, isCancelled)) in tasks.enumerated() {
            let result = await task.result
            if !isCancelled { #expect(throws: Never.self, "seed \(seed), \(number)") { try result.get() } }
            if case .success = result { expected += 1 }
        }
        #expect(try await names().count == expected, "seed \(seed)")
    }

    @Test func closingWaitsForTheWritesBeforeIt() async throws {
        let release = DispatchSemaphore(value: 0)
        let holding = await hold(release)
        let database = database
        async let closed: Void = database.close()
        release.signal()
        try await holding.value
        await closed
        #expect(try await names(Database(at: folder.database)) == ["first", "held"])
        #expect(await code { try await database.write { _ in } } == .closed)
    }

    /// Two connections on one file, without what `Database` does about it.
    private func connection() throws -> WritableConnection {
        try Connection.open(
            DatabaseFile(path: folder.database), role: .writer, configuration: .init(), logger: .disabled)
    }

    @Test func anOldSnapshotThatWantsToWriteIsBusyAtOnceAndLosesNothing() async throws {
        let (one, two) = (try connection(), try connection())
        defer {
            one.close()
            two.close()
        }
        // What a transaction that begins by reading comes to: SQLITE_BUSY_SNAPSHOT, for which waiting is of no use.
        try one.internally("BEGIN")
        one.isInTransaction = true
        #expect(try one.first("SELECT count(*) FROM item", as: Int.self) == 1)
        try two.writing(durability: .normal) { try $0.execute("INSERT INTO item (name) VALUES ('two')") }
        do {
            try one.execute("INSERT INTO item (name) VALUES ('one')")
            Issue.record("An old snapshot was written.")
        } catch let error as DatabaseError {
            #expect(error.code == .busy)
            #expect(error.underlying == SQLITE_BUSY | 2 << 8, "SQLITE_BUSY_SNAPSHOT, a macro that Swift does not see")
        }
        one.isInTransaction = false
        try one.internally("ROLLBACK")
        #expect(try await names() == ["first", "two"])
    }

    @Test func twoWritersThatReadFirstNeverSeeAnOldSnapshot() async throws {
        let other = try await Database(at: folder.database)
        let (read, written) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let database = database
        // The same order of events through `Database`: the second write waits, since the first holds the lock from its
        // beginning, and then reads what the first has written.
        let first = Task {
            try await database.write { connection in
                let count = try connection.first("SELECT count(*) FROM item", as: Int.self) ?? -1
                read.signal()
                written.wait()
                try connection.execute("INSERT INTO item (name) VALUES (\("one after \(count)"))")
            }
        }
        let second = Task {
            // On the reader's thread, so that no thread of Swift's is blocked.
            try await other.read { _ in read.wait() }
            try await other.write { connection in
                let count = try connection.first("SELECT count(*) FROM item", as: Int.self) ?? -1
                try connection.execute("INSERT INTO item (name) VALUES (\("two after \(count)"))")
            }
        }
        written.signal()
        try await first.value
        try await second.value
        #expect(try await names() == ["first", "one after 1", "two after 2"])
    }
}
