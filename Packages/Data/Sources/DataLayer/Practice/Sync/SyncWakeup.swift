// SPDX-License-Identifier: MIT

import Concurrency

/// Ends pauses early, when the network or the sign-in is back.
///
/// A wakeup between the failure and the pause is not lost: the caller of ``wait(after:for:clock:)`` passes the number
/// of wakeups that it knows.
public final class SyncWakeup: Sendable {
    private let monitor = Monitor(0)

    /// Makes a signal without wakeups.
    public init() {}

    /// The number of wakeups so far.
    public var count: Int { monitor.withLock { $0 } }

    /// The number of waiting tasks; for tests.
    var waiterCount: Int { monitor.waiterCount }

    /// Ends every current pause.
    public func wake() { monitor.withLock { $0 += 1 } }

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
        guard count == heard else { return true }
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { [monitor] in
                try await monitor.wait { $0 != heard }
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
