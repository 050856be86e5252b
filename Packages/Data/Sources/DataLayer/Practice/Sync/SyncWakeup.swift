// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// Ends pauses early, when the network or the sign-in is back.
///
/// A wakeup between the failure and the pause is not lost: the caller of ``wait(after:for:clock:)`` says how many it knows of.
public final class SyncWakeup: Sendable {
    private struct State {
        var count = 0
        var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextWaiter = 0
    }

    private let state = Guarded(State())

    /// A signal that was not sent yet.
    public init() {}

    /// The count of wakeups so far.
    public var count: Int { state.withLock { $0.count } }

    /// The count of tasks that wait; for tests.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Ends every pause that goes on.
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
    ///   - heard: The ``count`` that the caller knows of; at any other number this returns at once.
    ///   - time: The longest wait.
    ///   - clock: What it is measured by.
    /// - Returns: True if it was a wakeup that ended the wait.
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
