// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import Persistence
import TestKit
import Testing

@Suite struct OutboxTests {
    private let folder: TemporaryFolder
    private let time = ManualTime()
    private let outbox: Outbox

    init() async throws {
        folder = try TemporaryFolder()
        outbox = try await Outbox(
            at: folder.database,
            configuration: .init(
                lease: .seconds(60), maximumAttempts: 3, backoff: .init(first: .seconds(8), longest: .seconds(20)),
                maximumItems: 5, maximumBytes: 100),
            clock: time.clock, random: SeededGenerator(seed: 1))
    }

    private func add(_ key: String, order: String? = nil, bytes: Int = 1, delay: Duration = .zero) async throws {
        let receipt = try await outbox.enqueue(
            OutboxMessage(
                payload: Array(repeating: 7, count: bytes), idempotencyKey: key, orderingKey: order, delay: delay))
        guard case .enqueued = receipt else { throw DatabaseError(code: .other, message: "\(receipt)") }
    }

    private func claimed() async throws -> String? { try await outbox.claim()?.item.idempotencyKey }

    @Test func whatGoesInComesOutOnceAndOthersWait() async throws {
        try await add("a", bytes: 3)
        let delivery = try #require(try await outbox.claim())
        #expect(delivery.item.payload == [7, 7, 7])
        #expect(delivery.item.attempts == 1)
        #expect(delivery.item.enqueuedAt == time.now.wall)
        #expect(try await outbox.claim() == nil)
        #expect(try await outbox.stage(ofKey: "a") == .leased)
        try await outbox.finish(delivery, .done)
        #expect(try await outbox.claim() == nil)
        #expect(try await outbox.stage(ofKey: "a") == .done)
        #expect(await code { try await outbox.finish(delivery, .done) } == .leaseLost)
    }

    @Test func oneIdempotencyKeyIsOneItemInEveryStage() async throws {
        let message = OutboxMessage(payload: [1], idempotencyKey: "a")
        #expect(try await outbox.enqueue(message) == .enqueued(id: 1))
        #expect(try await outbox.enqueue(message) == .duplicate(.pending))
        var delivery = try #require(try await outbox.claim())
        #expect(try await outbox.enqueue(message) == .duplicate(.leased))
        try await outbox.finish(delivery, .poison(reason: "no"))
        #expect(try await outbox.enqueue(message) == .duplicate(.poisoned))
        try await outbox.retry(delivery.item.id)
        delivery = try #require(try await outbox.claim())
        try await outbox.finish(delivery, .done)
        #expect(try await outbox.enqueue(message) == .duplicate(.done))
        #expect(try await outbox.claim() == nil)
        // The key is forgotten after a week, when the next item is done.
        time.set { $0.wall += 8 * 86_400 }
        try await add("b")
        try await outbox.finish(try #require(try await outbox.claim()), .done)
        #expect(try await outbox.stage(ofKey: "a") == nil)
        #expect(try await outbox.enqueue(message) == .enqueued(id: 3))
        #expect(
            await code { try await outbox.enqueue(OutboxMessage(payload: [], idempotencyKey: "")) } == .invalidValue)
    }

    @Test func anOrderingKeyIsDeliveredOneAfterAnother() async throws {
        try await add("a1", order: "a")
        try await add("a2", order: "a")
        try await add("b1", order: "b")
        let first = try #require(try await outbox.claim())
        #expect(first.item.idempotencyKey == "a1")
        #expect(try await claimed() == "b1")
        #expect(try await claimed() == nil)
        // Still the first's turn, though it waits.
        try await outbox.finish(first, .retry(reason: "later"))
        #expect(try await claimed() == nil)
        time.advance(20_000)
        let again = try #require(try await outbox.claim())
        #expect(again.item.idempotencyKey == "a1")
        try await outbox.finish(again, .done)
        #expect(try await claimed() == "a2")
    }

    @Test(arguments: [true, false])
    func poisonHoldsUpItsKeyUnlessToldOtherwise(blocks: Bool) async throws {
        let outbox = try await Outbox(
            at: folder.file("other.sqlite"), configuration: .init(poisonBlocksItsKey: blocks), clock: time.clock)
        for key in ["a1", "a2", "a3"] {
            try await outbox.enqueue(OutboxMessage(payload: [], idempotencyKey: key, orderingKey: "a"))
        }
        let first = try #require(try await outbox.claim())
        try await outbox.finish(first, .poison(reason: "refused"))
        let poisoned = try await outbox.entries(stage: .poisoned)
        #expect(poisoned.map(\.reason) == ["refused"])
        #expect(poisoned.map(\.item.idempotencyKey) == ["a1"])
        let second = try await outbox.claim()
        #expect(second?.item.idempotencyKey == (blocks ? nil : "a2"))
        if let second { try await outbox.finish(second, .release) }
        try await outbox.retry(first.item.id)
        let again = try #require(try await outbox.claim())
        #expect(again.item.idempotencyKey == "a1")
        #expect(again.item.attempts == 1)
        try await outbox.finish(again, .poison(reason: "refused"))
        try await outbox.discard(first.item.id)
        #expect(try await outbox.claim()?.item.idempotencyKey == "a2")
        #expect(try await outbox.stage(ofKey: "a1") == nil)
        #expect(await code { try await outbox.discard(first.item.id) } == .notPoisoned)
        #expect(await code { try await outbox.retry(second?.item.id ?? 2) } == .notPoisoned)
    }

