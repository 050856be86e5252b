// SPDX-License-Identifier: MIT

import Foundation
import StructuredJSON
import Testing

/// That the judge judges: what is right passes, and each planted fault is found.
@Suite struct JudgeTests {
    private static func request(_ body: JSONObject, path: String = "/v1/responses") -> String {
        JSONValue.object(["method": "POST", "path": .string(path), "body": .object(body)]).text
    }

    @Test func rightRequestsPass() async throws {
        try await PythonJudge.check(requests: [
            Self.request(["model": "gpt-5", "input": "x"]),
            Self.request([
                "model": "gpt-5", "stream": true, "tool_choice": ["type": "function", "name": "f"],
                "tools": [["type": "function", "name": "f", "parameters": [:], "strict": true]],
                "input": [
                    ["role": "user", "content": [["type": "input_text", "text": "x"]]],
                    ["type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"],
                    ["type": "function_call_output", "call_id": "c", "output": "y"],
                ],
            ]),
            Self.request(["model": "m", "input": ["x"], "dimensions": 8], path: "/v1/embeddings"),
            Self.request(
                ["model": "m", "messages": [["role": "user", "content": "x"]]], path: "/v1/chat/completions"),
            Self.request(
                ["type": "session.update", "session": ["type": "realtime", "output_modalities": ["text"]]],
                path: "/v1/realtime"),
        ])
    }

    /// Each with the place of its fault.
    private static let planted: [(body: JSONObject, place: String)] = [
        (["model": "gpt-5", "planted": 1], "$.planted"),
        (["model": "gpt-5", "store": "yes"], "store"),
        (["model": "gpt-5", "reasoning": ["planted": 1]], "$.reasoning.planted"),
        (
            [
                "model": "gpt-5",
                "input": [["role": "user", "content": [["type": "input_text", "text": "", "planted": 1]]]],
            ], "$.input[0].content[0].planted"
        ),
        (["model": "gpt-5", "input": [["type": "function_call", "call_id": "c", "name": "f"]]], "input"),
        (["model": "gpt-5", "tools": [["type": "function", "name": "f"]]], "tools"),
        (
            ["model": "gpt-5", "text": ["format": ["type": "json_schema", "name": "n", "schema": [:], "planted": 1]]],
            "$.text.format.planted"
        ),
    ]

    @Test func plantedFaultsOfVoiceEventsAreFound() async throws {
        for event in [["type": "response.dance"], ["type": "response.cancel", "planted": 1]] as [JSONObject] {
            await #expect(throws: PythonJudge.Failure.self) {
                try await PythonJudge.check(requests: [Self.request(event, path: "/v1/realtime")])
            }
        }
    }

    @Test func plantedFaultsOfRequestsAreFound() async throws {
        let failure = await #expect(throws: PythonJudge.Failure.self) {
            try await PythonJudge.check(requests: Self.planted.map { Self.request($0.body) })
        }
        let found = (failure?.description ?? "").components(separatedBy: "\nline ")
        #expect(found.count == Self.planted.count)
        for (text, fault) in zip(found, Self.planted) { #expect(text.contains(fault.place)) }
    }

    @Test func plantedFaultsOfAnswersAreFound() async throws {
        try await withSimulator { _, client in
            let right = try await client.respond(["model": "gpt-5", "input": "x"]).json
            try await PythonJudge.check([("response", right)])
            var planted = right.object ?? [:]
            planted["planted"] = 1
            await #expect(throws: PythonJudge.Failure.self) {
                try await PythonJudge.check([("response", .object(planted))])
            }
            var short = right.object ?? [:]
            short["parallel_tool_calls"] = nil
            await #expect(throws: PythonJudge.Failure.self) {
                try await PythonJudge.check([("response", .object(short))])
            }
            await #expect(throws: PythonJudge.Failure.self) {
                try await PythonJudge.check([("event", ["type": "response.telepathy.delta", "sequence_number": 1])])
            }
        }
    }
}
