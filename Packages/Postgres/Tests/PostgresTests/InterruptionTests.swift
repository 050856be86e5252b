// SPDX-License-Identifier: MIT

import Concurrency
import Glibc
import PostgresTestSupport
import TestKit
import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(5))) struct InterruptionTests {
    /// Waits until a connection of the database runs a statement that sleeps.
    private func untilSleeping(_ database: PostgresDatabase, _ count: Int = 1) async throws {
        try await eventually("a sleeping statement") {
            try await sleepers(database) == count
        }
    }

    private func sleepers(_ database: PostgresDatabase) async throws -> Int? {
        try await database.read {
            try await $0.first(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT pg_sleep%'
                """, as: Int.self)
        }
    }

    @Test func `a cancelled task cancels its statement`() async throws {
        try await withDatabase({ $0.maximumConnections = 2 }) { database in
            try await database.write { try await $0.execute("CREATE TABLE t (x int)") }
            for _ in 0..<3 {
                let task = Task {
                    try await database.write { connection in
                        try await connection.execute("INSERT INTO t VALUES (1)")
                        try await connection.execute("SELECT pg_sleep(600)")
                    }
                }
                try await untilSleeping(database)
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                #expect(try await sleepers(database) == 0)
            }
            // The connection was kept, and nothing of the transaction.
            let (count, backends) = try await database.read { connection in
                (
                    try await connection.first("SELECT count(*) FROM t", as: Int.self),
                    try await connection.first(
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()", as: Int.self)
                )
            }
            #expect(count == 0 && backends == 2)
        }
    }

    @Test func `a task that is cancelled before it starts sends nothing`() async throws {
        try await withDatabase { database in
            try await database.write { try await $0.execute("CREATE TABLE t (x int)") }
            let task = Task {
                cancelCurrentTask()
                try await database.write { try await $0.execute("INSERT INTO t VALUES (1)") }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await database.read { try await $0.first("SELECT count(*) FROM t", as: Int.self) } == 0)
        }
    }

    @Test func `a task that is cancelled before the commit stores nothing`() async throws {
        try await withDatabase { database in
            try await database.write { try await $0.execute("CREATE TABLE t (x int)") }
            let task = Task {
                try await database.write { connection in
                    try await connection.execute("INSERT INTO t VALUES (1)")
                    cancelCurrentTask()
                }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await database.read { try await $0.first("SELECT count(*) FROM t", as: Int.self) } == 0)
        }
    }

    @Test func `a statement beyond its time limit is cancelled`() async throws {
        try await withDatabase({ $0.statementTimeout = .milliseconds(200) }) { database in
            await expect(.timeout) { try await database.read { try await $0.rows("SELECT pg_sleep(600)") } }
            let backends = try await database.read {
                try await $0.first(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()", as: Int.self)
            }
            #expect(backends == 1)
        }
    }

    @Test func `a silent server does not repeat a transaction`() async throws {
        try await withDatabase({
            $0.maximumConnections = 4
            $0.statementTimeout = .seconds(1)
        }) { database in
            let processes = try await serverProcesses(4, of: database)
            defer { for process in processes { kill(process, SIGCONT) } }
            for process in processes { #expect(kill(process, SIGSTOP) == 0) }
            let runs = Monitor(0)
            await expect(.timeout) {
                try await database.read { connection in
                    runs.withLock { $0 += 1 }
                    try await connection.execute("SELECT 1")
                }
            }
            #expect(runs.withLock { $0 } == 1)
        }
    }

    @Test func `a database closes although its server takes no request to cancel`() async throws {
        let cluster = try await PostgresCluster.start()
        var configuration = try PostgresConfiguration(url: try cluster.makeDatabase())
        (configuration.maximumConnections, configuration.statementTimeout) = (1, .seconds(2))
        let database = try PostgresDatabase(configuration)
        // A transaction that only read would end behind the stop.
        let processes = try await database.write { connection in
            [
                try await connection.first("SELECT pg_backend_pid()", as: Int.self),
                try await connection.first(
                    "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int8", as: Int.self),
            ].compactMap { $0.map(Int32.init) }
        }
        defer {
            for process in processes { kill(process, SIGCONT) }
            cluster.stop()
        }
        for process in processes { #expect(kill(process, SIGSTOP) == 0) }
        await expect(.timeout) { try await database.read { try await $0.execute("SELECT 1") } }
        await database.close()
    }

    /// The processes of that many connections, which are idle afterwards.
    private func serverProcesses(_ count: Int, of database: PostgresDatabase) async throws -> [Int32] {
        if count == 0 { return [] }
        return try await database.write { connection in
            let process = try await connection.first("SELECT pg_backend_pid()", as: Int.self)
            return try await serverProcesses(count - 1, of: database) + [Int32(try #require(process))]
        }
    }

    @Test func `a waiter for a connection has a time limit`() async throws {
        try await withDatabase({
            $0.maximumConnections = 1
            $0.acquireTimeout = .milliseconds(50)
        }) { database in
            // Connecting may take longer than that.
            try await eventually("a connection") { (try? await database.read { try await $0.rows("SELECT 1") }) != nil }
            try await database.write { connection in
                try await connection.execute("SELECT 1")
                await expect(.busy) { try await database.read { try await $0.rows("SELECT 1") } }
                try await connection.execute("SELECT 1")
            }
        }
    }

    @Test func `a waiter for a connection can be cancelled`() async throws {
        try await withDatabase({ $0.maximumConnections = 1 }) { database in
            try await database.write { connection in
                try await connection.execute("SELECT 1")
                let waiter = Task { try await database.read { try await $0.rows("SELECT 1") } }
                await disturbOrder(3)
                waiter.cancel()
                await #expect(throws: CancellationError.self) { try await waiter.value }
            }
            #expect(try await database.read { try await $0.first("SELECT 1", as: Int.self) } == 1)
        }
    }

    @Test func `200 tasks share 4 connections`() async throws {
        try await withDatabase({ $0.maximumConnections = 4 }) { database in
            try await database.write { connection in
                try await connection.pipeline([
                    "CREATE TABLE t (id int PRIMARY KEY, n int)", "INSERT INTO t VALUES (1, 0)",
                ])
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        if number.isMultiple(of: 2) {
                            _ = try await database.write(isolation: .readCommitted) {
                                try await $0.execute("UPDATE t SET n = n + 1 WHERE id = 1")
                            }
                        } else {
                            _ = try await database.read { try await $0.first("SELECT n FROM t", as: Int.self) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let (sum, backends) = try await database.read { connection in
                (
                    try await connection.first("SELECT n FROM t", as: Int.self),
                    try await connection.first(
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()", as: Int.self) ?? 0
                )
            }
            #expect(sum == 100 && backends <= 4)
        }
    }

    @Test func `cancellations at any moment leave connections usable`() async throws {
        try await withDatabase({ $0.maximumConnections = 3 }) { database in
            try await database.write { connection in
                try await connection.pipeline(["CREATE TABLE t (n int)", "INSERT INTO t VALUES (0)"])
            }
            let stored = Monitor(0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<150 {
                    let task = Task {
                        try await database.write(isolation: .readCommitted) { connection in
                            try await connection.execute("UPDATE t SET n = n + 1")
                            _ = try await connection.first("SELECT n, pg_sleep(0.001) FROM t") { _ in 1 }
                        }
                        stored.withLock { $0 += 1 }
                    }
                    group.addTask {
                        await disturbOrder(number % 40)
                        if !number.isMultiple(of: 5) { task.cancel() }
                        do { try await task.value } catch is CancellationError {}
                    }
                }
                try await group.waitForAll()
            }
            let sum = try await database.read { try await $0.first("SELECT n FROM t", as: Int.self) }
            #expect(sum == stored.withLock { $0 })
        }
    }
}
