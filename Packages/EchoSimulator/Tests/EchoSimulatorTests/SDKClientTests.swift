// SPDX-License-Identifier: MIT

import EchoSimulator
import Testing

/// OpenAI's Python SDK as the simulator's client.
@Suite(.timeLimit(.minutes(5))) struct SDKClientTests {
    @Test func completesConversations() async throws {
        try await withSimulator { simulator, _ in
            try await PythonJudge.client(simulator, "conversation", "stream", "tools", "structured", "chat")
        }
    }

    @Test func usesTheOtherEndpoints() async throws {
        try await withSimulator { simulator, _ in
            try await PythonJudge.client(simulator, "embeddings", "transcription", "background", "asynchronous")
        }
    }

    @Test func raisesItsErrors() async throws {
        var configuration = SimulatorConfiguration()
        configuration.key = "test"
        try await withSimulator(Scenario(), configuration) { simulator, _ in
            try await PythonJudge.client(simulator, "errors")
        }
    }

    @Test func triesAgainAfterFaults() async throws {
        let retries: [Scenario.Retry?] = [
            .milliseconds(5), .seconds(0), .date(0), .reset(requests: "5ms", tokens: "0s"), nil,
        ]
        var turns: [Scenario.Turn] = []
        for (index, retry) in retries.enumerated() {
            turns.append(.init(faults: [.status(index == 4 ? 503 : 429, retry: retry)]))
            turns.append(.init(.message("Hello again")))
        }
        try await withSimulator(Scenario(turns, otherwise: .refuse)) { simulator, _ in
            try await PythonJudge.client(simulator, "retries")
            #expect(simulator.requests.compactMap(\.status) == [429, 200, 429, 200, 429, 200, 429, 200, 503, 200])
            #expect(simulator.scenario.turns.isEmpty)
        }
    }

    @Test func aClientThatHearsSomethingElseFails() async throws {
        let scenario = Scenario([.init(.message("Something else"), times: .max)])
        try await withSimulator(scenario) { simulator, _ in
            await #expect(throws: PythonJudge.Failure.self) {
                try await PythonJudge.client(simulator, "conversation")
            }
        }
    }
}
