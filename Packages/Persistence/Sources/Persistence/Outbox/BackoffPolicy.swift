// SPDX-License-Identifier: MIT

import Concurrency

/// How long to wait between attempts: exponential growth with full jitter, so that many clients do not come back together.
public struct BackoffPolicy: Sendable, Equatable {
    /// The longest wait after the first attempt; it doubles with each further one.
    public var base: Duration
    /// No wait is longer.
    public var cap: Duration

    /// A policy; 1 second doubling up to 15 minutes by default.
    public init(base: Duration = .seconds(1), cap: Duration = .seconds(900)) {
        self.base = base
        self.cap = cap
    }

    /// The wait after a number of attempts.
    ///
    /// - Parameters:
    ///   - attempts: How many have failed, from 1.
    ///   - jitter: A random number in 0..<1; the wait is this share of the longest one.
    public func delay(afterAttempts attempts: Int, jitter: Double) -> Duration {
        Backoff(first: base, longest: cap).delay(afterFailures: attempts, chance: jitter)
    }
}
