// SPDX-License-Identifier: MIT

import Concurrency
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct PromiseTests {
    private struct Refused: Error {}

    @Test func `everyone gets the first value`() async throws {
        let promise = Promise<Int>()
        async let early = promise.value()
        async let cancelled = promise.valueDespiteCancellation()
        #expect(promise.resolve(.success(1)))
        #expect(!promise.resolve(.success(2)))
        #expect(try await [early, cancelled, promise.value(), promise.valueOrGivingUp()] == [1, 1, 1, 1])
    }

    @Test func `a failure is thrown`() async {
        let promise = Promise<Void>()
        promise.resolve(.failure(Refused()))
        await #expect(throws: Refused.self) { try await promise.value() }
        #expect(!promise.resolve())
    }

    @Test func `cancelling ends one wait alone`() async throws {
        let promise = Promise<Int>()
        let one = Task { try await promise.value() }
        let other = Task { try await promise.value() }
        one.cancel()
        await #expect(throws: CancellationError.self) { try await one.value }
        #expect(promise.resolve(.success(3)))
        #expect(try await other.value == 3)
    }

    @Test func `cancelling the only waiter gives the promise up`() async {
        let promise = Promise<Int>()
        let only = Task { try await promise.valueOrGivingUp() }
        only.cancel()
        await #expect(throws: CancellationError.self) { try await only.value }
        #expect(!promise.resolve(.success(1)))
    }

    @Test func `a wait can outlast its task's cancellation`() async throws {
        let promise = Promise<Int>()
        let waiter = Task {
            cancelCurrentTask()
            return try await promise.valueDespiteCancellation()
        }
        promise.resolve(.success(4))
        #expect(try await waiter.value == 4)
    }

    @Test func `a task that is cancelled already waits for nothing`() async {
        let waiter = Task {
            cancelCurrentTask()
            return try await Promise<Int>().value()
        }
        await #expect(throws: CancellationError.self) { try await waiter.value }
    }

    @Test func `every order of waits, values and cancellations ends`() async throws {
        for seed in 0..<200 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let promise = Promise<Int>()
            let waiters = (0..<4).map { _ in Task { try? await promise.value() } }
            let turn = Int.random(in: 0...4, using: &generator)
            for (index, waiter) in waiters.enumerated() {
                if index == turn { promise.resolve(.success(index)) }
                if Bool.random(using: &generator) { waiter.cancel() }
                await disturbOrder(Int.random(in: 0...2, using: &generator))
            }
            promise.resolve(.success(4))
            for waiter in waiters {
                let value = await waiter.value
                #expect(value == nil || value == turn, "seed \(seed)")
            }
        }
    }
}

struct MonotonicTimeTests {
    @Test func `sums saturate`() {
        let time = MonotonicTime(nanoseconds: 5)
        #expect(time.advanced(by: .nanoseconds(2)).nanoseconds == 7)
        #expect(time.advanced(by: .seconds(Int64.max)) == .never)
        #expect(MonotonicTime.never.advanced(by: .nanoseconds(1)) == .never)
        #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
    }

    @Test func `a wait never ends early`() {
        let time = MonotonicTime(nanoseconds: 0)
        #expect(MonotonicTime(nanoseconds: 1).milliseconds(since: time) == 1)
        #expect(MonotonicTime(nanoseconds: 1_999_999).milliseconds(since: time) == 2)
        #expect(time.milliseconds(since: MonotonicTime(nanoseconds: 9)) == 0)
        #expect(MonotonicTime.never.milliseconds(since: time) == -1)
        #expect(MonotonicTime(nanoseconds: .max - 1).milliseconds(since: time) == .max)
    }

    @Test func `the clocks go on and the run has an id`() {
        let (first, second) = (MonotonicTime.now, MonotonicTime.now)
        #expect(first <= second && second.duration(since: first) >= .zero)
        #expect(MachineTime.sinceBoot > .zero)
        #expect(MachineTime.bootID?.utf8.count == 36)
    }
}
