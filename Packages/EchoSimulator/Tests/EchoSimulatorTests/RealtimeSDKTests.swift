// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import StructuredJSON
import Testing

/// OpenAI's Python SDK in voice sessions with the simulator.
@Suite(.timeLimit(.minutes(5))) struct RealtimeSDKTests {
    private static func run(_ simulator: EchoSimulator, _ parts: String...) async throws -> String {
        try await PythonJudge.run("realtime_client.py", [simulator.baseURL.absoluteString] + parts)
    }

    @Test func holdsConversations() async throws {
        try await withSimulator { simulator, _ in
            _ = try await Self.run(simulator, "text", "audio", "push_to_talk", "tools")
            #expect(simulator.requests.map(\.status) == [101, 101, 101, 101])
            #expect(simulator.requests[0].events.map { $0["type"]?.string }.first == "session.update")
        }
    }

    @Test func cancelsAnswers() async throws {
        // So long that it is never over before the client has cancelled it.
        let story = String(repeating: "and then ", count: 300)
        let slow = Scenario.Turn(.message(story), pace: .init(delay: .milliseconds(100)))
        try await withSimulator(Scenario([slow])) { simulator, _ in
            _ = try await Self.run(simulator, "cancel")
        }
    }

    @Test func sessionsCloseWithTheirCodes() async throws {
        let codes = [1000, 1001, 1005, 1006, 1011, 1012, 1013, 1014, 1015]
        let turns = codes.enumerated().map { place, code in
            Scenario.Turn(faults: [.close(afterEvents: place + 3, code: code)], session: .init())
        }
        try await withSimulator(Scenario(turns)) { simulator, _ in
            let output = try await Self.run(simulator, "closed", "\(codes.count)")
            // A connection that is cut has no code of its own.
            #expect(
                output.split(whereSeparator: \.isWhitespace).map { Int($0) }
                    == [1000, 1001, 1005, 1006, 1011, 1012, 1013, 1014, 1006])
        }
    }

    @Test func expiredSessionsCloseAsTheAPIDoes() async throws {
        try await withSimulator(Scenario([.init(faults: [.expire(afterEvents: 6)], session: .init())])) {
            simulator, _ in
            let output = try await Self.run(simulator, "closed", "1")
            #expect(output == "1001\n")
        }
    }

    @Test func theJudgeFindsFaults() async throws {
        try await withSimulator(Scenario([.init(.message("Something else"))])) { simulator, _ in
            await #expect(throws: PythonJudge.Failure.self) { _ = try await Self.run(simulator, "text") }
        }
        let strange: JSONValue = ["type": "response.telepathy.delta", "event_id": "e"]
        let fault = Scenario.Fault.unknownEvent(atEvent: 4, strange)
        try await withSimulator(Scenario([.init(faults: [fault], session: .init())])) { simulator, _ in
            await #expect(throws: PythonJudge.Failure.self) { _ = try await Self.run(simulator, "text") }
        }
    }
}
