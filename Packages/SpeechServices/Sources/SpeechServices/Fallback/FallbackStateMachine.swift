// SPDX-License-Identifier: MIT

public import Concurrency

/// Decides which of two engines works, and when a failed one is tried again. Pure: the caller passes the time and the
/// random number.
///
/// The primary engine works until it fails. Then the local one works, and after a wait that doubles with each failure
/// one request tries the primary one again, while others stay with the local one.
public struct FallbackStateMachine: Sendable, Hashable {
    /// An engine.
    public enum Choice: Sendable, Hashable {
        /// The chosen one.
        case primary
        /// The one on this machine.
        case local
    }

    private enum State: Hashable {
        case working
        case failed(count: Int, retryAt: Duration)
        case trying(count: Int)
    }

    private let backoff: Backoff
    private var state = State.working

    /// A primary engine that works, as far as is known.
    public init(backoff: Backoff = Backoff(first: .seconds(5), longest: .seconds(300), jitter: .half)) {
        self.backoff = backoff
    }

    /// The engine for a new request; its end must be told for ``Choice/primary``.
    ///
    /// - Parameter now: The time since a fixed moment.
    public mutating func choose(now: Duration) -> Choice {
        switch state {
        case .working: return .primary
        case .trying: return .local
        case .failed(let count, let retryAt):
            guard now >= retryAt else { return .local }
            state = .trying(count: count)
            return .primary
        }
    }

    /// The primary engine failed a request.
    ///
    /// - Parameters:
    ///   - now: The time since a fixed moment.
    ///   - least: The wait that the service asks for; nil if it asks for none.
    ///   - chance: A random number from 0 to 1.
    /// - Returns: The time until it is tried again; nil if it had failed before, so that it is reported once.
    public mutating func primaryFailed(now: Duration, least: Duration? = nil, chance: Double = 1) -> Duration? {
        let (count, isNew) =
            switch state {
            case .working: (1, true)
            case .trying(let count): (count + 1, false)
            // Requests that ran at the same time fail with the first one, and count once.
            case .failed(let count, _): (count, false)
            }
        let wait = max(backoff.delay(afterFailures: count, chance: chance), least ?? .zero)
        if case .failed(_, let retryAt) = state {
            state = .failed(count: count, retryAt: max(retryAt, now + (least ?? .zero)))
        } else {
            state = .failed(count: count, retryAt: now + wait)
        }
        return isNew ? wait : nil
    }

    /// The primary engine completed a request.
    ///
    /// - Returns: True if it had failed before.
    public mutating func primarySucceeded() -> Bool {
        // One that began before another one's failure proves nothing about now.
        guard case .trying = state else { return false }
        state = .working
        return true
    }

    /// A request of the primary engine was given up by its caller, or answered from a cache: the next one tries.
    ///
    /// - Parameter now: The time since a fixed moment.
    public mutating func primaryAbandoned(now: Duration) {
        if case .trying(let count) = state { state = .failed(count: count, retryAt: now) }
    }
}
