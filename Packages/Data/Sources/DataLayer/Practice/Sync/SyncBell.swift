// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
public import Domain

/// Ends pauses early: rung by whoever learns that the network or the sign-in is back.
///
/// A ring between the failure and the pause is not lost: whoever waits says which ring it has heard last.
public final class SyncBell: SyncSignal {
    private struct State {
        var rings = 0
        var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextWaiter = 0
    }

    private let state = Guarded(State())

    /// A bell that nobody has rung.
    public init() {}

    /// How often it was rung.
    public var rings: Int { state.withLock { $0.rings } }

    /// How many wait for it; for tests.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Ends every pause that there is.
    public func ring() {
        let waiters = state.withLock { state in
            state.rings += 1
            defer { state.waiters = [:] }
            return state.waiters.values.map(\.self)
        }
        for waiter in waiters { waiter.finish() }
    }

    /// Waits until it is rung or the time is over.
    ///
    /// - Parameters:
    ///   - heard: The ``rings`` that the caller knows of; at any other number this returns at once.
    ///   - time: The longest wait.
    ///   - clock: What it is measured by.
    /// - Returns: Whether it was rung.
    /// - Throws: `CancellationError`.
    @discardableResult
    public func wait(
        after heard: Int, for time: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> Bool {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let waiter: Int? = state.withLock { state in
            guard state.rings == heard else { return nil }
            state.nextWaiter += 1
            state.waiters[state.nextWaiter] = continuation
            return state.nextWaiter
        }
        guard let waiter else { return true }
        defer { state.withLock { $0.waiters[waiter] = nil } }
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await _ in stream {}
                try Task.checkCancellation()
                return true
            }
            group.addTask {
                try await clock.sleep(for: time)
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
    }
}
