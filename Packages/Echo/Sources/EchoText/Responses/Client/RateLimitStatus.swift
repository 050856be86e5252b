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
        requestReset = headers.wait("x-ratelimit-reset-requests", now: Date())
        tokenReset = headers.wait("x-ratelimit-reset-tokens", now: Date())
        retryAfter = headers.retryAfter(now: Date())
    }
}
