// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import NetworkingTestSupport
import TestKit
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(5))) struct LimitStageTests {
    @Test func a429PausesItsHostAndNoOther() async throws {
        let clock = ScriptedClock()
        let script = ScriptedTransport([answer(429, ["Retry-After": "7"])], fallback: answer(200))
        let stage = RateLimitTransport(next: script, limits: RateLimits(), clock: skippingClock(clock))
        let other = try #require(URL(string: "https://other.example/"))
        _ = try await stage.send(HTTPRequest(.get, testURL))
        _ = try await stage.send(HTTPRequest(.get, other))
        #expect(clock.waits.isEmpty)
        _ = try await stage.send(HTTPRequest(.get, testURL))
        #expect(clock.waits == [.seconds(7)])
    }

    @Test func theServersPauseHasALimit() async throws {
        let clock = ScriptedClock()
        let script = ScriptedTransport(
            [answer(200, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "3600"])], fallback: answer(200))
        let stage = RateLimitTransport(next: script, limits: RateLimits(), clock: skippingClock(clock))
        for _ in 0..<2 { _ = try await stage.send(HTTPRequest(.get, testURL)) }
        #expect(clock.waits == [.seconds(60)])
    }

    @Test func whoCameFirstGoesFirst() async throws {
        let clock = ManualClock()
        var limits = RateLimits()
        limits.perHost = .init(perSecond: 1, burst: 1)
        let script = ScriptedTransport(answer(200))
        let stage = RateLimitTransport(next: script, limits: limits, clock: ClientClock(clock))
        _ = try await stage.send(HTTPRequest(.get, testURL))
        var tasks: [Task<Int, any Error>] = []
        for number in 1...4 {
            tasks.append(
                Task { try await stage.send(HTTPRequest(.get, testURL, headers: ["N": "\(number)"])).status })
            await clock.waitForSleepers(number)
        }
        #expect(clock.remaining == (1...4).map { .seconds($0) })
        for number in 1...4 {
            clock.advance(by: .seconds(1))
            #expect(try await tasks[number - 1].value == 200)
            #expect(script.requests.compactMap { $0.headers["N"] } == (1...number).map { "\($0)" })
        }
    }

    @Test func whoWaitsOutAPauseCanBeCancelled() async throws {
        let clock = ManualClock()
        let script = ScriptedTransport([answer(429, ["Retry-After": "7"])], fallback: answer(200))
        let stage = RateLimitTransport(next: script, limits: RateLimits(), clock: ClientClock(clock))
        _ = try await stage.send(HTTPRequest(.get, testURL))
        let task = Task { try await stage.send(HTTPRequest(.get, testURL)) }
        await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(script.requests.count == 1)
    }

    // MARK: Circuit breaker

    @Test func afterAWhileOneProbeGoesAndClosesTheCircuit() async throws {
        let clock = ScriptedClock()
        let gate = Promise<Int>()
        let script = ScriptedTransport(
            Array(repeating: failure(.connect), count: 5) + [
                { HTTPResponse(status: try await gate.value(), url: $0.url) }
            ], fallback: answer(200))
        let stage = CircuitBreakerTransport(next: script, clock: skippingClock(clock))
        for _ in 0..<5 { _ = try? await stage.send(HTTPRequest(.get, testURL)) }
        clock.advance(by: .seconds(14))
        await expectError(.circuitOpen) { _ = try await stage.send(HTTPRequest(.get, testURL)) }
        clock.advance(by: .seconds(1))
        let probe = Task { try await stage.send(HTTPRequest(.get, testURL)).status }
        try await eventually { script.requests.count >= 6 }
        await expectError(.circuitOpen) { _ = try await stage.send(HTTPRequest(.get, testURL)) }
        gate.resolve(.success(204))
        #expect(try await probe.value == 204)
        #expect(try await stage.send(HTTPRequest(.get, testURL)).status == 200)
    }

    @Test func aProbeThatIsCancelledLeavesTheNextOne() async throws {
        let clock = ScriptedClock()
        let script = ScriptedTransport(
            Array(repeating: answer(500), count: 5) + [{ _ in throw CancellationError() }], fallback: answer(200))
        let stage = CircuitBreakerTransport(next: script, clock: skippingClock(clock))
        for _ in 0..<5 { _ = try await stage.send(HTTPRequest(.get, testURL)) }
        clock.advance(by: .seconds(15))
        await #expect(throws: CancellationError.self) { try await stage.send(HTTPRequest(.get, testURL)) }
        #expect(try await stage.send(HTTPRequest(.get, testURL)).status == 200)
    }

    @Test func onlyFailuresInARowCountAndRefusalsDoNot() async throws {
        let script = ScriptedTransport(
            Array(repeating: answer(503), count: 4) + [answer(404)] + Array(repeating: answer(503), count: 4)
                + [failure(.certificate), answer(429)], fallback: answer(503))
        let stage = CircuitBreakerTransport(next: script, clock: skippingClock(ScriptedClock()))
        for _ in 0..<11 { _ = try? await stage.send(HTTPRequest(.get, testURL)) }
        #expect(script.requests.count == 11)
        for _ in 0..<5 { _ = try? await stage.send(HTTPRequest(.get, testURL)) }
        await expectError(.circuitOpen) { _ = try await stage.send(HTTPRequest(.get, testURL)) }
        #expect(script.requests.count == 16)
    }
}
