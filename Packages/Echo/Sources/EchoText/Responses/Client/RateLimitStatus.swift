// SPDX-License-Identifier: MIT

import FoundationEssentials
import Networking

/// The server's last word on its rate limits.
package struct RateLimitStatus: Sendable, Hashable {
    /// The limit of requests in the server's period.
    package var requestLimit: Int?
    /// The number that is left.
    package var remainingRequests: Int?
    /// The time until all of them are available again.
    package var requestReset: Duration?
    /// The limit of tokens in the server's period.
    package var tokenLimit: Int?
    /// The number that is left.
    package var remainingTokens: Int?
    /// The time until all of them are available again.
    package var tokenReset: Duration?
    /// The wait that the server asked for.
    package var retryAfter: Duration?

    init(_ headers: HTTPHeaders) {
        func count(_ name: String) -> Int? { headers[name].flatMap { Int($0) } }
        requestLimit = count("x-ratelimit-limit-requests")
        remainingRequests = count("x-ratelimit-remaining-requests")
        tokenLimit = count("x-ratelimit-limit-tokens")
        remainingTokens = count("x-ratelimit-remaining-tokens")
        requestReset = headers["x-ratelimit-reset-requests"].flatMap(Self.reset)
        tokenReset = headers["x-ratelimit-reset-tokens"].flatMap(Self.reset)
        retryAfter = Self.retryAfter(in: headers)
    }

    /// A time with units, such as `6m0s`, `1.5s` or `20ms`, or in seconds alone.
    static func reset(_ text: String) -> Duration? {
        if let seconds = Double(text), seconds.isFinite { return .seconds(min(max(seconds, 0), 1e8)) }
        let units: [Substring: Double] = ["ms": 0.001, "s": 1, "m": 60, "h": 3_600, "d": 86_400]
        var total = 0.0
        var rest = text[...]
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            let unit = rest.dropFirst(digits.count).prefix(while: \.isLetter)
            guard let number = Double(digits), let factor = units[unit] else { return nil }
            total += number * factor
            rest = rest.dropFirst(digits.count + unit.count)
        }
        return .seconds(min(total, 1e8))
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
