// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Sends requests through a row of stages, which `HTTPClient.Configuration` lists:
///
///     cache → token → retry → circuit breaker → rate limit → concurrency → log → transport
///
/// A stored answer costs nothing further in; one refreshed token serves all retries; an open circuit ends a retry at
/// once; a wait for the rate does not occupy a place; and the log shows every attempt as it was sent.
public struct HTTPClient: HTTPTransport {
    private let first: any HTTPTransport
    private let tokens: TokenTransport?
    private let breaker: CircuitBreakerTransport?
    private let clock: ClientClock
    /// The transport that `close` closes, because the client made it.
    private var ownTransport: CurlTransport?
    /// The base of paths.
    public let baseURL: URL?
    /// The coding of JSON bodies.
    public let coding: JSONCoding

    /// A client with a transport of its own. Plain `http` is allowed to this machine only, unless `connections` says
    /// otherwise.
    ///
    /// - Parameters:
    ///   - baseURL: The base of paths, as `https://api.example/v1` or `http://localhost:8080`.
    ///   - configuration: The stages.
    ///   - connections: The transport's configuration.
    /// - Throws: `NetworkError` with the code `invalidRequest` if the URL is not an absolute http or https one, and
    ///   `other` if the system has no thread or memory left.
    public init(
        baseURL: String, configuration: Configuration = Configuration(),
        connections: CurlTransport.Configuration = CurlTransport.Configuration()
    ) throws {
        guard let url = URL(string: baseURL) else {
            throw NetworkError.invalidRequest("The base URL is not a URL. Give one like https://api.example/v1.")
        }
        try HTTPRequest(.get, url).validate()
        try connections.checkSecurity(of: url)
        var configuration = configuration
        configuration.baseURL = url
        let transport = try CurlTransport(configuration: connections)
        self.init(transport: transport, configuration: configuration)
        ownTransport = transport
    }

    /// A client in front of `transport`.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests: a `CurlTransport`, or in tests a `ScriptedTransport`.
    ///   - configuration: The stages.
    ///   - clock: The clock of waits and dates.
    ///   - random: The source of the waits' jitter, and of idempotency keys.
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
        let next = stage
        breaker = configuration.circuitBreaker.map {
            CircuitBreakerTransport(next: next, policy: $0, clock: clock)
        }
        if let breaker { stage = breaker }
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
        self.clock = clock
        baseURL = configuration.baseURL
        coding = configuration.coding
        first = stage
    }

    /// Sends a request through all stages. A response of any status is not an error.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try request.validate()
        return try await first.send(request)
    }

    /// The time for which requests to the origin of a URL fail at once with `circuitOpen`; nil if one may be sent now.
    public func circuitPause(to url: URL) -> Duration? { breaker?.pause(Origin(url)) }

    /// The date by the client's clock.
    public var currentDate: Date { clock.date() }

    /// Cancels a token refresh that is under way, and closes the transport if the client made it. Another's transport
    /// is closed by its owner.
    public func close() async {
        tokens?.close()
        await ownTransport?.close()
    }
}
