// SPDX-License-Identifier: MIT

/// The limits of requests, and of the waits for them (NFR-7): a token bucket for requests and one for tokens, for each
/// model.
public struct RequestLimits: Sendable, Hashable, Codable {
    /// The most requests a minute; `nil` leaves the limit to the server.
    public var requestsPerMinute: Int?
    /// The most tokens a minute, those of input and answer together; `nil` leaves the limit to the server.
    public var tokensPerMinute: Int?
    /// True to follow the limits that the server reports: `x-ratelimit-*`, `Retry-After`, and in voice
    /// `rate_limits.updated`.
    public var followsServer: Bool
    /// The longest wait for a limit. A request that would wait longer fails at once with
    /// ``EchoError/rateLimitExceeded``.
    public var longestWait: Duration

    /// Limits. Without arguments the server's alone, and waits of up to a minute.
    public init(
        requestsPerMinute: Int? = nil, tokensPerMinute: Int? = nil, followsServer: Bool = true,
        longestWait: Duration = .seconds(60)
    ) {
        self.requestsPerMinute = requestsPerMinute
        self.tokensPerMinute = tokensPerMinute
        self.followsServer = followsServer
        self.longestWait = longestWait
    }
}

/// A wait for a rate limit, before a request.
public struct RateLimitWait: Sendable, Hashable {
    /// The kinds of limits.
    public struct Limit: RawRepresentable, Sendable, Hashable {
        /// The API's word.
        public let rawValue: String

        /// A limit by the API's word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Requests a minute.
        public static let requests = Limit(rawValue: "requests")
        /// Tokens a minute.
        public static let tokens = Limit(rawValue: "tokens")
    }

    /// The limit that is used up.
    public var limit: Limit
    /// The time until the request may be sent.
    public var duration: Duration
    /// True if that is longer than ``RequestLimits/longestWait``: the request is not sent and fails with
    /// ``EchoError/rateLimitExceeded``.
    public var isTooLong: Bool

    package init(limit: Limit, duration: Duration, isTooLong: Bool) {
        self.limit = limit
        self.duration = duration
        self.isTooLong = isTooLong
    }
}
