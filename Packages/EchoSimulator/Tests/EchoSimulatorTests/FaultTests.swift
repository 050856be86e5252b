// SPDX-License-Identifier: MIT

import EchoSimulator
import Networking
import StructuredJSON
import Testing

/// What goes wrong on request, as a client sees it.
@Suite(.timeLimit(.minutes(5))) struct FaultTests {
    private static let streamed: JSONValue = ["model": "gpt-5", "input": "Hello there", "stream": true]

    @Test func statusesComeWithEachFormOfRetryAfter() async throws {
        var configuration = SimulatorConfiguration()
        configuration.now = { 1_700_000_000 }
        try await withSimulator(try ScenarioFixture.read("faults"), configuration) { _, client in
            let fields = [
                ("Retry-After", "2"), ("Retry-After", "Tue, 14 Nov 2023 22:13:23 GMT"), ("retry-after-ms", "1500"),
                ("x-ratelimit-reset-requests", "6m0s"),
            ]
            for (name, value) in fields {
                let answer = try await client.respond(Self.streamed)
                #expect(answer.status == 429)
                #expect(answer.headers[name] == value)
                #expect(answer.json["error"]?["code"]?.string == "rate_limit_exceeded")
            }
            #expect(try await client.respond(Self.streamed).status == 503)
            let own = try await client.respond(Self.streamed)
            #expect(own.status == 500)
            #expect(own.json == ["oops": true])
        }
    }

    @Test(arguments: [Scenario.Fault.cut(afterEvents: 5), .cutBytes(100)])
    func aCutBreaksTheConnection(fault: Scenario.Fault) async throws {
        try await withSimulator(Scenario([.init(faults: [fault])])) { simulator, client in
            await #expect(throws: NetworkError.self) { try await client.respond(Self.streamed) }
            try await simulator.waitForRequests { $0.map(\.outcome) == [.answered] }
        }
    }

    @Test func aWholeBodyIsCutToo() async throws {
        try await withSimulator(Scenario([.init(faults: [.cutBytes(10)])])) { _, client in
            await #expect(throws: NetworkError.self) { try await client.respond(["model": "gpt-5", "input": "x"]) }
        }
    }

    @Test func aStreamCanEndWithoutItsLastEvent() async throws {
        try await withSimulator(Scenario([.init(faults: [.end(afterEvents: 5)])])) { _, client in
            let answer = try await client.respond(Self.streamed)
            #expect(answer.events.count == 5)
        }
    }

    @Test func eventsAreBrokenDoubledAndInvented() async throws {
        let invented: JSONValue = ["type": "response.telepathy.delta", "delta": "…"]
        let scenario = Scenario([
            .init(faults: [.malformed(atEvent: 4, data: "{")]), .init(faults: [.duplicate(atEvent: 4)]),
            .init(faults: [.unknownEvent(atEvent: 4, invented)]), .init(faults: [.contentType("text/html")]),
        ])
        try await withSimulator(scenario) { _, client in
            let broken = String(decoding: try await client.respond(Self.streamed).body, as: UTF8.self)
            #expect(broken.contains("event: response.output_text.delta\ndata: {\n\n"))
            let doubled = try await client.respond(Self.streamed)
            #expect(doubled.events[4] == doubled.events[5])
            let strange = try await client.respond(Self.streamed)
            #expect(strange.events[4] == invented)
            #expect(strange.events.count == doubled.events.count)
            #expect(try await client.respond(Self.streamed).headers["Content-Type"] == "text/html")
        }
    }

    @Test func aStalledStreamEndsWithItsClient() async throws {
        try await withSimulator(Scenario([.init(faults: [.stall(afterEvents: 4)])])) { simulator, client in
            let task = Task { try await client.respond(Self.streamed) }
            try await simulator.waitForRequests { $0.first?.status == 200 }
            task.cancel()
            await #expect(throws: (any Error).self) { try await task.value }
            try await simulator.waitForRequests { $0.map(\.outcome) == [.abandoned] }
        }
    }

    @Test func closingEndsAStalledStream() async throws {
        let simulator = try await EchoSimulator.start(scenario: Scenario([.init(faults: [.stall(afterEvents: 2)])]))
        let client = try SimulatorClient(simulator)
        let task = Task { try await client.respond(Self.streamed) }
        try await simulator.waitForRequests { $0.first?.status == 200 }
        await simulator.close()
        await #expect(throws: (any Error).self) { try await task.value }
    }

    @Test func injectedFaultsComeFirst() async throws {
        try await withSimulator(Scenario([.init(.message("After all"))])) { simulator, client in
            simulator.inject(.status(503), times: 2)
            var statuses: [Int] = []
            for _ in 0..<3 { statuses.append(try await client.respond(Self.streamed).status) }
            #expect(statuses == [503, 503, 200])
        }
    }

    @Test func waitingForRequestsEndsWhenItIsCancelled() async throws {
        try await withSimulator { simulator, _ in
            let task = Task { try await simulator.waitForRequests { $0.count > 1 } }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
}
