// SPDX-License-Identifier: MIT

import Foundation
import NetworkingTestSupport
import TestKit
import Testing

@testable import Networking

struct RetryRuleTests {
    private func stage(_ script: ScriptedTransport, _ clock: ScriptedClock = ScriptedClock()) -> RetryTransport {
        RetryTransport(next: script, clock: skippingClock(clock), random: FixedRandom())
    }

    @Test(arguments: [
        NetworkError.Code.resolve, .connect, .connectionLost, .connectTimeout, .firstByteTimeout, .idleTimeout,
    ]) func connectionFaultsAreTriedAgain(_ code: NetworkError.Code) async throws {
        let script = ScriptedTransport([failure(code)], fallback: answer(200))
        #expect(try await stage(script).send(HTTPRequest(.get, testURL)).status == 200)
        #expect(script.requests.count == 2)
    }

    @Test(arguments: [
        NetworkError.Code.certificate, .pin, .secure, .insecure, .invalidRequest, .responseTooLarge, .redirect,
        .timeout, .circuitOpen, .closed, .headerTooLarge, .outOfMemory,
    ]) func whatWillNotPassIsNot(_ code: NetworkError.Code) async throws {
        let script = ScriptedTransport(failure(code))
        await expectError(code) { _ = try await stage(script).send(HTTPRequest(.get, testURL)) }
        #expect(script.requests.count == 1)
    }

    @Test(arguments: [HTTPMethod.get, .head, .put, .delete, .options, .trace])
    func idempotentMethodsNeedNoKey(_ method: HTTPMethod) async throws {
        let script = ScriptedTransport([answer(503)], fallback: answer(200))
        _ = try await stage(script).send(HTTPRequest(method, testURL))
        #expect(script.requests.count == 2)
        #expect(script.requests.allSatisfy { !$0.headers.contains(name: "Idempotency-Key") })
    }

    @Test func theCallersKeyAndWishAreKept() async throws {
        let script = ScriptedTransport([answer(503)], fallback: answer(201))
        _ = try await stage(script).send(HTTPRequest(.patch, testURL, headers: ["idempotency-key": "mine"]))
        #expect(script.requests.map { $0.headers.values(for: "Idempotency-Key") } == [["mine"], ["mine"]])

        let once = ScriptedTransport(answer(503))
        var request = HTTPRequest(.post, testURL)
        request.options.isRepeatable = false
        _ = try await stage(once).send(request)
        #expect(once.requests.count == 1)
        #expect(once.requests.first?.headers.contains(name: "Idempotency-Key") == false)
    }

    @Test(
        arguments: [
            // Obeyed up to a minute, and given up beyond it, in each of the three forms.
            (["Retry-After": "60"], 60), (["retry-after-ms": "60000"], 60), (["retry-after-ms": "60001"], nil),
            (["Retry-After": "Tue, 14 Nov 2023 22:14:20 GMT"], 60),
            (["Retry-After": "Tue, 14 Nov 2023 22:14:21 GMT"], nil),
            // A date that has passed, and what is no wait at all, leave the back-off.
            (["Retry-After": "Tue, 14 Nov 2023 22:13:00 GMT"], 0.25), (["Retry-After": "-5"], 0.25),
            (["retry-after-ms": "nan"], 0.25), (["retry-after-ms": "-1"], 0.25),
            (["Retry-After": "99999999999999999999"], nil),
        ] as [(HTTPHeaders, Double?)]) func theServersWaitHasALimit(_ headers: HTTPHeaders, _ seconds: Double?)
        async throws
    {
        let clock = ScriptedClock()
        let script = ScriptedTransport([answer(503, headers)], fallback: answer(200))
        let response = try await stage(script, clock).send(HTTPRequest(.get, testURL))
        #expect(response.status == (seconds == nil ? 503 : 200))
        #expect(clock.waits.count == (seconds == nil ? 0 : 1))
        #expect(abs(clock.now.offset.seconds - (seconds ?? 0)) < 0.001, "\(clock.waits)")
    }

    @Test func theJitterIsFullAndTheBackoffHasALimit() {
        var policy = RetryPolicy()
        policy.maximumAttempts = 12
        for unit in [0, 0.25, 0.5] {
            var budget = RetryBudget()
            var machine = RetryStateMachine(policy: policy, isRepeatable: true)
            var delays: [Double] = []
            while case .retry(let delay) = machine.attemptEnded(
                .failure(NetworkError(code: .connect, message: "")), started: .zero, duration: .zero, budget: &budget,
                unit: unit)
            { delays.append(delay.seconds) }
            let limits = [0.25, 0.5, 1, 2, 4, 8, 16, 20, 20, 20, 20]
            #expect(zip(delays, limits).allSatisfy { abs($0 - $1 * unit) < 1e-9 }, "\(delays)")
            #expect(delays.count == 11)
        }
    }

    @Test func successesFillTheBudgetAgain() async throws {
        let script = ScriptedTransport(
            Array(repeating: failure(.connect), count: 150) + [failure(.connect)]
                + Array(repeating: answer(200), count: 5) + [failure(.connect)],
            fallback: answer(200))
        let stage = stage(script)
        // 100 retries at 5 tokens use up the 500.
        for _ in 0..<50 { _ = try? await stage.send(HTTPRequest(.get, testURL)) }
        #expect(script.requests.count == 150)
        await expectError(.connect) { _ = try await stage.send(HTTPRequest(.get, testURL)) }
        #expect(script.requests.count == 151)
        for _ in 0..<5 { _ = try await stage.send(HTTPRequest(.get, testURL)) }
        #expect(try await stage.send(HTTPRequest(.get, testURL)).attempts.count == 2)
    }

    @Test func theErrorTellsOfAttemptsOfEveryKind() async throws {
        let script = ScriptedTransport([answer(503), failure(.firstByteTimeout)], fallback: failure(.connectionLost))
        do {
            _ = try await stage(script).send(HTTPRequest(.get, testURL))
            Issue.record("no error")
        } catch let error as NetworkError {
            #expect(error.attempts.map(\.status) == [503, nil, nil])
            #expect(error.attempts.map(\.code) == [nil, .firstByteTimeout, .connectionLost])
            let starts = error.attempts.map(\.started.seconds)
            #expect(zip(starts, [0, 0.25, 0.75]).allSatisfy { abs($0 - $1) < 0.001 }, "\(starts)")
        }
    }

    @Test func theWaitCanBeCancelled() async throws {
        let clock = ManualClock()
        let script = ScriptedTransport(answer(503))
        let stage = RetryTransport(next: script, clock: ClientClock(clock), random: FixedRandom())
        let task = Task { try await stage.send(HTTPRequest(.get, testURL)) }
        await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(script.requests.count == 1)
    }
}
