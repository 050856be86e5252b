// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import Persistence
import TestKit
import Testing

/// Transactions whose closure may wait.
@Suite(.timeLimit(.minutes(5))) struct OpenTransactionTests {
    private struct Unwanted: Error {}

    private let folder: TemporaryFolder
    private let database: Database
    private let memory: Database

    init() async throws {
        folder = try TemporaryFolder()
        database = try await Database(at: folder.database)
        memory = try await Database.inMemory()
        for database in [database, memory] {
            try await database.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT) STRICT") }
        }
    }

    private func names(_ database: Database) async throws -> [String] {
        try await database.read { try $0.query("SELECT name FROM item ORDER BY id", as: String.self) }
    }

    @Test func `a transaction commits after its closure has waited`() async throws {
        for database in [database, memory] {
            let step = Promise<Void>()
            async let count = database.transaction { transaction in
                try await transaction.run { try $0.execute("INSERT INTO item (name) VALUES ('a')") }
                try await step.value()
                return try await transaction.run { connection in
                    try connection.execute("INSERT INTO item (name) VALUES ('b')")
                    return try connection.first("SELECT count(*) FROM item", as: Int.self)
                }
            }
            step.resolve(.success(()))
            #expect(try await count == 2)
            #expect(try await names(database) == ["a", "b"])
        }
    }

    @Test func `an error undoes it and the next write works`() async throws {
        for database in [database, memory] {
            await #expect(throws: Unwanted.self) {
                try await database.transaction { transaction in
                    try await transaction.run { try $0.execute("INSERT INTO item (name) VALUES ('a')") }
                    throw Unwanted()
                }
            }
            try await database.write { try $0.execute("INSERT INTO item (name) VALUES ('b')") }
            #expect(try await names(database) == ["b"])
        }
    }

    @Test func `cancelling while the closure waits undoes it`() async throws {
        for database in [database, memory] {
            let (waits, never) = (Promise<Void>(), Promise<Void>())
            let task = Task {
                try await database.transaction { transaction in
                    try await transaction.run { try $0.execute("INSERT INTO item (name) VALUES ('a')") }
                    waits.resolve(.success(()))
                    try await never.value()
                }
            }
            try await waits.value()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await names(database).isEmpty)
        }
    }

    @Test func `a cancelled closure that returns is undone`() async throws {
        let database = database
        let task = Task {
            try await database.transaction { transaction in
                try await transaction.run { try $0.execute("INSERT INTO item (name) VALUES ('a')") }
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await names(database).isEmpty)
    }

    @Test func `others wait while a closure holds the turn`() async throws {
        let database = database
        let (started, end) = (Promise<Void>(), Promise<Void>())
        async let first: Void = database.transaction { transaction in
            try await transaction.run { try $0.execute("INSERT INTO item (name) VALUES ('a')") }
            started.resolve(.success(()))
            try await end.value()
            try await transaction.run { try $0.execute("INSERT INTO item (name) VALUES ('b')") }
        }
        try await started.value()
        #expect(try await names(database).isEmpty, "a read goes on beside it")
        async let second: Void = database.write { try $0.execute("INSERT INTO item (name) VALUES ('c')") }
        end.resolve(.success(()))
        _ = try await (first, second)
        #expect(try await names(database) == ["a", "b", "c"])
    }

    @Test func `a statement after the end throws`() async throws {
        for database in [database, memory] {
            let kept = try await database.transaction { $0 }
            #expect(
                await code {
                    try await kept.run { try $0.execute("INSERT INTO item (name) VALUES ('late')") }
                } == .transactionEnded)
            let late = try await database.snapshot { $0 }
            try await database.transaction { _ in
                #expect(await code { _ = try await late.run { _ in } } == .transactionEnded)
            }
            #expect(try await names(database).isEmpty)
        }
    }

    @Test func `a write inside its own transaction throws`() async throws {
        for database in [database, memory] {
            try await database.transaction { transaction in
                try await transaction.run { try $0.execute("INSERT INTO item (name) VALUES ('a')") }
                #expect(await code { try await database.write { _ in } } == .transactionOpen)
                #expect(await code { try await database.transaction { _ in } } == .transactionOpen)
            }
            #expect(try await names(database) == ["a"])
        }
        #expect(
            await code { try await memory.snapshot { _ in try await memory.read { _ in } } } == .transactionOpen)
    }

    @Test func `another database's write inside a transaction works`() async throws {
        try await database.transaction { transaction in
            try await memory.transaction { other in
                try await transaction.run { try $0.execute("INSERT INTO item (name) VALUES ('a')") }
                try await other.run { try $0.execute("INSERT INTO item (name) VALUES ('b')") }
            }
        }
        #expect(try await names(database) == ["a"])
        #expect(try await names(memory) == ["b"])
    }

    @Test func `reads inside reads never wait for themselves`() async throws {
        let database = database
        @Sendable func nested(_ depth: Int) async throws {
            try await database.snapshot { snapshot in
                _ = try await snapshot.run { try $0.first("SELECT 1", as: Int.self) }
                if depth > 0 { try await nested(depth - 1) }
            }
        }
        try await nested(1)
        #expect(await code { try await nested(20) } == .transactionOpen)
        try await nested(1)
    }

    @Test func `a snapshot does not change and cannot write`() async throws {
        for database in [database, memory] {
            try await database.snapshot { snapshot in
                let before = try await snapshot.run { try $0.first("SELECT count(*) FROM item", as: Int.self) }
                if database.path != nil {
                    try await database.write { try $0.execute("INSERT INTO item (name) VALUES ('a')") }
                }
                #expect(
                    try await snapshot.run { try $0.first("SELECT count(*) FROM item", as: Int.self) } == before)
                #expect(
                    await code {
                        try await snapshot.run {
                            try $0.forEach("INSERT INTO item (name) VALUES ('b') RETURNING id") { _ in }
                        }
                    } == .readOnly)
            }
            try await database.write { try $0.execute("INSERT INTO item (name) VALUES ('c')") }
        }
        #expect(try await names(database) == ["a", "c"])
    }

    @Test func `statements run on the connection's thread`() async throws {
        let database = database
        try await database.transaction { transaction in
            let outside = pthread_self()
            let inside = try await transaction.run { _ in pthread_self() }
            #expect(outside == inside, "a statement needs no change of threads")
        }
    }

    @Test func `closing waits for an open transaction`() async throws {
        let database = database
        let (started, end) = (Promise<Void>(), Promise<Void>())
        async let snapshot = database.snapshot { snapshot in
            started.resolve(.success(()))
            try await end.value()
            return try await snapshot.run { try $0.first("SELECT count(*) FROM item", as: Int.self) }
        }
        try await started.value()
        async let closing: Void = database.close()
        end.resolve(.success(()))
        #expect(try await snapshot == 0)
        await closing
        #expect(await code { try await database.transaction { _ in } } == .closed)
        #expect(await code { try await database.snapshot { _ in } } == .closed)
    }

    @Test func `a hundred transactions that wait lose no update`() async throws {
        let database = database
        try await database.write { try $0.execute("INSERT INTO item VALUES (0, NULL)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await database.transaction(durability: .normal) { transaction in
                        let value =
                            try await transaction.run { try $0.first("SELECT id FROM item", as: Int.self) } ?? -1
                        await Task { _ = value }.value
                        try await transaction.run { try $0.execute("UPDATE item SET id = \(value + 1)") }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await database.read { try $0.first("SELECT id FROM item", as: Int.self) } == 100)
    }
}
