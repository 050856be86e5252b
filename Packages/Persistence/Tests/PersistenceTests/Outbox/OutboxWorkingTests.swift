// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import Persistence
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct OutboxWorkingTests {
    private let folder: TemporaryFolder
    private let time = ManualTime()
    private let outbox: Outbox

    init() async throws {
        folder = try TemporaryFolder()
        outbox = try await Outbox(
            at: folder.database,
            configuration: .init(lease: .seconds(60), backoff: .init(first: .seconds(8), longest: .seconds(20))),
            clock: time.clock, random: SeededGenerator(seed: 1))
    }

    private func add(_ key: String, delay: Duration = .zero) async throws {
        try await outbox.enqueue(OutboxMessage(payload: [], idempotencyKey: key, delay: delay))
    }

    @Test func aWorkerWakesForANewItemAndForADueOne() async throws {
        let outbox = outbox
        let keys = AsyncStream.makeStream(of: String.self)
        let worker = Task {
            try await outbox.work { item in
                keys.continuation.yield(item.idempotencyKey)
                return .done
            }
        }
        var arrived = keys.stream.makeAsyncIterator()
        try await add("now")
        #expect(await arrived.next() == "now")
        try await add("later", delay: .seconds(5))
        await time.waitForASleeper()
        time.advance(4_999)
        try await add("between")
        #expect(await arrived.next() == "between")
        await time.waitForASleeper()
        time.advance(1)
        #expect(await arrived.next() == "later")
        worker.cancel()
        await #expect(throws: CancellationError.self) { try await worker.value }
    }

    @Test func aWorkerWakesForWhatAnotherProgramDoes() async throws {
        let other = try await Outbox(at: folder.database, configuration: outbox.configuration, clock: time.clock)
        for key in ["1", "2", "3"] {
            try await outbox.enqueue(OutboxMessage(payload: [], idempotencyKey: key, orderingKey: "order"))
        }
        let first = try #require(try await other.claim())
        var next = Task { [outbox] in try await outbox.next() }
        await time.waitForASleeper()
        try await other.finish(first, .done)
        let second = try await next.value
        #expect(second.item.idempotencyKey == "2")
        try await outbox.finish(second, .done)
        try await outbox.finish(try #require(try await outbox.claim()), .done)
        // Nothing is there, so nobody sleeps, and only the enqueueing can wake the worker.
        next = Task { [outbox] in try await outbox.next() }
        try await other.enqueue(OutboxMessage(payload: [], idempotencyKey: "4"))
        #expect(try await next.value.item.idempotencyKey == "4")
    }

    @Test func aWaitEndsWhenAnotherWorkersLeaseDoes() async throws {
        let outbox = outbox
        try await add("a")
        #expect(try await outbox.claim() != nil)
        let next = Task { try await outbox.next() }
        await time.waitForASleeper()
        time.advance(60_000)
        #expect(try await next.value.item.attempts == 2)
    }

    @Test func aHandlersOutcomesAreStored() async throws {
        let outbox = outbox
        let done = AsyncStream.makeStream(of: Void.self)
        for key in ["a", "b", "c"] { try await add(key) }
        let worker = Task {
            try await outbox.work { item in
                switch (item.idempotencyKey, item.attempts) {
                case ("a", _): return .done
                case ("b", _): return .poison(reason: "refused")
                case (_, 1): return .retry(reason: "later")
                default:
                    done.continuation.yield()
                    return .done
                }
            }
        }
        await time.waitForASleeper()
        try await eventually { try await outbox.stage(ofKey: "c") == .pending }
        var isDone = done.stream.makeAsyncIterator()
        let ticker = Task {
            while !Task.isCancelled {
                await time.waitForASleeper()
                time.advance(20_000)
            }
        }
        await isDone.next()
        ticker.cancel()
        // The outcome of an attempt is stored although the worker is cancelled at that moment.
        worker.cancel()
        await #expect(throws: CancellationError.self) { try await worker.value }
        #expect(try await outbox.counts() == [.poisoned: 1])
        try await add("end")
    }

    @Test func aLongAttemptKeepsItsLease() async throws {
        let outbox = outbox
        let (started, finish) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
        try await add("a")
        let worker = Task {
            try await outbox.work { _ in
                started.continuation.yield()
                for await _ in finish.stream { break }
                return .done
            }
        }
        for await _ in started.stream { break }
        for _ in 0..<10 {
            await time.waitForASleeper()
            time.advance(20_000)
        }
        await time.waitForASleeper()
        #expect(try await outbox.claim() == nil)
        finish.continuation.yield()
        try await eventually { try await outbox.stage(ofKey: "a") == .done }
        worker.cancel()
        _ = await worker.result
    }

    @Test func aLostLeaseCancelsTheHandlerAndTheWorkerGoesOn() async throws {
        let outbox = outbox
        let started = AsyncStream.makeStream(of: String.self)
        let other = try await Outbox(at: folder.database, configuration: outbox.configuration, clock: time.clock)
        try await add("a")
        let worker = Task {
            try await outbox.work { item in
                started.continuation.yield(item.idempotencyKey)
                if item.idempotencyKey == "b" { return .done }
                for await _ in AsyncStream<Void>.makeStream().stream {}
                return .poison(reason: "does not count")
            }
        }
        var starts = started.stream.makeAsyncIterator()
        #expect(await starts.next() == "a")
        await time.waitForASleeper()
        // The machine stands still for longer than the lease; the other one is first to look.
        time.set { $0.awake += 60_000 }
        let stolen = try #require(try await other.claim())
        try await add("b")
        time.set { $0.elapsed += 20_000 }
        #expect(await starts.next() == "b")
        try await other.finish(stolen, .done)
        worker.cancel()
        _ = await worker.result
        #expect(try await outbox.stage(ofKey: "a") == .done)
    }

    @Test func `draining delivers what is due and returns`() async throws {
        for key in ["a", "b", "c"] { try await add(key) }
        try await add("later", delay: .seconds(5))
        let done = try await outbox.drain { item in
            switch item.idempotencyKey {
            case "a": .retry(reason: "later", after: .seconds(1))
            case "b": .poison(reason: "refused")
            default: .done
            }
        }
        #expect(done == 1)
        #expect(try await outbox.counts() == [.pending: 2, .poisoned: 1])
        time.advance(20_000)
        #expect(try await outbox.drain { _ in .done } == 2)
        #expect(try await outbox.pendingCount() == 0)
        #expect(try await outbox.drain { _ in .done } == 0)
    }

    @Test func `draining ends at an item that is released`() async throws {
        for key in ["a", "b"] { try await add(key) }
        #expect(try await outbox.drain { $0.idempotencyKey == "a" ? .release : .done } == 0)
        #expect(try await outbox.counts() == [.pending: 2])
    }

    @Test func `the count of pending items ignores poison and done ones`() async throws {
        for (key, lane) in [("a", "one"), ("b", "two"), ("c", "two")] {
            try await outbox.enqueue(OutboxMessage(payload: [], idempotencyKey: key, lane: lane))
        }
        #expect(try await outbox.pendingCount() == 3)
        #expect(try await outbox.pendingCount(lanes: ["two", "three"]) == 2)
        #expect(try await outbox.claim()?.item.idempotencyKey == "a")
        #expect(try await outbox.pendingCount() == 3)
        try await outbox.drain { $0.idempotencyKey == "b" ? .poison(reason: "refused") : .done }
        #expect(try await outbox.pendingCount() == 1)
        #expect(try await outbox.entries(stage: .poisoned).map(\.item.idempotencyKey) == ["b"])
    }

    @Test func `closing ends workers and stores what handlers say`() async throws {
        let outbox = outbox
        let started = AsyncStream.makeStream(of: Void.self)
        try await add("a")
        let busy = Task {
            try await outbox.work { _ in
                started.continuation.yield()
                // Ends when the handler is cancelled.
                for await _ in AsyncStream<Void>.makeStream().stream {}
                return .done
            }
        }
        for await _ in started.stream { break }
        // Nothing is left for this one, which waits.
        let idle = Task { try await outbox.work { _ in .done } }
        await time.waitForASleeper()
        await outbox.close()
        try await busy.value
        try await idle.value
        #expect(await code { _ = try await outbox.claim() } == .closed)
        #expect(await code { try await add("b") } == .closed)
        let again = try await Outbox(at: folder.database, clock: time.clock)
        #expect(try await again.stage(ofKey: "a") == .done)
        await again.close()
    }

    @Test func `closing leaves a borrowed database open`() async throws {
        let database = try await Database.inMemory()
        try await database.migrate(Outbox.migrations)
        let borrowing = Outbox(database: database, clock: time.clock)
        await borrowing.close()
        #expect(await code { _ = try await borrowing.next() } == .closed)
        #expect(try await database.read { try $0.first("SELECT count(*) FROM outbox_item", as: Int.self) } == 0)
    }
}
