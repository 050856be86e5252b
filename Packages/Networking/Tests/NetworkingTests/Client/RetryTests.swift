// SPDX-License-Identifier: MIT

import Foundation
import NetworkingTestSupport
import TestKit
import Testing

@testable import Networking

struct RetryTests {
    private func stage(_ script: ScriptedTransport, _ clock: ScriptedClock, policy: RetryPolicy = RetryPolicy())
        -> RetryTransport
    {
        RetryTransport(next: script, policy: policy, clock: skippingClock(clock), random: FixedRandom())
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504]) func repeatsPassingStatuses(_ status: Int) async throws {
        let script = ScriptedTransport([answer(status), answer(status), answer(200)])
        let clock = ScriptedClock()
        let response = try await stage(script, clock).send(HTTPRequest(.get, testURL))
        #expect(response.status == 200)
        #expect(response.attempts.map(\.status) == [status, status, 200])
        // Full jitter at its upper end: 250 ms, then 500 ms.
        #expect(zip(clock.waits, [0.25, 0.5]).allSatisfy { abs($0.seconds - $1) < 0.001 }, "\(clock.waits)")
    }

    @Test func threeAttemptsAndTheErrorCarriesThem() async throws {
        let script = ScriptedTransport(failure(.connectionLost))
        do {
            _ = try await stage(script, ScriptedClock()).send(HTTPRequest(.put, testURL))
            Issue.record("no error")
        } catch let error as NetworkError {
            #expect(error.code == .connectionLost)
            #expect(error.attempts.map(\.number) == [1, 2, 3])
            #expect(error.attempts.allSatisfy { $0.code == .connectionLost })
            #expect(error.description.contains("3 attempts"))
        }
        #expect(script.requests.count == 3)
    }

    @Test func aPostGetsOneKeyForAllAttempts() async throws {
        let script = ScriptedTransport([answer(503), answer(201)])
        _ = try await stage(script, ScriptedClock()).send(HTTPRequest(.post, testURL))
        let keys = script.requests.map { $0.headers["Idempotency-Key"] }
        #expect(keys.count == 2)
        #expect(keys[0]?.count == 32)
        #expect(keys[0] == keys[1])
    }

    @Test func whatIsNotSafeIsSentOnce() async throws {
        var policy = RetryPolicy()
        policy.addsIdempotencyKey = false
        let script = ScriptedTransport(answer(503))
        _ = try await stage(script, ScriptedClock(), policy: policy).send(HTTPRequest(.post, testURL))
        #expect(script.requests.count == 1)
        let stream = HTTPBody.stream(HTTPBodyStream(AsyncStream<[UInt8]> { $0.finish() }))
        _ = try await stage(script, ScriptedClock()).send(HTTPRequest(.put, testURL, body: stream))
        #expect(script.requests.count == 2)
        for status in [400, 401, 404, 409, 501] {
            let script = ScriptedTransport(answer(status))
            _ = try await stage(script, ScriptedClock()).send(HTTPRequest(.get, testURL))
            #expect(script.requests.count == 1)
        }
    }

    @Test(
        arguments: [
            (["Retry-After": "7"], 7.0), (["retry-after-ms": "1500"], 1.5), (["Retry-After": "0"], 0.25),
            (["Retry-After": "Tue, 14 Nov 2023 22:13:30 GMT"], 10), (["Retry-After": "soon"], 0.25),
            (["Retry-After": "9", "retry-after-ms": "2000"], 2),
            // This machine's clock is two hours behind the server's.
            (["Retry-After": "Wed, 15 Nov 2023 00:13:30 GMT", "Date": "Wed, 15 Nov 2023 00:13:20 GMT"], 10),
        ] as [(HTTPHeaders, Double)]) func obeysRetryAfter(_ headers: HTTPHeaders, _ seconds: Double) async throws
    {
        let clock = ScriptedClock()
        _ = try await stage(ScriptedTransport([answer(503, headers), answer(200)]), clock).send(
            HTTPRequest(.get, testURL))
        #expect(clock.waits.count == 1)
        #expect(abs((clock.waits.first?.seconds ?? 0) - seconds) < 0.001, "\(clock.waits)")
    }

    @Test(arguments: ["999999999", "Fri, 31 Dec 9999 23:59:59 GMT"]) func noServerAsksForMoreThanADay(text: String) {
        #expect((["Retry-After": text] as HTTPHeaders).retryAfter(now: testDate) == .seconds(86_400))
    }

    @Test func givesUpBeyondTheLimit() async throws {
        let script = ScriptedTransport(answer(429, ["Retry-After": "61"]))
        #expect(try await stage(script, ScriptedClock()).send(HTTPRequest(.get, testURL)).status == 429)
        #expect(script.requests.count == 1)
    }

    @Test func theBudgetIsSharedAndRefunded() {
        var budget = RetryBudget()
        let costs = (0..<51).map { _ in budget.spend(afterTimeout: true) }
        #expect(costs == Array(repeating: 10, count: 50) + [nil])
        budget.refund(nil)
        #expect(budget.tokens == 1)
        for _ in 0..<4 { budget.refund(nil) }
        let cost = budget.spend(afterTimeout: false)
        #expect(cost == 5)
        budget.refund(5)
        for _ in 0..<1000 { budget.refund(10) }
        #expect(budget.tokens == 500)
    }

    @Test func anEmptyBudgetEndsRetries() async throws {
        let script = ScriptedTransport(failure(.idleTimeout))
        let stage = stage(script, ScriptedClock())
        for _ in 0..<25 { _ = try? await stage.send(HTTPRequest(.get, testURL)) }
        #expect(script.requests.count == 75)
        _ = try? await stage.send(HTTPRequest(.get, testURL))
        #expect(script.requests.count == 76)
    }

    /// Random outcomes against the rules, told independently.
    @Test(arguments: [1, 7, 42, 2026] as [UInt64]) func randomOutcomesKeepTheRules(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var budget = RetryBudget()
        for _ in 0..<2_000 {
            let repeatable = Bool.random(using: &random)
            var machine = RetryStateMachine(policy: RetryPolicy(), isRepeatable: repeatable)
            var number = 0
            while true {
                number += 1
                let before = budget.tokens
                let status = [200, 404, 500, 503].randomElement(using: &random) ?? 200
                let unit = Double.random(in: 0..<1, using: &random)
                let action = machine.attemptEnded(
                    .response(status: status, retryAfter: nil), started: .zero, duration: .zero, budget: &budget,
                    unit: unit)
                let mayRetry = repeatable && status >= 500 && number < 3 && before >= 5
                #expect((action == .finish) == !mayRetry, "seed \(seed)")
                if case .retry(let delay) = action {
                    #expect(delay <= .milliseconds(250 << (number - 1)), "seed \(seed)")
                    #expect(budget.tokens == before - 5)
                } else {
                    break
                }
            }
            #expect(machine.attempts.count == number)
        }
    }
}
