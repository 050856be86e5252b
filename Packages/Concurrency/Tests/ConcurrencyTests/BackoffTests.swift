// SPDX-License-Identifier: MIT

import Concurrency
import Testing

struct BackoffTests {
    @Test func `the limit doubles up to the longest`() {
        let backoff = Backoff(first: .milliseconds(500), longest: .seconds(3))
        let limits = [1, 2, 3, 4, 5].map { backoff.limit(afterFailures: $0) }
        #expect(limits == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(3), .seconds(3)])
        #expect(backoff.limit(afterFailures: .min) == .milliseconds(500))
        #expect(backoff.limit(afterFailures: .max) == .seconds(3))
    }

    @Test(arguments: [
        (Backoff.Jitter.none, 4.0, 4.0), (.half, 2.0, 4.0), (.full, 0.0, 4.0), (.fromFirst, 1.0, 4.0),
    ])
    func `chance decides within bounds`(jitter: Backoff.Jitter, least: Double, most: Double) {
        let backoff = Backoff(first: .seconds(1), longest: .seconds(10), jitter: jitter)
        #expect(backoff.delay(afterFailures: 3, chance: 0) == .seconds(least))
        #expect(backoff.delay(afterFailures: 3, chance: 0.5) == .seconds((least + most) / 2))
        #expect(backoff.delay(afterFailures: 3, chance: 1) == .seconds(most))
        #expect(backoff.delay(afterFailures: 3, chance: 2) == .seconds(most))
        #expect(backoff.delay(afterFailures: 3, chance: .nan) == .seconds(least))
    }

    @Test func `no wait and the longest durations are no trap`() {
        #expect(Backoff(first: .zero, longest: .seconds(1)).delay(afterFailures: .max) == .zero)
        #expect(Backoff(first: .seconds(-1), longest: .seconds(-1)).delay(afterFailures: 3) == .zero)
        let huge = Backoff(first: .seconds(1), longest: .seconds(Int64.max), jitter: .none)
        #expect(huge.delay(afterFailures: .max) == .seconds(Int64.max))
    }
}
