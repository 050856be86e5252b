// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The buckets of all hosts. Pure: time comes in as a value.
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
    /// - Returns: How long to wait until it may go.
    mutating func reserve(host: String, now: Duration) -> Duration {
        var delay = Duration.zero
        if let rate = limits.perHost {
            delay = buckets[host, default: TokenBucket(rate: rate.perSecond, capacity: Double(rate.burst), now: now)]
                .reserve(now: now)
        }
        if limits.isAdaptive { delay = max(delay, adaptive[host]?.reserve(now: now) ?? .zero) }
        return delay
    }

    /// How long the host wants to be left alone from now on.
    mutating func pause(host: String, now: Duration) -> Duration {
        guard let end = pauses[host] else { return .zero }
        guard end > now else {
            pauses[host] = nil
            return .zero
        }
        return end - now
    }

    /// A request that had a place did not go.
    mutating func giveBack(host: String) {
        buckets[host]?.giveBack()
    }

    /// A response came.
    mutating func noteResponse(
        host: String, status: Int, headers: HTTPHeaders, now: Duration, date: @autoclosure () -> Date
    ) {
        guard limits.isAdaptive else { return }
        let isThrottled = status == 429
        if adaptive.count > 1_000 { adaptive.removeAll() }
        adaptive[host, default: AdaptiveRate()].noteResponse(isThrottled: isThrottled, now: now)
        let asked = isThrottled ? RetryAfter.delay(in: headers, now: date()) : nil
        let pause = max(asked ?? .zero, RateLimitHeaders.pause(in: headers, now: date()) ?? .zero)
        guard pause > .zero else { return }
        let end = max(pauses[host] ?? .zero, now + min(pause, limits.maximumPause))
        pauses[host] = end
        adaptive[host]?.hold(until: end)
    }
}
