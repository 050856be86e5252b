// SPDX-License-Identifier: MIT

/// Sends requests through a row of stages, each of which is a transport in front of the next and can be used alone:
///
///     cache → token → retry → circuit breaker → rate limit → concurrency → log → transport
///
/// A stored answer costs nothing further in; one refreshed token serves all retries; an open circuit ends a retry at
/// once; a wait for the rate does not occupy a place; and the log shows every attempt as it went out.
public struct HTTPClient: HTTPTransport {
    private let first: any HTTPTransport
    private let tokens: TokenTransport?

    /// A client in front of `transport`.
    ///
    /// - Parameters:
    ///   - transport: What sends in the end: a `CurlTransport`, or in tests a `ScriptedTransport`.
    ///   - configuration: Which stages there are.
    ///   - clock: For waits and dates.
    ///   - random: For the waits' jitter, and for idempotency keys.
    public init(
        transport: any HTTPTransport, configuration: Configuration = Configuration(), clock: ClientClock = .system,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        var stage = transport
        if let log = configuration.log { stage = LogTransport(next: stage, log: log, clock: clock) }
        if let limit = configuration.maximumConcurrentRequests {
            stage = ConcurrencyLimitTransport(next: stage, limit: limit)
        }
        if let limits = configuration.rateLimits {
            stage = RateLimitTransport(next: stage, limits: limits, clock: clock)
        }
        if let policy = configuration.circuitBreaker {
            stage = CircuitBreakerTransport(next: stage, policy: policy, clock: clock)
        }
        if let policy = configuration.retry {
            stage = RetryTransport(next: stage, policy: policy, clock: clock, random: RandomSource(random))
        }
        let tokens = configuration.tokens.map { TokenTransport(next: stage, provider: $0, clock: clock) }
        if let tokens { stage = tokens }
        if let store = configuration.cache {
            stage = CacheTransport(
                next: stage, store: store, staleIfError: configuration.staleIfError, clock: clock,
                partition: { [provider = configuration.tokens] in await provider?.token()?.session ?? "" })
        }
        self.tokens = tokens
        first = stage
    }

    /// Sends a request through all stages. A response of any status is not an error.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try request.validate()
        return try await first.send(request)
    }

    /// Cancels a token refresh that is under way. The transport is closed by its owner.
    public func close() {
        tokens?.close()
    }
}
