// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// Ends pauses early, when the network or the sign-in is back.
///
/// A wakeup between the failure and the pause is not lost: the caller of ``wait(after:for:clock:)`` passes the number
/// of wakeups that it knows.
public final class SyncWakeup: Sendable {
    private struct State {
        var count = 0
        var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextWaiter = 0
    }

    private let state = Guarded(State())

    /// Makes a signal without wakeups.
    public init() {}

    /// The number of wakeups so far.
    public var count: Int { state.withLock { $0.count } }

    /// The number of waiting tasks; for tests.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Ends every current pause.
    public func wake() {
        let waiters = state.withLock { state in
            state.count += 1
            defer { state.waiters = [:] }
            return state.waiters.values.map(\.self)
        }
        for waiter in waiters { waiter.finish() }
    }

    /// Waits for the next wakeup, or until the time is over.
    ///
    /// - Parameters:
    ///   - heard: The ``count`` that the caller knows; at any other number this returns at once.
    ///   - time: The longest wait.
    ///   - clock: The clock of the wait.
    /// - Returns: True if a wakeup ended the wait.
    /// - Throws: `CancellationError`.
    @discardableResult
    public func wait(
        after heard: Int, for time: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> Bool {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let waiter: Int? = state.withLock { state in
            guard state.count == heard else { return nil }
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
