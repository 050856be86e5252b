// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import NetworkingTestSupport
import Synchronization
import TestKit
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(5))) struct LimitTests {
    @Test func aBucketGivesPlacesInOrder() {
        var bucket = TokenBucket(rate: 2, capacity: 3, now: .zero)
        let delays = (0..<5).map { _ in bucket.reserve(now: .zero) }
        #expect(delays == [.zero, .zero, .zero, .seconds(0.5), .seconds(1)])
        let later = bucket.reserve(now: .seconds(10))
        #expect(later == .zero)
    }

    @Test func `each host has a bucket of its own`() async throws {
        let clock = ScriptedClock()
        var limits = RateLimits()
        limits.perHost = .init(perSecond: 1, burst: 1)
        let stage = RateLimitTransport(
            next: ScriptedTransport(answer(200)), limits: limits, clock: skippingClock(clock))
        for _ in 0..<3 { _ = try await stage.send(HTTPRequest(.get, testURL)) }
        #expect(clock.waits == [.seconds(1), .seconds(1)])
        let other = try #require(URL(string: "https://other.example/"))
        _ = try await stage.send(HTTPRequest(.get, other))
        #expect(clock.waits.count == 2)
    }

    @Test func aCancelledWaitGivesItsPlaceBack() async throws {
        let clock = ManualClock()
        var limits = RateLimits()
        limits.perHost = .init(perSecond: 1, burst: 1)
        let stage = RateLimitTransport(
            next: ScriptedTransport(answer(200)), limits: limits, clock: ClientClock(clock))
        _ = try await stage.send(HTTPRequest(.get, testURL))
        let task = Task { try await stage.send(HTTPRequest(.get, testURL)).status }
        await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let next = Task { try await stage.send(HTTPRequest(.get, testURL)).status }
        await clock.waitForSleepers()
        #expect(clock.remaining == [.seconds(1)])
        clock.advance(by: .seconds(1))
        #expect(try await next.value == 200)
    }

    @Test(
        arguments: [
            ("5", 5), ("1700000030", 30), ("1m30.5s", 90.5), ("250ms", 0.25), ("2h", 7200), ("x", nil), ("", 0),
        ] as [(String, Double?)]) func readsResetFields(_ text: String, _ seconds: Double?)
    {
        #expect((["Reset": text] as HTTPHeaders).wait("reset", now: testDate)?.inSeconds == seconds)
    }

    @Test func learnsFromHeadersAnd429() async throws {
        let clock = ScriptedClock()
        let script = ScriptedTransport(
            [answer(200, ["x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6s"])],
            fallback: answer(200))
        let stage = RateLimitTransport(next: script, limits: RateLimits(), clock: skippingClock(clock))
        for _ in 0..<3 { _ = try await stage.send(HTTPRequest(.get, testURL)) }
        #expect(clock.waits == [.seconds(6)])
    }

    /// A server that takes ten requests a second: the rate finds that neighbourhood and stays there.
    @Test func theAdaptiveRateFindsTheServersRate() {
        var rate = AdaptiveRate()
        var server = TokenBucket(rate: 10, capacity: 10, now: .zero)
        var now = Duration.zero
        var admitted = 0
        var refused = 0
        for step in 0..<3_000 {
            now += max(rate.reserve(now: now), .milliseconds(10))
            let isThrottled = server.reserve(now: now) > .zero
            if isThrottled { server.giveBack() }
            if step >= 1_500 { isThrottled ? (refused += 1) : (admitted += 1) }
            rate.noteResponse(isThrottled: isThrottled, now: now)
        }
        #expect(refused * 4 < admitted, "\(refused) of \(admitted + refused) refused")
        #expect((rate.fillRate ?? 0) < 40)
    }

    @Test func theBreakerOpensProbesAndCloses() {
        func expect(_ expected: Bool, _ actual: Bool) { #expect(expected == actual) }
        var breaker = CircuitBreakerStateMachine(threshold: 3, openFor: .seconds(10))
        for second in 0..<3 {
            expect(true, breaker.admits(now: .seconds(second)))
            breaker.ended(isSuccess: false, now: .seconds(second))
        }
        expect(false, breaker.admits(now: .seconds(11)))
        expect(true, breaker.admits(now: .seconds(12)))
        expect(false, breaker.admits(now: .seconds(12)))
        breaker.ended(isSuccess: nil, now: .seconds(13))
        expect(true, breaker.admits(now: .seconds(13)))
        breaker.ended(isSuccess: false, now: .seconds(13))
        expect(false, breaker.admits(now: .seconds(22)))
        expect(true, breaker.admits(now: .seconds(23)))
        breaker.ended(isSuccess: true, now: .seconds(23))
        #expect(breaker.state == .closed(failures: 0))
    }

    @Test func anOpenCircuitSendsNothing() async throws {
        let clock = ScriptedClock()
        let script = ScriptedTransport(answer(503))
        let stage = CircuitBreakerTransport(next: script, clock: skippingClock(clock))
        for _ in 0..<5 { _ = try await stage.send(HTTPRequest(.get, testURL)) }
        await expectError(.circuitOpen) { _ = try await stage.send(HTTPRequest(.get, testURL)) }
        #expect(script.requests.count == 5)
        let other = try #require(URL(string: "https://other.example/"))
        #expect(try await stage.send(HTTPRequest(.get, other)).status == 503)
    }

    @Test func soManyAtOnceInOrder() async throws {
        let gates = Mutex<[Promise<Void>]>([])
        let script = ScriptedTransport { request in
            let gate = Promise<Void>()
            gates.withLock { $0.append(gate) }
            try await gate.value()
            return HTTPResponse(status: 200, url: request.url, body: HTTPResponseBody([1]))
        }
        let stage = ConcurrencyLimitTransport(next: script, limit: 2)
        @Sendable func send(_ number: Int) async throws -> Int {
            try await stage.send(HTTPRequest(.get, testURL, headers: ["N": "\(number)"])).body.collect().count
        }
        var tasks: [Task<Int, any Error>] = []
        for number in 0..<5 {
            tasks.append(Task { try await send(number) })
            try await eventually { gates.withLock { $0.count } + stage.waiterCount > number }
        }
        #expect(gates.withLock { $0.count } == 2)
        tasks[2].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[2].value }
        for index in 0..<4 {
            try await eventually { gates.withLock { $0.count } > index }
            gates.withLock { $0[index] }.resolve(.success(()))
        }
        for index in [0, 1, 3, 4] { #expect(try await tasks[index].value == 1) }
        #expect(script.requests.compactMap { $0.headers["N"] } == ["0", "1", "3", "4"])
    }
}
