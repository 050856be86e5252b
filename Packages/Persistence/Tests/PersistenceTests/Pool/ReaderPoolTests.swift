// SPDX-License-Identifier: MIT

import Dispatch
import Persistence
import TestKit
import Testing

@Suite struct ReaderPoolTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(readers: Int) async throws -> Database {
        let database = try await Database(at: folder.database, configuration: .init().with { $0.readerCount = readers })
        try await database.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY) STRICT") }
        return database
    }

    @Test func readsRunSideBySideUpToTheLimit() async throws {
        let database = try await open(readers: 3)
        // Each read waits for the other two: with fewer than three at once, none would end.
        let arrived = DispatchSemaphore(value: 0)
        let everyone = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    try await database.read { _ in
                        arrived.signal()
                        everyone.wait()
                    }
                }
            }
            try await database.write { _ in
                for _ in 0..<3 { arrived.wait() }
                for _ in 0..<3 { everyone.signal() }
            }
            try await group.waitForAll()
        }
    }

    @Test func oneMoreReadWaitsAndCancellingEndsTheWait() async throws {
        let database = try await open(readers: 1)
        let (started, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let holding: Void = database.read { _ in
            started.signal()
            release.wait()
        }
        try await database.write { _ in started.wait() }
        let waiting = Task { try await database.read { _ in true } }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { _ = try await waiting.value }
        let served = Task { try await database.read { _ in true } }
        release.signal()
        try await holding
        #expect(try await served.value)
    }

    @Test func manyReadsAndWritesAtOnceSeeWholeTransactions() async throws {
        let database = try await open(readers: 2)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await database.write(durability: .normal) { connection in
                        for _ in 0..<2 { try connection.execute("INSERT INTO item DEFAULT VALUES") }
                    }
                }
                group.addTask {
                    let count = try await database.read { connection in
                        try connection.first("SELECT count(*) FROM item", as: Int.self) ?? -1
                    }
                    #expect(count % 2 == 0)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func closingServesWhoReadsAndRefusesWhoWaits() async throws {
        let database = try await open(readers: 1)
        let (started, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let reading = database.read { _ in
            started.signal()
            release.wait()
            return true
        }
        try await database.write { _ in started.wait() }
        async let closing: Void = database.close()
        // The close has been heard when a read is refused and does not wait.
        while await code(of: {
            _ = try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await database.read { _ in } }
                await disturbOrder()
                group.cancelAll()
                try await group.waitForAll()
            }
        }) != .closed {}
        release.signal()
        #expect(try await reading)
        await closing
    }

    @Test func theLogStaysBoundedBesideReadsThatOverlap() async throws {
        let database = try await Database(
            at: folder.database,
            configuration: .init().with {
                $0.readerCount = 3
                $0.checkpointPages = 20
            })
        try await database.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, bytes BLOB) STRICT") }
        let bytes = [UInt8](repeating: 1, count: 20_000)
        var largest = 0
        // Reads that overlap: passive checkpoints hardly ever find the log unused. Short ones, so that each is over within
        // the 50 ms that the writer waits, also under the thread sanitizer on a machine that has other things to do.
        let isDone = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    while isDone.wait(timeout: .now()) == .timedOut {
                        try await database.read { connection in
                            try connection.forEach("SELECT count(*) FROM item") { _ in }
                            try connection.forEach(
                                """
                                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
                                SELECT count(*) FROM n
                                """
                            ) { _ in }
                        }
                    }
                    isDone.signal()
                }
            }
            for _ in 0..<500 {
                try await database.write(durability: .normal) { connection in
                    try connection.execute("INSERT INTO item (bytes) VALUES (\(bytes))")
                }
                largest = max(largest, try folder.size("test.sqlite-wal"))
            }
            isDone.signal()
            try await group.waitForAll()
        }
        // The writes are 10 MB. The bound is four times 20 pages, and what is written while one reader is waited for.
        #expect(largest < 3_000_000, "\(largest) bytes")
    }
}
