// SPDX-License-Identifier: MIT

import FoundationEssentials
import Networking

/// The server's last word on its rate limits.
public struct RateLimitStatus: Sendable, Hashable {
    /// The limit of requests in the server's period.
    public var requestLimit: Int?
    /// The number that is left.
    public var remainingRequests: Int?
    /// The limit of tokens in the server's period.
    public var tokenLimit: Int?
    /// The number that is left.
    public var remainingTokens: Int?
    /// The wait that the server asked for.
    public var retryAfter: Duration?

    init(_ headers: HTTPHeaders) {
        func count(_ name: String) -> Int? { headers[name].flatMap { Int($0) } }
        requestLimit = count("x-ratelimit-limit-requests")
        remainingRequests = count("x-ratelimit-remaining-requests")
        tokenLimit = count("x-ratelimit-limit-tokens")
        remainingTokens = count("x-ratelimit-remaining-tokens")
        retryAfter = Self.retryAfter(in: headers)
    }

    /// `retry-after-ms`, or `Retry-After` in seconds or as a date (RFC 9110 §10.2.3).
    static func retryAfter(in headers: HTTPHeaders) -> Duration? {
        if let text = headers["retry-after-ms"], let milliseconds = Double(text), milliseconds.isFinite {
            return .seconds(min(max(milliseconds, 0) / 1000, 1e9))
        }
        guard let text = headers["Retry-After"] else { return nil }
        if let seconds = Double(text), seconds.isFinite { return .seconds(min(max(seconds, 0), 1e9)) }
        let now = Date()
        // By the server's own clock, if it sends the time: it made the date.
        let served = headers["Date"].flatMap { HTTPDate($0, now: now)?.date } ?? now
        return HTTPDate(text, now: now).map { .seconds(max(0, $0.date.timeIntervalSince(served))) }
    }
}
