// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import Persistence
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct OutboxLaneTests {
    private let folder: TemporaryFolder
    private let time = ManualTime()
    private let database: Database
    private let outbox: Outbox

    init() async throws {
        folder = try TemporaryFolder()
        database = try await Database(at: folder.database)
        try await database.migrate(Outbox.migrations)
        outbox = Outbox(
            database: database, configuration: .init(backoff: .init(first: .seconds(8), longest: .seconds(20))),
            clock: time.clock, random: SeededGenerator(seed: 1))
    }

    private func add(_ key: String, _ lane: String?, order: String? = nil) async throws {
        try await outbox.enqueue(OutboxMessage(payload: [], idempotencyKey: key, orderingKey: order, lane: lane))
    }

    @Test func aWorkerOfALaneTakesUpNoneOfAnother() async throws {
        try await add("a1", "a")
        try await add("b1", "b")
        try await add("none", nil)
        try await add("b2", "b")
        for key in ["b1", "b2"] {
            let delivery = try #require(try await outbox.claim(lanes: ["b"]))
            #expect(delivery.item.idempotencyKey == key && delivery.item.lane == "b")
            try await outbox.finish(delivery, .done)
        }
        #expect(try await outbox.claim(lanes: ["b"]) == nil)
        #expect(try await outbox.claim(lanes: ["c"]) == nil)
        #expect(try await outbox.claim()?.item.idempotencyKey == "a1")
        #expect(try await outbox.claim()?.item.lane == nil)
    }

    @Test func aWorkerOfALaneSleepsWhileOnlyOthersAreDue() async throws {
        let outbox = outbox
        try await add("a", "a")
        let other = try #require(try await outbox.claim())
        try await outbox.finish(other, .retry(reason: "later", after: .seconds(1)))
        let next = Task { try await outbox.next(lanes: ["b"]) }
        time.advance(30_000)
        try await outbox.enqueue(
            OutboxMessage(payload: [], idempotencyKey: "b", lane: "b", delay: .seconds(5)))
        // It sleeps for its own item, and not in a circle for the other one, whose time has come.
        await time.waitForASleeper()
        time.advance(4_999)
        try await add("a2", "a")
        await time.waitForASleeper()
        time.advance(1)
        #expect(try await next.value.item.idempotencyKey == "b")
    }

    @Test func anotherLaneHoldsUpOnlyWhatIsUnderWay() async throws {
        for (key, lane) in [("a1", "a"), ("a2", "a"), ("b", "b")] { try await add(key, lane, order: "x") }
        let first = try #require(try await outbox.claim(lanes: ["a"]))
        #expect(try await outbox.claim() == nil)
        try await outbox.finish(first, .poison(reason: "no"))
        #expect(try await outbox.claim(lanes: ["a"]) == nil, "a later one of its lane does not overtake it")
        #expect(try await outbox.claim(lanes: ["b"])?.item.idempotencyKey == "b")
    }

    @Test func whatIsUnderWayIsNotWithdrawn() async throws {
        let outbox = outbox
        for key in ["leased", "stuck", "waiting"] { try await add(key, "a") }
        _ = try await outbox.claim()
        try await outbox.finish(try #require(try await outbox.claim()), .poison(reason: "no"))
        try await database.write { connection in
            for key in ["leased", "stuck", "waiting"] { try outbox.withdraw(key: key, on: connection) }
        }
        #expect(try await outbox.entries().map(\.item.idempotencyKey) == ["leased"])
    }

    @Test func whatIsNotDoneIsListedWithItsStage() async throws {
        for key in ["done", "stuck", "leased", "waiting"] { try await add(key, "a") }
        try await add("other", "b")
        try await outbox.finish(try #require(try await outbox.claim()), .done)
        try await outbox.finish(try #require(try await outbox.claim()), .poison(reason: "refused"))
        _ = try await outbox.claim()
        let entries = try await outbox.entries(lane: "a")
        #expect(entries.map(\.item.idempotencyKey) == ["stuck", "leased", "waiting"])
        #expect(entries.map(\.stage) == [.poisoned, .leased, .pending])
        #expect(entries.map(\.reason) == ["refused", nil, nil])
        #expect(try await outbox.entries().count == 4)
    }

    @Test func aLaneIsRemovedAsAWhole() async throws {
        let outbox = outbox
        for (key, lane) in [("1", "a"), ("2", "b"), ("3", "a"), ("4", nil)] { try await add(key, lane) }
        let leased = try #require(try await outbox.claim(lanes: ["a"]))
        #expect(try await database.write { try outbox.removeAll(lane: "a", on: $0) } == 2)
        // The word of the attempt that was under way changes nothing.
        try? await outbox.finish(leased, .poison(reason: "late"))
        #expect(try await outbox.entries().map(\.item.idempotencyKey) == ["2", "4"])
        #expect(try await outbox.counts() == [.pending: 2])
    }

    @Test func oneDeliveryIsCarriedOutAndNoted() async throws {
        let outbox = outbox
        try await add("a", "a")
        let delivery = try #require(try await outbox.claim(lanes: ["a"]))
        #expect(try await outbox.deliver(delivery) { _ in .poison(reason: "no") } == .poison(reason: "no"))
        #expect(try await outbox.entries(stage: .poisoned).map(\.reason) == ["no"])
    }

    @Test func anOutboxOfTheVersionBeforeIsTakenOver() async throws {
        let old = try await Database(at: folder.file("old.sqlite"))
        try await old.migrate([try #require(Outbox.migrations.first)])
        try await old.write {
            try $0.execute("INSERT INTO outbox_item (idempotency_key, enqueued_at, size) VALUES ('a', 0, 1)")
            try $0.execute("INSERT INTO outbox_payload VALUES (1, x'07')")
        }
        try await old.migrate(Outbox.migrations)
        let delivery = try #require(try await Outbox(database: old).claim())
        #expect(delivery.item.payload == [7] && delivery.item.lane == nil)
    }
}
