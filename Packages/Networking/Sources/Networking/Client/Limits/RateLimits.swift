// SPDX-License-Identifier: MIT

/// How many requests go out in a time.
public struct RateLimits: Sendable {
    /// A steady rate with room for bursts.
    public struct Rate: Sendable, Hashable {
        /// Requests a second.
        public var perSecond: Double
        /// How many may go at once after a quiet time.
        public var burst: Int

        /// A rate.
        public init(perSecond: Double, burst: Int) {
            self.perSecond = perSecond
            self.burst = burst
        }
    }

    /// For each host alone; `nil` sets no limit in advance.
    public var perHost: Rate?
    /// Whether to slow down by what servers say: 429, and `x-ratelimit-*` that says that nothing is left.
    public var isAdaptive = true
    /// The longest wait that a server's `x-ratelimit-reset` or `Retry-After` can bring about.
    public var maximumPause = Duration.seconds(60)

    /// No limit in advance, adaptive.
    public init() {}
}
