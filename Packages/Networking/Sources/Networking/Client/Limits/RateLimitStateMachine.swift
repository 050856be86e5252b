// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The buckets of all hosts. Pure: time is an argument.
struct RateLimitStateMachine: Sendable {
    private let limits: RateLimits
    private var buckets: [String: TokenBucket] = [:]
    private var adaptive: [String: AdaptiveRate] = [:]
    private var pauses: [String: Duration] = [:]

    init(limits: RateLimits) {
        self.limits = limits
    }

    /// Takes a place for a request.
    ///
    /// - Returns: The wait until it may be sent.
    mutating func reserve(host: String, now: Duration) -> Duration {
        var delay = Duration.zero
        if let rate = limits.perHost {
            delay = buckets[host, default: TokenBucket(rate: rate.perSecond, capacity: Double(rate.burst), now: now)]
                .reserve(now: now)
        }
        if limits.isAdaptive { delay = max(delay, adaptive[host]?.reserve(now: now) ?? .zero) }
        return delay
    }

    /// The pause that the host demands from now on.
    mutating func pause(host: String, now: Duration) -> Duration {
        guard let end = pauses[host] else { return .zero }
        guard end > now else {
            pauses[host] = nil
            return .zero
        }
        return end - now
    }

    /// Returns the place of a request that was not sent.
    mutating func giveBack(host: String) {
        buckets[host]?.giveBack()
    }

    /// Learns from a response.
    mutating func noteResponse(
        host: String, status: Int, headers: HTTPHeaders, now: Duration, date: @autoclosure () -> Date
    ) {
        guard limits.isAdaptive else { return }
        let isThrottled = status == 429
        if adaptive.count > 1_000 { adaptive.removeAll() }
        adaptive[host, default: AdaptiveRate()].noteResponse(isThrottled: isThrottled, now: now)
        let asked = isThrottled ? headers.retryAfter(now: date()) : nil
        let pause = max(asked ?? .zero, RateLimitHeaders.pause(in: headers, now: date()) ?? .zero)
        guard pause > .zero else { return }
        let end = max(pauses[host] ?? .zero, now + min(pause, limits.maximumPause))
        pauses[host] = end
        adaptive[host]?.hold(until: end)
    }
}

/// Limits the requests a second, with a reserve for bursts. A request gets the next free place, so requests leave in
/// their order of arrival.
struct TokenBucket: Sendable {
    private let capacity: Double
    private let rate: Double
    private var tokens: Double
    private var updated: Duration

    /// - Parameters:
    ///   - rate: Requests a second.
    ///   - capacity: The most requests at once after a quiet time.
    init(rate: Double, capacity: Double, now: Duration) {
        self.rate = max(rate, 0.001)
        self.capacity = max(capacity, 1)
        tokens = self.capacity
        updated = now
    }

    /// Takes a place.
    ///
    /// - Returns: The wait until it is free.
    mutating func reserve(now: Duration) -> Duration {
        refill(now)
        tokens -= 1
        return tokens >= 0 ? .zero : .seconds(-tokens / rate)
    }

    /// Returns a place that was not used.
    mutating func giveBack() {
        tokens = min(capacity, tokens + 1)
    }

    private mutating func refill(_ now: Duration) {
        guard now > updated else { return }
        tokens = min(capacity, tokens + (now - updated).inSeconds * rate)
        updated = now
    }
}

extension Duration {
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}

/// Reads the `x-ratelimit-*` fields that many APIs send: the requests left, and the time of the reset.
enum RateLimitHeaders {
    private static let names = ["", "-requests", "-tokens"].map {
        (remaining: "x-ratelimit-remaining\($0)", reset: "x-ratelimit-reset\($0)")
    }

    /// The time until the reset if no request is left; `nil` otherwise, or if the fields say nothing.
    static func pause(in headers: HTTPHeaders, now: @autoclosure () -> Date) -> Duration? {
        for name in names {
            guard let remaining = headers[name.remaining], (Double(remaining) ?? 1) < 1,
                let delay = headers.wait(name.reset, now: now())
            else { continue }
            return delay
        }
        return nil
    }
}
