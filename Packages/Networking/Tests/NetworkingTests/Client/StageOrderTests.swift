// SPDX-License-Identifier: MIT

import Foundation
import NetworkingTestSupport
import TestKit
import Testing

@testable import Networking

/// cache → token → retry → circuit breaker → rate limit → concurrency → log → transport
@Suite(.timeLimit(.minutes(5))) struct StageOrderTests {
    @Test func anOpenCircuitEndsTheRetriesAndTheLogShowsEveryAttempt() async throws {
        let clock = ScriptedClock()
        let script = ScriptedTransport(answer(503))
        var configuration = HTTPClient.Configuration()
        let log = NetworkLog()
        configuration.log = log
        let client = HTTPClient(
            transport: script, configuration: configuration, clock: skippingClock(clock), random: FixedRandom())
        #expect(try await client.send(HTTPRequest(.get, testURL)).attempts.count == 3)
        do {
            _ = try await client.send(HTTPRequest(.get, testURL))
            Issue.record("no error")
        } catch let error as NetworkError {
            #expect(error.code == .circuitOpen)
            #expect(error.attempts.map(\.status) == [503, 503, nil])
        }
        #expect(script.requests.count == 5)
        #expect(log.exchanges.count == 5)
    }

    @Test func aRetryWaitsForTheServersPauseOnce() async throws {
        let clock = ScriptedClock()
        let script = ScriptedTransport([answer(429, ["Retry-After": "7"])], fallback: answer(200))
        let client = HTTPClient(transport: script, clock: skippingClock(clock), random: FixedRandom())
        #expect(try await client.send(HTTPRequest(.get, testURL)).status == 200)
        #expect(clock.now.offset == .seconds(7))
    }

    @Test func aPlaceIsTakenUntilTheBodyIsReadOrDropped() async throws {
        let script = ScriptedTransport(answer(200, [:], "body"))
        let stage = ConcurrencyLimitTransport(next: script, limit: 1)
        var configuration = HTTPClient.Configuration()
        configuration.maximumConcurrentRequests = nil
        let client = HTTPClient(transport: stage, configuration: configuration)
        var first: HTTPResponse? = try await client.send(HTTPRequest(.get, testURL))
        let second = Task { try await client.send(HTTPRequest(.get, testURL)).body.collect() }
        // It clock in the line, or has been sent, which would be wrong.
        try await eventually { stage.waiterCount > 0 || script.requests.count > 1 }
        #expect(script.requests.count == 1)
        #expect(first?.status == 200)
        first = nil
        #expect(try await second.value == Array("body".utf8))
    }

    @Test func anInvalidRequestReachesNoStage() async throws {
        let clock = ScriptedClock()
        let script = ScriptedTransport(answer(200))
        let client = HTTPClient(transport: script, clock: skippingClock(clock))
        await expectError(.invalidRequest) {
            _ = try await client.send(HTTPRequest(.get, testURL, headers: ["X": "a\r\nb"]))
        }
        #expect(script.requests.isEmpty)
    }

    @Test func aFullLogForgetsTheOldestAndKeepsTheOrder() async throws {
        let log = NetworkLog(capacity: 4)
        let stage = LogTransport(next: ScriptedTransport(answer(204)), log: log)
        for number in 1...11 {
            _ = try await stage.send(HTTPRequest(.get, testURL)).body.collect()
            #expect(log.exchanges.map(\.number) == Array(max(1, number - 3)...number))
        }
        log.clear()
        _ = try await stage.send(HTTPRequest(.get, testURL)).body.collect()
        #expect(log.exchanges.map(\.number) == [12])
    }
}
