// SPDX-License-Identifier: MIT

import Networking
import TestKit
import Testing

@testable import EchoText

@Suite("Token buckets")
struct RateLimitBucketsTests {
    private func wait(_ limit: RateLimitWait.Limit, _ seconds: Double, tooLong: Bool = false) -> RateLimitWait {
        RateLimitWait(limit: limit, duration: .seconds(seconds), isTooLong: tooLong)
    }

    @Test func `a full bucket gives its burst, then a share at a time`() {
        var buckets = RateLimitBuckets(RequestLimits(requestsPerMinute: 6), at: .zero)
        for _ in 0..<6 { #expect(buckets.take(tokens: 0, at: .zero) == nil) }
        #expect(buckets.take(tokens: 0, at: .zero) == wait(.requests, 10))
        #expect(buckets.take(tokens: 0, at: .zero) == wait(.requests, 20))
        // The first two waits are over, and half a share more has come.
        #expect(buckets.take(tokens: 0, at: .seconds(25)) == wait(.requests, 5))
    }

    @Test func `a wait beyond the limit takes nothing`() {
        var buckets = RateLimitBuckets(RequestLimits(requestsPerMinute: 1, longestWait: .seconds(30)), at: .zero)
        #expect(buckets.take(tokens: 0, at: .zero) == nil)
        #expect(buckets.take(tokens: 0, at: .seconds(10)) == wait(.requests, 50, tooLong: true))
        #expect(buckets.take(tokens: 0, at: .seconds(30)) == wait(.requests, 30))
    }

    @Test func `tokens of the answer are charged afterwards`() {
        var buckets = RateLimitBuckets(RequestLimits(tokensPerMinute: 600), at: .zero)
        #expect(buckets.take(tokens: 100, at: .zero) == nil)
        buckets.charge(tokens: 500, at: .zero)
        #expect(buckets.take(tokens: 100, at: .zero) == wait(.tokens, 10))
    }

    @Test func `a request larger than the bucket waits for a full one`() {
        var buckets = RateLimitBuckets(RequestLimits(tokensPerMinute: 60), at: .zero)
        #expect(buckets.take(tokens: 1_000, at: .zero) == nil)
        #expect(buckets.take(tokens: 1, at: .zero)?.isTooLong == true)
    }

    @Test func `the server's word replaces the level, less what is on its way`() {
        var buckets = RateLimitBuckets(RequestLimits(), at: .zero)
        #expect(buckets.take(tokens: 10, at: .zero) == nil)
        #expect(buckets.take(tokens: 10, at: .zero) == nil)
        buckets.answered(tokens: 10)
        buckets.note(.requests, count: 60, remaining: 1, reset: .seconds(59), at: .zero)
        // One is left, and one request is on its way.
        #expect(buckets.take(tokens: 10, at: .zero) == wait(.requests, 1))
        buckets.note(.tokens, count: 100, remaining: 0, reset: .seconds(50), at: .zero)
        #expect(buckets.take(tokens: 4, at: .zero)?.limit == .tokens)
    }

    @Test func `limits of the server are ignored on request`() {
        var buckets = RateLimitBuckets(RequestLimits(followsServer: false), at: .zero)
        buckets.note(.requests, count: 60, remaining: 0, reset: .seconds(60), at: .zero)
        buckets.pause(for: .seconds(9), at: .zero)
        #expect(buckets.take(tokens: 1, at: .zero) == nil)
    }

    @Test func `a refusal holds every request back`() {
        var buckets = RateLimitBuckets(RequestLimits(), at: .zero)
        buckets.pause(for: .seconds(9), at: .zero)
        #expect(buckets.take(tokens: 1, at: .seconds(2)) == wait(.requests, 7))
        #expect(buckets.take(tokens: 1, at: .seconds(9)) == nil)
    }

    @Test(arguments: [("6m0s", 360.0), ("1.5s", 1.5), ("20ms", 0.02), ("1h2m3s", 3_723), ("7", 7)])
    func `a reset has units`(text: String, seconds: Double) {
        let status = RateLimitStatus(["x-ratelimit-reset-requests": text, "x-ratelimit-reset-tokens": "soon"])
        #expect(status.requestReset == .seconds(seconds))
        #expect(status.tokenReset == nil)
    }

    /// No schedule of random requests exceeds the burst plus the rate in any time.
    @Test(arguments: 0..<50) func `no more leaves than the rate allows`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let limit = Int.random(in: 1...100, using: &random)
        var buckets = RateLimitBuckets(
            RequestLimits(requestsPerMinute: limit, longestWait: .seconds(1 << 20)), at: .zero)
        var now = Duration.zero
        var departures: [Duration] = []
        for _ in 0..<300 {
            now += .milliseconds(Int.random(in: 0...2_000, using: &random))
            departures.append(now + (buckets.take(tokens: 0, at: now)?.duration ?? .zero))
        }
        #expect(departures == departures.sorted(), "seed \(seed)")
        for (index, departure) in departures.enumerated() {
            let allowed = Double(limit) + departure / .seconds(60) * Double(limit)
            #expect(Double(index + 1) <= allowed + 1e-6, "seed \(seed), request \(index)")
        }
    }
}
