// SPDX-License-Identifier: MIT

extension HTTPClient {
    /// Which stages a client has. A stage that is `nil` is left out.
    public struct Configuration: Sendable {
        /// Stored responses.
        public var cache: (any HTTPCacheStore)?
        /// How long past its freshness a stored response may answer while the server cannot.
        public var staleIfError = Duration.zero
        /// Access tokens.
        public var tokens: (any AccessTokenProvider)?
        /// Repeating what failed.
        public var retry: RetryPolicy? = RetryPolicy()
        /// Leaving a failing origin alone.
        public var circuitBreaker: CircuitBreakerTransport.Policy? = CircuitBreakerTransport.Policy()
        /// Waiting for one's turn.
        public var rateLimits: RateLimits? = RateLimits()
        /// How many requests to one origin run at once.
        public var maximumConcurrentRequests: Int? = 64
        /// Every attempt in a log.
        public var log: NetworkLog?

        /// Retries, circuit breaker, adaptive rate limit, 64 at once; no cache, no tokens, no log.
        public init() {}
    }
}
