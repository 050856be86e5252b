// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Concurrency
import Diagnostics
import Foundation
import Networking
import Persistence
import TestKit
import Testing

@testable import ParleyServer

/// Limits of calls, maintenance and times over instances.
@Suite(.timeLimit(.minutes(5))) struct SharedLimitTests {
    private func database() async throws -> any ServerDatabase {
        try await PostgresServerDatabase.open(DatabaseKind.newPostgresURL(), logger: .disabled)
    }

    @Test func `calls at two instances count together`() async throws {
        // Signing in takes one. So few in a minute that none is given back while the test runs slowly.
        let instances = try await Instances { $1.callsPerAccountAndMinute = 4 }
        let (ada, bob) = (
            try await instances[0].signIn("ada@example.org"), try await instances[1].signIn("bob@example.org")
        )
        var statuses: [Int] = []
        for number in 0..<8 {
            let answer = try await instances[number % 2].call(.get, "/cues", as: ada)
            statuses.append(answer.status)
            if answer.status == 429 { #expect(answer.headers["Retry-After"].flatMap { Int($0) } ?? 0 > 0) }
        }
        // One is given back each 15 seconds.
        #expect(statuses.prefix(3) == [200, 200, 200] && statuses.count { $0 == 200 } < 6, "\(statuses)")
        #expect(try await instances[0].call(.get, "/cues", as: bob).status == 200)
        await instances.stop()
    }

    @Test func `racing calls take no more than the limit`() async throws {
        let database = try await database()
        let rates = SharedCallRates(database: database, kind: "calls", perMinute: 10)
        let taken = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var taken = 0
                    for _ in 0..<8 where try await rates.take(1, of: "ada") == nil { taken += 1 }
                    return taken
                }
            }
            return try await group.reduce(0, +)
        }
        // One is given back each six seconds.
        #expect((10..<20).contains(taken), "\(taken)")
        #expect(try await rates.take(10, of: "bob") == nil)
        try await SharedCallRates.deleteExpired(database)
        #expect(try await rates.take(5, of: "bob") != nil, "a full bucket stays")
        await database.close()
    }

    @Test func `one instance at a time does a chore`() async throws {
        let database = try await database()
        let chores = (0..<3).map { _ in
            Chore(name: "test", period: .seconds(3_600), database: database, instance: .random())
        }
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let (started, starter) = AsyncStream<Void>.makeStream()
        let first = Task {
            try await chores[0].run {
                starter.yield()
                for await _ in gate { break }
            }
        }
        for await _ in started { break }
        for chore in chores { #expect(try await chore.run(isForced: true) { Issue.record("two at once") } == false) }
        opener.yield()
        #expect(try await first.value)
        #expect(try await chores[1].run { Issue.record("it was done") } == false)
        #expect(try await chores[1].run(isForced: true) {})
        // One that fails leaves it to the next, and so does one that died.
        struct Broken: Error {}
        await #expect(throws: Broken.self) { try await chores[2].run(isForced: true) { throw Broken() } }
        try await database.write { writer in
            try await writer.execute("UPDATE chore SET lease_until = \(sql: writer.now) + 60000, done_at = 0")
        }
        #expect(try await chores[1].run {} == false)
        try await database.endLeases(of: "chore")
        #expect(try await chores[1].run {})
        await database.close()
    }

    @Test func `a database's clock that was ahead locks nobody out`() async throws {
        let database = try await database()
        let rates = SharedCallRates(database: database, kind: "calls", perMinute: 2)
        let chore = Chore(name: "test", period: .seconds(3_600), database: database, instance: .random())
        #expect(try await rates.take(2, of: "ada") == nil)
        #expect(try await chore.run {})
        try await database.write { writer in
            try await writer.execute("UPDATE call_rate SET empty_at = empty_at + 86400000000")
            try await writer.execute(
                "UPDATE chore SET done_at = done_at + 86400000, owner = 'gone', lease_until = done_at + 86400000")
        }
        #expect(try await rates.take(1, of: "ada") == nil)
        #expect(try await chore.run {})
        // They are counted from the true time on.
        #expect(try await rates.take(2, of: "ada") != nil)
        #expect(try await chore.run {} == false)
        await database.close()
    }

    @Test func `a clock a day off harms nothing`() async throws {
        let day: Int64 = 86_400_000
        let instances = try await Instances(3) { number, options in
            let lead = [0, day, -day][number]
            options.clock = AuthClock { AuthTime(milliseconds: AuthClock.system.now().milliseconds + lead) }
        }
        // A mail of one, a proof at another, a session at the third.
        let mail = try await instances[1].askForMail()
        var tokens = try await instances[2].tokens(
            "/verify", ["type": "email", "email": "ada@example.org", "token": mail.code])
        for round in 0..<9 {
            let fixture = instances[round % 3]
            #expect(try await fixture.get("/user", token: tokens.accessToken).status == 200, "\(round)")
            tokens = try await fixture.tokens(
                "/token?grant_type=refresh_token", ["refresh_token": tokens.refreshToken])
        }
        // Maintenance of a clock that is ahead deletes no session and no upload.
        let ada = try await instances[0].signIn("ada@example.org")
        let sample = SoundSample(100)
        #expect(try await instances[0].create(sample, as: ada).status == 201)
        for fixture in instances.all { try await fixture.server.maintain() }
        #expect(try await instances[2].patch(sample.id, sample.bytes, at: 0, as: ada).status == 204)
        _ = try await instances[1].tokens(
            "/token?grant_type=refresh_token", ["refresh_token": tokens.refreshToken])
        struct Report: Decodable { let checks: [String: String] }
        for (fixture, word) in zip(instances.all, ["ok", "skewed", "skewed"]) {
            let answer = try await fixture.get("/readyz")
            let report = try JSONDecoder().decode(Report.self, from: Data(answer.body))
            #expect(answer.status == 200 && report.checks["clock"] == word, "\(text(answer))")
        }
        await instances.stop()
    }

    @Test func `the database's time goes on by the monotonic clock`() async throws {
        let database = try await SQLiteServerDatabase.open(
            nil, AuthSchema.migrations, clock: AuthClock { AuthTime(milliseconds: 5_000_000) })
        let (wall, monotonic) = (VirtualAuthClock(), VirtualAuthClock(at: AuthTime(milliseconds: 70)))
        let clock = try await DatabaseClock(database, wall: wall.clock, monotonic: monotonic.clock)
        #expect(clock.clock.now() == AuthTime(milliseconds: 5_000_000))
        monotonic.advance(by: .seconds(7))
        wall.advance(by: .seconds(-3_600))
        #expect(clock.clock.now() == AuthTime(milliseconds: 5_007_000))
        try await clock.refresh()
        #expect(clock.clock.now() == AuthTime(milliseconds: 5_000_000))
        #expect(clock.lead == wall.now - AuthTime(milliseconds: 5_000_000))
        await database.close()
    }

    @Test func `a reading that waits for a connection does not set the clock`() async throws {
        let monotonic = VirtualAuthClock(at: AuthTime(milliseconds: 70))
        // The database reads its clock at the end of what it takes.
        let delays = Guarded<[Int64]>([])
        let database = try await SQLiteServerDatabase.open(
            nil, AuthSchema.migrations,
            clock: AuthClock {
                monotonic.advance(by: .milliseconds(delays.withLock { $0.isEmpty ? 0 : $0.removeFirst() }))
                return AuthTime(milliseconds: monotonic.now.milliseconds + 5_000_000)
            })
        delays.withLock { $0 = [830, 4] }
        let clock = try await DatabaseClock(database, wall: monotonic.clock, monotonic: monotonic.clock)
        func error() -> Int64 { clock.clock.now().milliseconds - monotonic.now.milliseconds - 5_000_000 }
        #expect(error() == 2)
        for (readings, expected) in [([1_200, 900, 30, 100, 60, 0], 15), ([7_000, 3_000, 2_600, 3_000, 9_000], 15)] {
            delays.withLock { $0 = readings.map(Int64.init) }
            try await clock.refresh()
            #expect(error() == expected, "\(readings)")
        }
        await database.close()
    }

    @Test func `who works after another one believes the time`() async throws {
        let instances = try await Instances(1)
        let server = instances[0].server
        // From here on the work is not due for an hour.
        try await server.maintain()
        let database = try await instances.database()
        let settings = SettingStore(database: database)
        func believed() async throws -> Int64 { try await settings.value("believed-time").flatMap { Int64($0) } ?? 0 }
        let start = try await believed()
        #expect(start > 0)
        try await settings.set("believed-time", to: "\(start - 7_200_000)", durability: .normal)
        try await server.lookForMaintenance()
        #expect(try await believed() >= start)
        await database.close()
        await instances.stop()
    }

    @Test func `who hangs up says nothing of the bucket`() async throws {
        let (check, gate) = (BucketCheck(clock: VirtualAuthClock().clock), Promise<Void>())
        let begun = Guarded(0)
        let look: @Sendable () async throws -> Void = {
            try await check.run {
                begun.withLock { $0 += 1 }
                try await gate.value()
            }
        }
        let first = Task(operation: look)
        try await eventually { begun.withLock { $0 } == 1 }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        gate.resolve(.success(()))
        try await look()
        #expect(begun.withLock { $0 } == 1)
    }
}
