// SPDX-License-Identifier: MIT

import Concurrency
import PostgresTestSupport
import TestKit
import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(5))) struct NotificationTests {
    @Test func `a notification arrives with the commit`() async throws {
        try await withDatabase { database in
            var reader = database.notifications(channel: "Jobs \"1\"").makeAsyncIterator()
            #expect(try await reader.next() == PostgresNotification(payload: "", mayHaveMissed: true))
            try await database.write { connection in
                try await connection.notify(channel: "Jobs \"1\"", payload: "a")
                try await connection.notify(channel: "other", payload: "b")
                try await connection.notify(channel: "Jobs \"1\"", payload: "c")
            }
            #expect(try await reader.next() == PostgresNotification(payload: "a", mayHaveMissed: false))
            #expect(try await reader.next() == PostgresNotification(payload: "c", mayHaveMissed: false))
        }
    }

    @Test func `a cancelled statement ends although the database closes`() async throws {
        try await withDatabase { database in
            let other = try PostgresDatabase(database.configuration)
            let statement = Task { try await database.read { try await $0.execute("SELECT pg_sleep(600)") } }
            try await eventually("the statement runs") {
                try await other.read { connection in
                    try await connection.first(
                        """
                        SELECT count(*) FROM pg_stat_activity
                        WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT pg_sleep%'
                        """, as: Int.self)
                } == 1
            }
            // As close() does before it waits. No connection is opened from here on.
            database.tasks.cancel()
            statement.cancel()
            _ = await statement.result
            await other.close()
        }
    }

    @Test func `readers of several channels share one connection`() async throws {
        try await withDatabase { database in
            var first = database.notifications(channel: "a").makeAsyncIterator()
            _ = try await first.next()
            var (second, third) = (
                database.notifications(channel: "b").makeAsyncIterator(),
                database.notifications(channel: "a").makeAsyncIterator()
            )
            #expect(try await second.next()?.mayHaveMissed == true)
            #expect(try await third.next()?.mayHaveMissed == true)
            try await database.notify(channel: "a", payload: "x")
            try await database.notify(channel: "b", payload: "y")
            #expect(try await first.next()?.payload == "x")
            #expect(try await third.next()?.payload == "x")
            #expect(try await second.next()?.payload == "y")
            let listeners = try await database.read {
                try await $0.first(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
                    as: Int.self)
            }
            #expect(listeners == 1)
        }
    }

    @Test func `readers that come and go at once do no harm`() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        try await withDatabase { database in
            await withTaskGroup { group in
                for number in 0..<8 {
                    group.addTask {
                        var random = SeededGenerator(seed: seed &+ UInt64(number))
                        for _ in 0..<30 {
                            var readers = (0..<50).map { _ in database.notifications.subscribe(to: "a") }
                            await disturbOrder(Int.random(in: 0..<4, using: &random))
                            while !readers.isEmpty { readers.removeFirst() }
                        }
                    }
                }
            }
            var reader = database.notifications(channel: "a").makeAsyncIterator()
            let first = try await reader.next()
            #expect(first?.mayHaveMissed == true, "seed \(seed)")
        }
    }

    @Test func `a lost connection is established anew and says so`() async throws {
        let cluster = try await PostgresCluster.start()
        let database = try PostgresDatabase(try PostgresConfiguration(url: try cluster.makeDatabase()))
        var reader = database.notifications(channel: "a").makeAsyncIterator()
        _ = try await reader.next()
        for _ in 0..<2 {
            try cluster.restart()
            #expect(try await reader.next() == PostgresNotification(payload: "", mayHaveMissed: true))
            try await database.notify(channel: "a", payload: "x")
            #expect(try await reader.next() == PostgresNotification(payload: "x", mayHaveMissed: false))
        }
        await database.close()
        #expect(try await reader.next() == nil)
    }

    @Test func `without readers there is no connection`() async throws {
        try await withDatabase { database in
            do {
                var reader = database.notifications(channel: "a").makeAsyncIterator()
                _ = try await reader.next()
            }
            try await eventually("no listener") {
                try await database.read {
                    try await $0.first(
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()", as: Int.self)
                } == 1
            }
            var reader = database.notifications(channel: "a").makeAsyncIterator()
            #expect(try await reader.next()?.mayHaveMissed == true)
        }
    }

    @Test func `a cancelled reader ends`() async throws {
        try await withDatabase { database in
            let reading = Task {
                var reader = database.notifications(channel: "a").makeAsyncIterator()
                _ = try await reader.next()
                cancelCurrentTask()
                return try await reader.next()
            }
            let end = try await reading.value
            #expect(end == nil)
        }
    }

    @Test(arguments: ["", String(repeating: "x", count: 64), "a\0b"])
    func `an impossible channel is an error`(channel: String) async throws {
        try await withDatabase { database in
            var reader = database.notifications(channel: channel).makeAsyncIterator()
            await expect(.invalidValue) { try await reader.next() }
        }
    }

    @Test func `a slow reader gets the newest and a warning`() {
        var buffer = NotificationBuffer()
        #expect(buffer.next() == nil)
        for number in 0..<64 { buffer.add("\(number)") }
        buffer.add("5")
        #expect(buffer.next() == PostgresNotification(payload: "0", mayHaveMissed: false))
        buffer.add("64")
        buffer.add("65")
        #expect(buffer.next() == PostgresNotification(payload: "65", mayHaveMissed: true))
        #expect(buffer.isEmpty)
        buffer.addBreak()
        buffer.addBreak()
        #expect(buffer.next() == PostgresNotification(payload: "", mayHaveMissed: true))
        #expect(buffer.next() == nil)
    }
}
