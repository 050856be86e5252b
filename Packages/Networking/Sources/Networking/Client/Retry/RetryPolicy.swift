// SPDX-License-Identifier: MIT

import Concurrency

/// What is tried again, how often, and how long to wait.
public struct RetryPolicy: Sendable {
    /// Tries in all, the first included.
    public var maximumAttempts = 3
    /// The upper end of the first wait; it doubles with each. The wait is a random share of it (full jitter).
    public var baseDelay = Duration.milliseconds(250)
    /// The most that the upper end grows to.
    public var maximumDelay = Duration.seconds(20)
    /// The longest `Retry-After` that is waited for; a longer one ends the tries.
    public var maximumRetryAfter = Duration.seconds(60)
    /// The statuses that are tried again, besides the faults that may pass within seconds.
    public var statuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
    /// Faults that are not tried again although seconds may be enough.
    public var exceptions: Set<NetworkError.Code> = []
    /// Whether a `POST` or `PATCH` gets an `Idempotency-Key`, and so becomes safe to repeat on servers that know it.
    public var addsIdempotencyKey = true

    /// The defaults: three tries, from 250 ms on.
    public init() {}

    var backoff: Backoff { Backoff(first: baseDelay, longest: maximumDelay) }
}
