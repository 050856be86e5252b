// SPDX-License-Identifier: MIT

/// A clock whose waits pass at once, or last until their task is cancelled, as a rule says. It records their lengths.
public final class ScriptedClock: Clock, Sendable {
    /// A time on the clock, which starts at zero.
    public typealias Instant = ManualClock.Instant

    private let state = Lock((now: Instant(), waits: [Duration]()))
    private let isFrozen: Bool
    private let passes: @Sendable (_ wait: Duration, _ number: Int) -> Bool

    /// A clock at zero.
    ///
    /// - Parameters:
    ///   - isFrozen: True if the time stands still, so that the lengths of simultaneous waits are exact; false if a wait
    ///     that passes moves it to its end.
    ///   - passes: Returns true for a wait that passes at once. The number of the first wait is 0.
    public init(
        isFrozen: Bool = false, passes: @escaping @Sendable (_ wait: Duration, _ number: Int) -> Bool = { _, _ in true }
    ) {
        (self.isFrozen, self.passes) = (isFrozen, passes)
    }

    /// The time.
    public var now: Instant { state.withLock { $0.now } }
    /// Zero.
    public var minimumResolution: Duration { .zero }
    /// The lengths of all waits in the order of their beginnings.
    public var waits: [Duration] { state.withLock { $0.waits } }

    /// Moves the time on, without a wait.
    public func advance(by duration: Duration) {
        state.withLock { $0.now = $0.now.advanced(by: duration) }
    }

    /// Returns at once or when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let isOver = state.withLock { state in
            let wait = state.now.duration(to: deadline)
            state.waits.append(wait)
            guard passes(wait, state.waits.count - 1) else { return false }
            if !isFrozen { state.now = max(state.now, deadline) }
            return true
        }
        if isOver { return }
        await untilCancelled()
        throw CancellationError()
    }
}
