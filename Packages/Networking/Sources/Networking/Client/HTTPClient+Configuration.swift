// SPDX-License-Identifier: MIT

public import FoundationEssentials

extension HTTPClient {
    /// The stages of a client. A stage that is nil is left out.
    public struct Configuration: Sendable {
        /// The base of paths, as `https://api.example/v1`.
        public var baseURL: URL?
        /// The coding of JSON bodies.
        public var coding = JSONCoding.standard
        /// Stored responses.
        public var cache: (any HTTPCacheStore)?
        /// The time past its freshness in which a stored response may answer for a failing server.
        public var staleIfError = Duration.zero
        /// Access tokens.
        public var tokens: (any AccessTokenProvider)?
        /// Repeating what failed.
        public var retry: RetryPolicy? = RetryPolicy()
        /// Leaving a failing origin alone.
        public var circuitBreaker: CircuitBreakerPolicy? = CircuitBreakerPolicy()
        /// Waiting for one's turn.
        public var rateLimits: RateLimits? = RateLimits()
        /// The most requests to one origin at once.
        public var maximumConcurrentRequests: Int? = 64
        /// Every attempt in a log.
        public var log: NetworkLog?

        /// Retries, circuit breaker, adaptive rate limit, 64 at once; no cache, no tokens, no log.
        public init() {}
    }
}
