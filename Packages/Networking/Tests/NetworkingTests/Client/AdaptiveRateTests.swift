// SPDX-License-Identifier: MIT

import Testing

@testable import Networking

struct AdaptiveRateTests {
    /// The test vector of the AWS SDKs' client-side rate limiter, from the first refusal on.
    @Test func agreesWithTheSDKsVector() {
        var rate = AdaptiveRate()
        let expected: [(tenths: Int, isThrottled: Bool, rate: Double)] = [
            (20, true, 3.028480), (22, false, 3.486639), (24, false, 3.821874), (26, false, 4.053386),
            (28, false, 4.200373), (30, false, 4.282037), (32, true, 2.997426), (34, false, 3.452226),
        ]
        for tenths in stride(from: 2, to: 20, by: 2) {
            rate.noteResponse(isThrottled: false, now: .milliseconds(tenths * 100))
            #expect(rate.fillRate == nil)
        }
        for step in expected {
            rate.noteResponse(isThrottled: step.isThrottled, now: .milliseconds(step.tenths * 100))
            #expect(abs((rate.fillRate ?? 0) - step.rate) < 0.000_001, "at \(step.tenths)")
        }
    }

    @Test func afterAPauseTheWaitingGoOneByOne() {
        var rate = AdaptiveRate()
        for milliseconds in stride(from: 0, through: 2_000, by: 100) {
            rate.noteResponse(isThrottled: milliseconds == 2_000, now: .milliseconds(milliseconds))
        }
        let spacing = 1 / (rate.fillRate ?? 0)
        rate.hold(until: .seconds(60))
        let delays = (0..<4).map { _ in rate.reserve(now: .seconds(50)).inSeconds }
        // The first goes when the pause is over, which the pause itself sees to.
        #expect(delays[0] == 0)
        for number in 1..<4 { #expect(abs(delays[number] - 10 - Double(number) * spacing) < 1e-9, "\(delays)") }
    }
}
