// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Foundation
import Persistence

/// A clock for waits that ends each of them at once and remembers how long they were to be.
final class PromptClock: Clock {
    typealias Instant = ContinuousClock.Instant

    private let slept = Guarded<[Duration]>([])
    /// It stands still: a wait's length is its deadline's distance, however long the machine takes to get there.
    let now = ContinuousClock.now
    var minimumResolution: Duration { .nanoseconds(1) }
    var waits: [Duration] { slept.withLock { $0 } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let wait = Duration.seconds(((deadline - now) / .seconds(1)).rounded())
        slept.withLock { $0.append(wait) }
    }
}

/// A clock for waits that never end by themselves, and remembers how long they were to be.
final class EndlessClock: Clock {
    typealias Instant = ContinuousClock.Instant

    private let slept = Guarded<[Duration]>([])
    /// It stands still: a wait's length is its deadline's distance, however long the machine takes to get there.
    let now = ContinuousClock.now
    var minimumResolution: Duration { .nanoseconds(1) }
    var waits: [Duration] { slept.withLock { $0 } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let wait = Duration.seconds(((deadline - now) / .seconds(1)).rounded())
        slept.withLock { $0.append(wait) }
        let (never, end) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        withExtendedLifetime(end) {}
        throw CancellationError()
    }
}

/// The outbox's clocks, which go only as far as a test moves them.
final class ManualOutboxTime: Sendable {
    private let time = Guarded(
        OutboxTime(boot: "boot", awake: 1_000, elapsed: 1_000, wall: Date(timeIntervalSince1970: 1_800_000_000)))

    func advance(_ seconds: Int) {
        time.withLock {
            $0.awake += Int64(seconds) * 1_000
            $0.elapsed += Int64(seconds) * 1_000
            $0.wall += Double(seconds)
        }
    }

    /// Nobody advances while somebody waits here.
    private static func waitForCancellation() async throws {
        let (never, end) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        withExtendedLifetime(end) {}
        throw CancellationError()
    }

    var clock: OutboxClock {
        OutboxClock(now: { self.time.withLock { $0 } }, sleep: { _ in try await Self.waitForCancellation() })
    }
}
