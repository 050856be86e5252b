// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import Persistence
import TestKit
import Testing

/// What an outbox promises, written down as plainly as possible: a list that is searched from its front.
private struct Model {
    struct Item {
        let key: String
        let order: String?
        var attempts = 0
        /// Milliseconds that are left of a wait or a lease.
        var left: Int64 = 0
        var span: Int64 = 0
        var isLeased = false
        var isPoisoned = false
    }

    let maximumAttempts: Int
    let lease: Int64
    var items: [Item] = []
    var done: Set<String> = []

    /// Time goes on, or back: then nothing is left of it but at most the whole span.
    mutating func pass(awake: Int64, elapsed: Int64) {
        for index in items.indices where items[index].span > 0 {
            items[index].left -= items[index].isLeased ? awake : elapsed
        }
    }

    mutating func restart() {
        for index in items.indices { (items[index].left, items[index].span) = (0, 0) }
    }

    mutating func claim() -> String? {
        for index in items.indices where !items[index].isPoisoned {
            items[index].left = min(items[index].left, items[index].span)
            guard items[index].isLeased, items[index].left <= 0 else { continue }
            giveBack(index, after: 0)
        }
        for index in items.indices where !items[index].isLeased && !items[index].isPoisoned {
            let isBlocked = items[..<index].contains { $0.order != nil && $0.order == items[index].order }
            guard !isBlocked, items[index].left <= 0 else { continue }
            items[index].isLeased = true
            items[index].attempts += 1
            (items[index].left, items[index].span) = (lease, lease)
            return items[index].key
        }
        return nil
    }

    mutating func giveBack(_ index: Int, after wait: Int64) {
        items[index].isLeased = false
        items[index].isPoisoned = items[index].attempts >= maximumAttempts
        (items[index].left, items[index].span) = (wait, wait)
    }
}

@Suite struct OutboxModelTests {
    @Test(arguments: 0..<6) func randomLivesAreAsTheModelSays(round: Int) async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let time = ManualTime()
        // Without jitter: `retry` says how long to wait.
        let configuration = Outbox.Configuration(
            lease: .seconds(30), maximumAttempts: 3, backoff: .init(first: .zero, longest: .zero), maximumItems: 20)
        var outbox = try await Outbox(at: folder.database, configuration: configuration, clock: time.clock)
        var model = Model(maximumAttempts: 3, lease: 30_000)
        var held: [OutboxDelivery] = []
        var lost: [OutboxDelivery] = []

        for step in 0..<300 {
            let here: Comment = "seed \(seed), round \(round), step \(step)"
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<5:
                let key = "\(Int.random(in: 0..<200, using: &random))"
                let order = ["a", "b", nil].randomElement(using: &random) ?? nil
                let message = OutboxMessage(payload: Array(key.utf8), idempotencyKey: key, orderingKey: order)
                do {
                    let isNew = if case .enqueued = try await outbox.enqueue(message) { true } else { false }
                    #expect(isNew == !(model.done.contains(key) || model.items.contains { $0.key == key }), here)
                    if isNew { model.items.append(.init(key: key, order: order)) }
                } catch let error as DatabaseError {
                    #expect(error.code == .outboxFull && model.items.count == 20, here)
                }
            case 5..<11:
                let delivery = try await outbox.claim()
                // Whoever held an item whose lease ended holds it no longer.
                let expected = model.claim()
                #expect(delivery?.item.idempotencyKey == expected, here)
                guard let delivery else { break }
                #expect(delivery.item.payload == Array(delivery.item.idempotencyKey.utf8), here)
                lost += held.filter { $0.item.id == delivery.item.id }
                held.removeAll { $0.item.id == delivery.item.id }
                held.append(delivery)
            case 11..<15:
                guard let index = held.indices.randomElement(using: &random) else { break }
                let delivery = held.remove(at: index)
                let place = try #require(model.items.firstIndex { $0.key == delivery.item.idempotencyKey }, here)
                guard model.items[place].isLeased else {
                    #expect(await code { try await outbox.finish(delivery, .done) } == .leaseLost, here)
                    break
                }
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    try await outbox.finish(delivery, .poison(reason: "x"))
                    model.items[place].isLeased = false
                    model.items[place].isPoisoned = true
                case 1...2:
                    let wait = Int64.random(in: 0...40_000, using: &random)
                    try await outbox.finish(delivery, .retry(reason: "x", after: .milliseconds(wait)))
                    model.giveBack(place, after: wait)
                case 3:
                    try await outbox.finish(delivery, .release)
                    model.items[place].attempts -= 1
                    model.giveBack(place, after: 0)
                default:
                    try await outbox.finish(delivery, .done)
                    model.done.insert(model.items.remove(at: place).key)
                }
            case 15:
                if let stale = lost.popLast() {
                    #expect(await code { try await outbox.finish(stale, .done) } == .leaseLost, here)
                }
            case 16:
                let poisoned = try await outbox.entries(stage: .poisoned)
                #expect(poisoned.map(\.item.idempotencyKey) == model.items.filter(\.isPoisoned).map(\.key), here)
                guard let item = poisoned.randomElement(using: &random)?.item else { break }
                let place = try #require(model.items.firstIndex { $0.key == item.idempotencyKey }, here)
                if Bool.random(using: &random) {
                    try await outbox.retry(item.id)
                    model.items[place].isPoisoned = false
                    model.items[place].attempts = 0
                    (model.items[place].left, model.items[place].span) = (0, 0)
                } else {
                    try await outbox.discard(item.id)
                    model.items.remove(at: place)
                    lost += held.filter { $0.item.id == item.id }
                    held.removeAll { $0.item.id == item.id }
                }
            case 17:
                let (awake, asleep) = (
                    Int64.random(in: -20_000...40_000, using: &random), Int64.random(in: 0...40_000, using: &random)
                )
                time.set {
                    $0.awake += awake
                    $0.elapsed += awake + asleep
                    $0.wall += Double(Int.random(in: -100_000...100_000, using: &random))
                }
                model.pass(awake: awake, elapsed: awake + asleep)
            case 18:
                // The program is killed: its leases stay, and nobody holds them.
                outbox = try await Outbox(at: folder.database, configuration: configuration, clock: time.clock)
                lost += held
                held = []
                lost.removeAll { delivery in
                    model.items.contains { $0.key == delivery.item.idempotencyKey && $0.isLeased }
                }
            default:
                guard Int.random(in: 0..<3, using: &random) == 0 else { break }
                time.set {
                    $0.boot += "'"
                    $0.awake = 1_000
                    $0.elapsed = 1_000
                }
                model.restart()
            }
        }
        let counts = try await outbox.counts()
        #expect(counts[.poisoned, default: 0] == model.items.count(where: \.isPoisoned), "seed \(seed)")
        #expect(counts.values.reduce(0, +) == model.items.count, "seed \(seed)")
        #expect(
            try await outbox.pendingCount() == model.items.count(where: { !$0.isPoisoned }), "seed \(seed)")
    }
}
