// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Foundation
import Persistence
import TestKit
import Testing

@testable import ParleyServer

/// The queues of sealed messages, over every kind of database.
@Suite(.timeLimit(.minutes(5))) struct DeliveryStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func store(
        _ kind: DatabaseKind, capacity: Int = 100, clock: AuthClock = .system
    ) async throws -> DeliveryStore {
        DeliveryStore(database: try await kind.make(.mails, in: folder, clock: clock), capacity: capacity)
    }

    private func other(_ store: DeliveryStore, _ id: String) -> DeliveryStore {
        DeliveryStore(database: store.database, capacity: store.capacity, instance: ServerInstance(id: id))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `letters are claimed once and end`(_ kind: DatabaseKind) async throws {
        let store = try await store(kind)
        #expect(try await store.add("a", [1, 2]))
        #expect(try await store.add("a", [3]), "the same letter again is harmless")
        #expect(try await store.count() == 1)
        let delivery = try #require(try await store.claim())
        #expect(delivery == DeliveryStore.Delivery(id: "a", content: [1, 2], attempt: 1))
        #expect(try await store.claim() == nil)
        #expect(try await store.renew(delivery))
        try await store.finish(delivery)
        #expect(try await store.count() == 0)
        await store.database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `notifications end without a hook, too`(_ kind: DatabaseKind) async throws {
        let letters = try await store(kind)
        var notifications = letters
        notifications.table = .notifications
        for store in [letters, notifications] { #expect(try await store.add("a", [])) }
        let now = AuthClock.system.now()
        for (days, left) in [(2, 1), (4, 0)] {
            try await DeliveryStore.deleteExpiredNotifications(letters.database, at: now + .seconds(days * 86_400))
            #expect(try await notifications.count() == left)
        }
        #expect(try await letters.count() == 1)
        await letters.database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a full queue takes nothing`(_ kind: DatabaseKind) async throws {
        let store = try await store(kind, capacity: 2)
        for id in ["a", "b"] { #expect(try await store.add(id, [])) }
        #expect(try await !store.add("c", []))
        await store.database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `instances that claim at once share the letters`(_ kind: DatabaseKind) async throws {
        let store = try await store(kind)
        for number in 0..<20 { #expect(try await store.add("\(number)", [UInt8(number)])) }
        let claimed = try await withThrowingTaskGroup(of: [String].self) { group in
            for instance in 0..<4 {
                group.addTask {
                    let own = other(store, "instance \(instance)")
                    var ids: [String] = []
                    while let delivery = try await own.claim() {
                        ids.append(delivery.id)
                        try await own.finish(delivery)
                    }
                    return ids
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(claimed.count == 20 && Set(claimed).count == 20)
        #expect(try await store.count() == 0)
        await store.database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a lost lease ends nothing`(_ kind: DatabaseKind) async throws {
        let store = try await store(kind)
        let (first, second) = (other(store, "first"), other(store, "second"))
        #expect(try await first.add("a", []))
        let lost = try #require(try await first.claim())
        try await second.recover()
        #expect(try await second.claim() == nil, "an instance recovers its own")
        try await store.database.endLeases(of: "letter")
        let taken = try #require(try await second.claim())
        #expect(taken.attempt == 2)
        #expect(try await !first.renew(lost))
        try await first.finish(lost)
        try await first.postpone(lost, failure: nil)
        #expect(try await second.renew(taken))
        try await second.recover()
        #expect(try await second.claim()?.attempt == 3)
        await store.database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a queue says how long and why it waits`(_ kind: DatabaseKind) async throws {
        let letters = try await store(kind)
        let notifications = DeliveryStore(database: letters.database, table: .notifications, capacity: 100)
        let empty = try await letters.summary()
        #expect(empty == DeliveryStore.Summary(count: 0, oldestAt: nil, failure: nil))
        for id in ["a", "b"] { #expect(try await letters.add(id, [])) }
        let delivery = try #require(try await letters.claim())
        try await letters.postpone(delivery, failure: "connect")
        let summary = try await letters.summary()
        #expect(summary.count == 2 && summary.failure == "connect" && summary.oldestAt != nil)
        #expect(try await notifications.summary() == empty, "each kind has its own table")
        #expect(try await notifications.add("a", [9]))
        #expect(try await notifications.claim()?.content == [9])
        await letters.database.close()
    }

    @Test(arguments: [DatabaseKind.memory, .file])
    func `a letter waits longer after each attempt`(_ kind: DatabaseKind) async throws {
        let clock = VirtualAuthClock()
        let store = try await store(kind, clock: clock.clock)
        #expect(try await store.add("a", []))
        for _ in 0..<3 {
            let delivery = try #require(try await store.claim())
            try await store.postpone(delivery, failure: nil)
            clock.advance(by: .seconds(60))
        }
        // Two letters: the one that has been due for longer comes first.
        #expect(try await store.add("b", []))
        #expect(try await store.claim()?.id == "a")
        #expect(try await store.claim()?.id == "b")
        clock.advance(by: Lease.length)
        #expect(try await store.claim()?.id == "a", "a lease ends by the database's time")
        await store.database.close()
    }

    @Test func `waiting mails of an earlier version move`() async throws {
        let path = folder.file("mails.sqlite")
        let outbox = try await Outbox(at: path)
        _ = try await outbox.enqueue(OutboxMessage(payload: [7, 8], idempotencyKey: "old"))
        await outbox.close()
        let database = try await SQLiteServerDatabase.open(path, MailSchema.migrations, clock: .system)
        let store = DeliveryStore(database: database, capacity: 5)
        #expect(try await store.claim() == DeliveryStore.Delivery(id: "old", content: [7, 8], attempt: 1))
        await database.close()
    }
}
