// SPDX-License-Identifier: MIT

/// The waits between failing attempts: each is at most twice as long as the previous one, up to a limit. Pure: the
/// caller passes the random number.
public struct Backoff: Sendable, Hashable {
    /// The random part of a wait, so that many clients of one server do not return at the same moment.
    public enum Jitter: Sendable, Hashable {
        /// No random part: each wait is as long as its limit.
        case none
        /// Between half the limit and the limit.
        case half
        /// Between zero and the limit.
        case full
        /// Between the first wait and the limit.
        case fromFirst
    }

    /// The limit of the first wait.
    public var first: Duration
    /// The limit of every wait.
    public var longest: Duration
    /// The random part of a wait.
    public var jitter: Jitter

    /// Waits from `first`, doubling up to `longest`.
    public init(first: Duration, longest: Duration, jitter: Jitter = .full) {
        self.first = first
        self.longest = longest
        self.jitter = jitter
    }

    /// The longest wait after a number of failures in a row; below 1 it counts as 1.
    public func limit(afterFailures failures: Int) -> Duration {
        let longest = max(longest, .zero)
        var limit = max(first, .zero)
        guard limit > .zero else { return .zero }
        var doublings = 1
        while doublings < failures, limit < longest {
            limit *= 2
            doublings += 1
        }
        return min(limit, longest)
    }

    /// The wait after a number of failures in a row.
    ///
    /// - Parameters:
    ///   - failures: The number of failures; below 1 it counts as 1.
    ///   - chance: A random number from 0 to 1.
    public func delay(afterFailures failures: Int, chance: Double = 1) -> Duration {
        let limit = limit(afterFailures: failures)
        let chance = chance >= 0 ? min(chance, 1) : 0
        switch jitter {
        case .none: return limit
        case .half: return limit * (0.5 + 0.5 * chance)
        case .full: return limit * chance
        case .fromFirst:
            let least = min(max(first, .zero), limit)
            return least + (limit - least) * chance
        }
    }
}
