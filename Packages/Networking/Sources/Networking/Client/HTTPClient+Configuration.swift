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
        /// The retries of failed requests.
        public var retry: RetryPolicy? = RetryPolicy()
        /// Fails at once while an origin keeps failing.
        public var circuitBreaker: CircuitBreakerPolicy? = CircuitBreakerPolicy()
        /// The rates of requests.
        public var rateLimits: RateLimits? = RateLimits()
        /// The most concurrent requests to one origin.
        public var maximumConcurrentRequests: Int? = 64
        /// The log of every attempt.
        public var log: NetworkLog?

        /// Retries, circuit breaker, adaptive rate limit, 64 concurrent requests; no cache, no tokens, no log.
        public init() {}
    }
}
