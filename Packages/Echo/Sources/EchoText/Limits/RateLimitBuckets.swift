// SPDX-License-Identifier: MIT

/// The token buckets of one model: those of the program's own limits, and those that follow the server. A pure state
/// machine; times are durations since any fixed moment.
///
/// A request takes its tokens when it asks, so that requests leave in the order in which they asked. A bucket may go
/// into debt: a request that costs more than a full bucket waits for a full one.
package struct RateLimitBuckets: Sendable, Hashable {
    private struct Bucket: Sendable, Hashable {
        var capacity: Double
        /// Tokens a second.
        var rate: Double
        var level: Double
        var updated: Duration

        mutating func refill(at now: Duration) {
            guard now > updated else { return }
            level = min(capacity, level + (now - updated) / .seconds(1) * rate)
            updated = now
        }

        func wait(for cost: Double) -> Duration {
            let missing = min(cost, capacity) - level
            guard missing > 0 else { return .zero }
            // More than a year is no wait that ends, and a Duration has its limits.
            return .seconds(min(missing / max(rate, 1e-9), 1e8))
        }
    }

    private let limits: RequestLimits
    private var own: [RateLimitWait.Limit: Bucket] = [:]
    private var server: [RateLimitWait.Limit: Bucket] = [:]
    /// The cost of requests that were taken and that the server has not answered, and may not have counted.
    private var open: [RateLimitWait.Limit: Double] = [:]
    /// The end of the pause that the server asked for.
    private var pauseEnd: Duration?

    package init(_ limits: RequestLimits, at now: Duration) {
        self.limits = limits
        for (limit, count) in [
            (RateLimitWait.Limit.requests, limits.requestsPerMinute), (.tokens, limits.tokensPerMinute),
        ] {
            guard let count else { continue }
            let capacity = Double(max(count, 1))
            own[limit] = Bucket(capacity: capacity, rate: capacity / 60, level: capacity, updated: now)
        }
    }

    /// Takes a request's share.
    ///
    /// - Returns: The wait before it may be sent; `nil` for none. Nothing is taken if the wait is too long.
    package mutating func take(tokens: Int, at now: Duration) -> RateLimitWait? {
        let costs: [(RateLimitWait.Limit, Double)] = [(.requests, 1), (.tokens, Double(max(tokens, 0)))]
        var longest = RateLimitWait(limit: .requests, duration: max((pauseEnd ?? now) - now, .zero), isTooLong: false)
        for (limit, cost) in costs {
            own[limit]?.refill(at: now)
            server[limit]?.refill(at: now)
            for bucket in [own[limit], server[limit]].compactMap(\.self) where bucket.wait(for: cost) > longest.duration
            {
                longest.limit = limit
                longest.duration = bucket.wait(for: cost)
            }
        }
        guard longest.duration <= limits.longestWait else {
            longest.isTooLong = true
            return longest
        }
        for (limit, cost) in costs {
            own[limit]?.level -= cost
            server[limit]?.level -= cost
            open[limit, default: 0] += cost
        }
        return longest.duration > .zero ? longest : nil
    }

    /// Returns the share of a request that was not sent.
    package mutating func giveBack(tokens: Int) {
        for (limit, cost) in [(RateLimitWait.Limit.requests, 1.0), (.tokens, Double(max(tokens, 0)))] {
            own[limit]?.level += cost
            server[limit]?.level += cost
            open[limit, default: 0] -= cost
        }
    }

    /// Notes that the server has answered a request, and counted it.
    package mutating func answered(tokens: Int) {
        open[.requests, default: 0] -= 1
        open[.tokens, default: 0] -= Double(max(tokens, 0))
    }

    /// Charges tokens that were not known when the request was taken.
    package mutating func charge(tokens: Int, at now: Duration) {
        own[.tokens]?.refill(at: now)
        own[.tokens]?.level -= Double(max(tokens, 0))
    }

    /// Follows the server's word on a limit.
    ///
    /// - Parameters:
    ///   - count: The limit; `nil` keeps the last one.
    ///   - reset: The time until all of it is available again; `nil` counts as a minute.
    package mutating func note(
        _ limit: RateLimitWait.Limit, count: Int?, remaining: Int?, reset: Duration?, at now: Duration
    ) {
        guard limits.followsServer, let remaining else { return }
        let capacity = max(count.map(Double.init) ?? server[limit]?.capacity ?? Double(remaining), 1)
        let missing = capacity - Double(remaining)
        var rate = capacity / 60
        if let reset, reset > .zero, missing > 0 { rate = missing / (reset / .seconds(1)) }
        let level = Double(remaining) - max(open[limit] ?? 0, 0)
        server[limit] = Bucket(capacity: capacity, rate: rate, level: level, updated: now)
    }

    /// Follows the server's refusal: nothing is sent for that long.
    package mutating func pause(for wait: Duration, at now: Duration) {
        guard limits.followsServer, wait > .zero else { return }
        pauseEnd = max(pauseEnd ?? now, now + wait)
    }
}
