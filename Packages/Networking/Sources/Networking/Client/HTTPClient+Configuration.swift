// SPDX-License-Identifier: MIT

public import FoundationEssentials

extension HTTPClient {
    /// What a client does with requests. A stage that is `nil` is left out.
    public struct Configuration: Sendable {
        /// What paths are below, as `https://api.example/v1`.
        public var baseURL: URL?
        /// How bodies of JSON are written and read.
        public var coding = JSONCoding.standard
        /// Stored responses.
        public var cache: (any HTTPCacheStore)?
        /// How long past its freshness a stored response may answer while the server cannot.
        public var staleIfError = Duration.zero
        /// Access tokens.
        public var tokens: (any AccessTokenProvider)?
        /// Repeating what failed.
        public var retry: RetryPolicy? = RetryPolicy()
        /// Leaving a failing origin alone.
        public var circuitBreaker: CircuitBreakerPolicy? = CircuitBreakerPolicy()
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
