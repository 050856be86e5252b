// SPDX-License-Identifier: MIT

import Networking

/// When to try again, as header fields.
enum RetryHeaders {
    static func headers(for retry: Scenario.Retry, now: Int) -> HTTPHeaders {
        switch retry {
        case .seconds(let seconds): ["Retry-After": "\(seconds)"]
        case .date(let seconds):
            ["Retry-After": HTTPDate(secondsSince1970: Int64(now + seconds)).map { "\($0)" } ?? "0"]
        case .milliseconds(let milliseconds): ["retry-after-ms": "\(milliseconds)"]
        case .reset(let requests, let tokens):
            [
                "x-ratelimit-limit-requests": "500", "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": requests, "x-ratelimit-limit-tokens": "30000",
                "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": tokens,
            ]
        }
    }
}
