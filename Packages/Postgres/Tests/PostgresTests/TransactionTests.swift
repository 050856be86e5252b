// SPDX-License-Identifier: MIT

import Concurrency
import TestKit
import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(5))) struct TransactionTests {
    private func withTable(
        _ change: (inout PostgresConfiguration) -> Void = { _ in },
        _ body: (PostgresDatabase) async throws -> Void
    ) async throws {
        try await withDatabase(change) { database in
            try await database.write { connection in
                try await connection.pipeline([
                    "CREATE TABLE t (id bigint CONSTRAINT t_key PRIMARY KEY, n bigint NOT NULL)",
                    "INSERT INTO t SELECT i, 0 FROM generate_series(1, 10) AS i",
                ])
            }
            try await body(database)
        }
    }

    private func sum(_ database: PostgresDatabase) async throws -> Int? {
        try await database.read { try await $0.first("SELECT sum(n) FROM t", as: Int.self) }
    }

    @Test func `a closure that throws undoes its writes`() async throws {
        struct Stop: Error {}
        try await withTable { database in
            await #expect(throws: Stop.self) {
                try await database.write { connection in
                    #expect(try await connection.execute("UPDATE t SET n = 1") == 10)
                    throw Stop()
                }
            }
            let sum = try await sum(database)
            #expect(sum == 0)
        }
    }

    @Test func `a read sees one snapshot and cannot write`() async throws {
        try await withTable { database in
            try await database.read { connection in
                #expect(try await connection.first("SELECT n FROM t WHERE id = 1", as: Int.self) == 0)
                try await database.write { try await $0.execute("UPDATE t SET n = 1") }
                #expect(try await connection.first("SELECT n FROM t WHERE id = 2", as: Int.self) == 0)
            }
            let error = await expect(.readOnly) {
                try await database.read { try await $0.execute("UPDATE t SET n = 2") }
            }
            #expect(error?.sqlState == "25006")
            #expect(try await sum(database) == 10)
        }
    }

    @Test func `a violated constraint has its name and no values`() async throws {
        try await withTable { database in
            let error = await expect(.constraint) {
                try await database.write { try await $0.execute("INSERT INTO t VALUES (\(7), \(4_711))") }
            }
            #expect(error?.constraint == "t_key" && error?.sqlState == "23505")
            #expect(error?.description.contains("4711") == false)
            let other = await expect(.invalidValue) {
                try await database.write { try await $0.execute("SELECT CAST(\("sesame") AS bigint)") }
            }
            #expect(other?.description.contains("sesame") == false)
            await expect(.undefinedTable) { try await database.read { try await $0.rows("SELECT 1 FROM missing") } }
            await expect(.invalidSQL) { try await database.read { try await $0.rows("SELEKT") } }
        }
    }

    @Test func `an error that is swallowed ends the transaction`() async throws {
        try await withTable { database in
            await expect(.transactionEnded) {
                try await database.write { connection in
                    try await connection.execute("UPDATE t SET n = 1")
                    _ = try? await connection.execute("SELEKT")
                }
            }
            let sum = try await sum(database)
            #expect(sum == 0)
        }
    }

    @Test(arguments: ["COMMIT", "ROLLBACK"]) func `a closure cannot end its transaction unnoticed`(word: String)
        async throws
    {
        try await withTable { database in
            await expect(.transactionEnded) {
                try await database.write { connection in
                    try await connection.execute("UPDATE t SET n = 1")
                    try await connection.execute(PostgresStatement(text: word))
                }
            }
            let one = try await database.read { try await $0.first("SELECT 1", as: Int.self) }
            #expect(one == 1)
        }
    }

    @Test func `COPY is refused and the connection replaced`() async throws {
        try await withTable { database in
            for statement: PostgresStatement in ["COPY t TO STDOUT", "COPY t FROM STDIN"] {
                await expect(.invalidSQL) { try await database.write { try await $0.execute(statement) } }
            }
            let sum = try await sum(database)
            #expect(sum == 0)
        }
    }

    @Test func `a connection is refused after its transaction`() async throws {
        try await withTable { database in
            let kept = try await database.write { $0 }
            await expect(.transactionEnded) { try await kept.rows("SELECT 1") }
        }
    }

    @Test func `a server that does not exist is an error`() async throws {
        var nowhere = PostgresConfiguration(hosts: [.init("/nowhere")], database: "x")
        // Long enough that the first attempt has failed by then, whatever else the machine does.
        nowhere.acquireTimeout = .seconds(5)
        let database = try PostgresDatabase(nowhere)
        await expect(.connection) { try await database.read { try await $0.rows("SELECT 1") } }
        await database.close()
        await expect(.closed) { try await database.read { _ in } }
    }

    // MARK: Conflicts

    /// Each of two transactions reads what the other writes: with snapshots alone, both would succeed.
    @Test func `write skew is repeated until it is serial`() async throws {
        try await withTable { database in
            let attempts = Monitor(0)
            let bothHaveRead = Monitor(0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in [1, 2] {
                    group.addTask {
                        try await database.write { connection in
                            let number = attempts.withLock { attempts in
                                attempts += 1
                                return attempts
                            }
                            let sum = try await connection.first("SELECT sum(n) FROM t WHERE id < 3", as: Int.self)
                            if number <= 2 {
                                bothHaveRead.withLock { $0 += 1 }
                                try await bothHaveRead.wait { $0 == 2 }
                            }
                            // At most one of the two may be set.
                            if sum == 0 { try await connection.execute("UPDATE t SET n = 1 WHERE id = \(id)") }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await sum(database) == 1)
            #expect(attempts.withLock { $0 } == 3)
        }
    }

    @Test func `a deadlock is repeated`() async throws {
        try await withTable { database in
            let locked = Monitor(0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for ids in [[1, 2], [2, 1]] {
                    group.addTask {
                        try await database.write(isolation: .readCommitted) { connection in
                            try await connection.execute("UPDATE t SET n = n + 1 WHERE id = \(ids[0])")
                            locked.withLock { $0 += 1 }
                            try await locked.wait { $0 >= 2 }
                            try await connection.execute("UPDATE t SET n = n + 1 WHERE id = \(ids[1])")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await sum(database) == 4)
        }
    }

    @Test func `conflicts without end are a typed error`() async throws {
        try await withTable({ $0.maximumAttempts = 3 }) { database in
            let attempts = Monitor(0)
            let error = await expect(.conflict) {
                try await database.write { connection in
                    attempts.withLock { $0 += 1 }
                    _ = try await connection.first("SELECT n FROM t WHERE id = 1", as: Int.self)
                    try await database.write { try await $0.execute("UPDATE t SET n = n + 1 WHERE id = 1") }
                    try await connection.execute("UPDATE t SET n = n + 1 WHERE id = 1")
                }
            }
            #expect(error?.sqlState == "40001" && attempts.withLock { $0 } == 3)
            let sum = try await sum(database)
            #expect(sum == 3)
        }
    }

    @Test func `less isolation is a choice`() async throws {
        try await withTable { database in
            for (isolation, name) in [
                (PostgresIsolation.serializable, "serializable"), (.readCommitted, "read committed"),
            ] {
                let found = try await database.write(isolation: isolation) {
                    try await $0.first("SELECT current_setting('transaction_isolation')", as: String.self)
                }
                #expect(found == name)
            }
        }
    }

    // MARK: Pipelines

    @Test func `a pipeline gives each statement's rows`() async throws {
        try await withTable { database in
            let rows = try await database.write { connection in
                try await connection.pipeline([
                    "SELECT 1 AS x", "UPDATE t SET n = 5 WHERE id < 3", "SELECT id FROM t WHERE n = 5 ORDER BY id",
                ])
            }
            #expect(rows.map(\.count) == [1, 0, 2])
            #expect(try rows[2][1]["id"] == 2)
        }
    }

    @Test func `the first error of a pipeline skips the rest`() async throws {
        try await withTable { database in
            await expect(.constraint) {
                try await database.write { connection in
                    try await connection.pipeline([
                        "UPDATE t SET n = 1", "INSERT INTO t VALUES (1, 1)", "UPDATE t SET n = 2",
                    ])
                }
            }
            #expect(try await sum(database) == 0)
            let count = try await database.write { try await $0.execute("UPDATE t SET n = 2") }
            #expect(count == 10)
        }
    }

    @Test func `long pipelines and values do not block`() async throws {
        try await withTable { database in
            let text = String(repeating: "x", count: 100_000)
            let counts = try await database.read { connection in
                try await connection.pipeline((0..<40).map { "SELECT \(text) AS text, \($0) AS n" }).map(\.count)
            }
            #expect(counts == Array(repeating: 1, count: 40))
        }
    }

    @Test func `tasks of one closure share its connection`() async throws {
        try await withTable { database in
            let numbers = try await database.read { connection in
                try await withThrowingTaskGroup(of: Int?.self) { group in
                    for number in 0..<50 {
                        group.addTask { try await connection.first("SELECT \(number)", as: Int.self) }
                    }
                    return try await group.reduce(into: Set()) { $0.insert($1) }
                }
            }
            #expect(numbers.count == 50)
        }
    }

    // MARK: Prepared statements

    @Test func `the least recently used statement makes room`() async throws {
        try await withTable({ $0.preparedStatements = 4 }) { database in
            try await database.read { connection in
                for number in 0..<20 {
                    let statement = PostgresStatement(text: "SELECT \(number)")
                    #expect(try await connection.first(statement, as: Int.self) == number)
                }
                let kept = try await connection.first("SELECT count(*) FROM pg_prepared_statements", as: Int.self)
                // The one that was replaced by this statement is released after it.
                #expect(kept == 5)
            }
        }
    }

    @Test func `without prepared statements everything works`() async throws {
        try await withTable({ $0.preparedStatements = 0 }) { database in
            try await database.write { try await $0.execute("UPDATE t SET n = \(3) WHERE id = \(1)") }
            #expect(try await sum(database) == 3)
            let count = try await database.read {
                try await $0.first("SELECT count(*) FROM pg_prepared_statements", as: Int.self)
            }
            #expect(count == 0)
        }
    }

    @Test func `a changed table is prepared anew`() async throws {
        try await withTable({ $0.maximumConnections = 1 }) { database in
            let read: @Sendable () async throws -> [String] = {
                try await database.read { try await $0.rows("SELECT * FROM t LIMIT 1") }.first?.columns ?? []
            }
            #expect(try await read() == ["id", "n"])
            try await database.write { try await $0.execute("ALTER TABLE t ADD COLUMN more text") }
            #expect(try await read() == ["id", "n", "more"])
        }
    }

    @Test func `an error while preparing leaves nothing behind`() async throws {
        try await withTable { database in
            for _ in 0..<3 {
                await expect(.undefinedTable) { try await database.read { try await $0.rows("SELECT 1 FROM later") } }
            }
            try await database.write { try await $0.execute("CREATE TABLE later ()") }
            #expect(try await database.read { try await $0.rows("SELECT 1 FROM later") }.isEmpty)
        }
    }
}
