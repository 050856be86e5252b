// SPDX-License-Identifier: MIT

import Concurrency

/// The requests that are tried again, the number of attempts, and the waits.
public struct RetryPolicy: Sendable {
    /// The most attempts, the first included.
    public var maximumAttempts = 3
    /// The upper end of the first wait; it doubles with each. The wait is a random share of it (full jitter).
    public var baseDelay = Duration.milliseconds(250)
    /// The most that the upper end grows to.
    public var maximumDelay = Duration.seconds(20)
    /// The longest `Retry-After` that is waited for; a longer one ends the attempts.
    public var maximumRetryAfter = Duration.seconds(60)
    /// The statuses that are retried, besides the faults that may pass within seconds.
    public var statuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
    /// Faults that are not retried although seconds may be enough.
    public var exceptions: Set<NetworkError.Code> = []
    /// True if a `POST` or `PATCH` gets an `Idempotency-Key`, and so becomes safe to repeat on servers that know it.
    public var addsIdempotencyKey = true

    /// The defaults: three attempts, from 250 ms on.
    public init() {}

    var backoff: Backoff { Backoff(first: baseDelay, longest: maximumDelay) }
}

/// The retries that all of a client's requests share, so that they do not overload a failing server (the AWS SDKs'
/// standard mode).
struct RetryBudget: Sendable {
    static let capacity = 500
    static let retryCost = 5
    static let timeoutCost = 10

    private(set) var tokens = capacity

    /// Pays for one retry.
    ///
    /// - Returns: The price, or `nil` if there is not enough left.
    mutating func spend(afterTimeout: Bool) -> Int? {
        let cost = afterTimeout ? Self.timeoutCost : Self.retryCost
        guard tokens >= cost else { return nil }
        tokens -= cost
        return cost
    }

    /// Returns the price of the last retry after it succeeded, or one token for a first attempt that did.
    mutating func refund(_ cost: Int?) {
        tokens = min(Self.capacity, tokens + (cost ?? 1))
    }
}
