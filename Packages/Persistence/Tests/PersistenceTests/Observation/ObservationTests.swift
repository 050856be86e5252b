// SPDX-License-Identifier: MIT

import Concurrency
import Dispatch
import Foundation
import TestKit
import Testing

@testable import Persistence

@Suite(.timeLimit(.minutes(5))) struct ObservationTests {
    private let folder: TemporaryFolder
    private let database: Database

    init() async throws {
        folder = try TemporaryFolder()
        database = try await Database(at: folder.database)
        try await database.write { connection in
            try connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT) STRICT")
            try connection.execute("CREATE TABLE part (item INTEGER REFERENCES item(id) ON DELETE CASCADE) STRICT")
            try connection.execute("CREATE TABLE pair (a TEXT PRIMARY KEY, b TEXT) STRICT, WITHOUT ROWID")
            try connection.execute("CREATE TABLE other (id INTEGER PRIMARY KEY) STRICT")
            try connection.execute("CREATE VIEW names AS SELECT name FROM item")
            try connection.execute("CREATE VIRTUAL TABLE words USING fts5(body)")
        }
    }

    private func count(_ table: StaticString) -> DatabaseObservation<Int> {
        database.observe { connection in
            try connection.first("SELECT count(*) FROM \(literal: table)", as: Int.self) ?? -1
        }
    }

    private func write(_ sql: SQL) async throws {
        try await database.write(durability: .normal) { try $0.execute(sql) }
    }

    @Test func theFirstValueComesAtOnceAndTheNextAfterACommit() async throws {
        var values = count("item").makeAsyncIterator()
        #expect(try await values.next() == 0)
        try await write("INSERT INTO item (name) VALUES ('a')")
        #expect(try await values.next() == 1)
        try await write("INSERT INTO item (name) VALUES ('b')")
        #expect(try await values.next() == 2)
    }

    @Test func aSlowConsumerGetsTheNewestOnly() async throws {
        var values = count("item").makeAsyncIterator()
        #expect(try await values.next() == 0)
        for _ in 0..<20 { try await write("INSERT INTO item (name) VALUES ('a')") }
        #expect(try await values.next() == 20)
    }

    @Test func whatTouchesNothingThatWasReadIsNotTold() async throws {
        let reads = Guarded(0)
        let observation = database.observe { connection in
            reads.withLock { $0 += 1 }
            return try connection.first("SELECT count(*) FROM item", as: Int.self) ?? -1
        }
        var values = observation.makeAsyncIterator()
        #expect(try await values.next() == 0)
        try await write("INSERT INTO other DEFAULT VALUES")
        await #expect(throws: DatabaseError.self) { try await write("INSERT INTO part VALUES (7)") }
        try await write("INSERT INTO item (name) VALUES ('a')")
        #expect(try await values.next() == 1)
        #expect(reads.withLock { $0 } == 2)
    }

    /// `sqlite3_update_hook` would miss most of these.
    @Test(
        arguments: [
            ("names", "INSERT INTO item (name) VALUES ('seen through the view')"),
            ("item", "DELETE FROM item"),
            ("part", "DELETE FROM item WHERE id = 1"),
            ("pair", "INSERT INTO pair VALUES ('a', 'b')"),
            ("words", "INSERT INTO words VALUES ('a text')"),
            ("item", "ALTER TABLE item ADD COLUMN more TEXT"),
            ("item", "UPDATE item SET name = 'same' WHERE id = 1"),
        ] as [(StaticString, SQL)])
    func everyKindOfChangeIsTold(table: StaticString, change: SQL) async throws {
        try await write("INSERT INTO item (name) VALUES ('first')")
        try await write("INSERT INTO part VALUES (1)")
        var values = count(table).makeAsyncIterator()
        _ = try await values.next()
        try await write(change)
        #expect(try await values.next() != nil)
    }

    @Test func aTransactionThatIsUndoneIsNotTold() async throws {
        var values = count("item").makeAsyncIterator()
        #expect(try await values.next() == 0)
        struct Unwanted: Error {}
        await #expect(throws: Unwanted.self) {
            try await database.write { connection in
                try connection.execute("INSERT INTO item (name) VALUES ('undone')")
                throw Unwanted()
            }
        }
        try await write("INSERT INTO item (name) VALUES ('kept')")
        #expect(try await values.next() == 1)
    }

    @Test func itEndsWhenItsTaskIsCancelled() async throws {
        let observation = count("item")
        let (started, continuation) = AsyncStream<Void>.makeStream()
        let task = Task {
            var values: [Int] = []
            for try await value in observation {
                values.append(value)
                continuation.yield()
            }
            return values
        }
        for await _ in started { break }
        task.cancel()
        #expect(try await task.value == [0])
    }

    @Test func itThrowsWhenTheDatabaseIsClosed() async throws {
        let observation = count("item")
        let (started, continuation) = AsyncStream<Void>.makeStream()
        let task = Task {
            for try await _ in observation { continuation.yield() }
        }
        for await _ in started { break }
        await database.close()
        await #expect(throws: DatabaseError.self) { try await task.value }
    }

    @Test func manyObserversAndWritersEndOnTheLastValue() async throws {
        let observation = count("item")
        let database = database
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for try await value in observation where value == 100 { break }
                }
                group.addTask {
                    for _ in 0..<25 {
                        try await database.write(durability: .normal) { connection in
                            try connection.execute("INSERT INTO item (name) VALUES ('a')")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func commitsOfOtherProcessesAreTold() async throws {
        var values = count("item").makeAsyncIterator()
        #expect(try await values.next() == 0)
        let shell = try ChildProcess(
            "sqlite3", [folder.database, "INSERT INTO item (name) VALUES ('from outside')"])
        var newest: Int? = 0
        while newest == 0 { newest = try await values.next() }
        #expect(newest == 1)
        #expect(shell.wait() == .exited(0))
    }

    @Test func commitsOfAnotherConnectionInThisProcessAreTold() async throws {
        let other = try await Database(at: folder.database)
        var values = count("item").makeAsyncIterator()
        #expect(try await values.next() == 0)
        for expected in 1...5 {
            try await other.write { try $0.execute("INSERT INTO item (name) VALUES ('a')") }
            var newest: Int? = expected - 1
            while newest == expected - 1 { newest = try await values.next() }
            #expect(newest == expected)
        }
    }

    @Test func regionsOverlap() {
        let some = Region.tables(["a", "b"])
        #expect(some.overlaps(.tables(["b", "c"])) && !some.overlaps(.tables(["c"])) && some.overlaps(.everything))
        #expect(!Region.nothing.overlaps(.everything) && Region.everything.overlaps(.tables(["x"])))
        #expect(!Region.everything.overlaps(.nothing))
    }
}