    @Test func attemptsAreUsedUpByFailuresAndByDeadWorkers() async throws {
        try await add("a")
        for attempt in 1...3 {
            let delivery = try #require(try await outbox.claim())
            #expect(delivery.item.attempts == attempt)
            if attempt == 2 {
                // The worker says nothing for the whole lease.
                time.advance(60_000)
            } else {
                try await outbox.finish(delivery, .retry(reason: "failure \(attempt)"))
                time.advance(20_000)
            }
        }
        #expect(try await outbox.claim() == nil)
        #expect(try await outbox.entries(stage: .poisoned).map(\.reason) == ["failure 3"])
        #expect(try await outbox.counts() == [.poisoned: 1])
    }

    @Test func aReleaseDoesNotCount() async throws {
        try await add("a")
        for _ in 0..<10 {
            let delivery = try #require(try await outbox.claim())
            #expect(delivery.item.attempts == 1)
            try await outbox.finish(delivery, .release)
        }
    }

    @Test func aLostLeaseGoesToAnotherAndTheFirstWorkersWordDoesNotCount() async throws {
        let other = try await Outbox(at: folder.database, configuration: outbox.configuration, clock: time.clock)
        try await add("a")
        let first = try #require(try await outbox.claim())
        time.advance(40_000)
        try await outbox.renew(first)
        time.advance(59_999)
        #expect(try await other.claim() == nil)
        time.advance(1)
        let second = try #require(try await other.claim())
        #expect(second.item.attempts == 2)
        #expect(await code { try await outbox.renew(first) } == .leaseLost)
        #expect(await code { try await outbox.finish(first, .poison(reason: "x")) } == .leaseLost)
        try await other.finish(second, .done)
        #expect(try await outbox.stage(ofKey: "a") == .done)
    }

    @Test func theWallClockChangesNothing() async throws {
        try await add("a")
        let lease = try #require(try await outbox.claim())
        for days in [-400.0, 800] {
            time.set { $0.wall += days * 86_400 }
            #expect(try await outbox.claim() == nil)
        }
        try await outbox.finish(lease, .retry(reason: "x", after: .seconds(20)))
        for days in [-400.0, 800] {
            time.set { $0.wall += days * 86_400 }
            #expect(try await outbox.claim() == nil)
        }
        time.advance(20_000)
        #expect(try await claimed() == "a")
    }

    @Test func sleepEndsWaitsAndNoLeases() async throws {
        try await add("a")
        try await add("b")
        let delivery = try #require(try await outbox.claim())
        try await outbox.finish(delivery, .retry(reason: "x", after: .seconds(3_600)))
        #expect(try await claimed() == "b")
        time.set { $0.elapsed += 3_600_000 }
        #expect(try await claimed() == "a")
        #expect(try await claimed() == nil)
    }

    @Test func aRestartOfTheMachineEndsLeasesAndWaits() async throws {
        try await add("a")
        try await add("b", delay: .seconds(3_600))
        #expect(try await claimed() == "a")
        #expect(try await claimed() == nil)
        time.set {
            $0.boot = "second"
            $0.awake = 10
            $0.elapsed = 10
        }
        #expect(try await claimed() == "a")
        #expect(try await claimed() == "b")
    }

    @Test func aFullOutboxSaysSoAndKeepsNothing() async throws {
        for key in ["1", "2", "3", "4"] { try await add(key, bytes: 9) }
        // 40 of 100 bytes: 59 and a key of one byte fit, one more does not.
        #expect(await code { try await add("5", bytes: 60) } == .outboxFull)
        try await add("5", bytes: 59)
        #expect(await code { try await add("6", bytes: 0) } == .outboxFull)
        #expect(try await outbox.stage(ofKey: "6") == nil)
        #expect(try await outbox.enqueue(OutboxMessage(payload: [], idempotencyKey: "1")) == .duplicate(.pending))
        try await outbox.finish(try #require(try await outbox.claim()), .done)
        try await add("6", order: "order", bytes: 4)
    }

    @Test func aMessageIsStoredWithWhatItIsAboutOrNotAtAll() async throws {
        let database = try await Database(at: folder.file("app.sqlite"))
        try await database.migrate(
            [Migration(name: "note", sql: "CREATE TABLE note (body TEXT NOT NULL) STRICT")] + Outbox.migrations)
        let outbox = Outbox(database: database, clock: time.clock)
        for body in ["kept", nil] as [String?] {
            try? await database.write { connection in
                _ = try outbox.enqueue(OutboxMessage(payload: [], idempotencyKey: body ?? "lost"), on: connection)
                try connection.execute("INSERT INTO note VALUES (\(body))")
            }
        }
        #expect(try await outbox.stage(ofKey: "kept") == .pending)
        #expect(try await outbox.stage(ofKey: "lost") == nil)
    }

    @Test func typedPayloadsComeBack() async throws {
        struct Result: Codable, Equatable {
            let cue: Int
            let score: Double
        }
        let result = Result(cue: 5, score: 0.75)
        try await outbox.enqueue(OutboxMessage(encoding: result))
        let item = try #require(try await outbox.claim()).item
        #expect(try item.decode(Result.self) == result)
        #expect(throws: DecodingError.self) { try item.decode([Int].self) }
    }
}
