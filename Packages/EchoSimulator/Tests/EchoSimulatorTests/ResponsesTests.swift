// SPDX-License-Identifier: MIT

import EchoSimulator
import Networking
import StructuredJSON
import Testing

@Suite struct ResponsesTests {
    private static let weather: JSONValue = [
        "type": "function", "name": "get_weather", "strict": true,
        "parameters": [
            "type": "object", "properties": ["location": ["type": "string"], "days": ["type": "integer"]],
            "required": ["location", "days"], "additionalProperties": false,
        ],
    ]

    @Test func answersAsAWhole() async throws {
        try await withSimulator { _, client in
            let answer = try await client.respond(["model": "gpt-5", "input": "Hello there"])
            #expect(answer.status == 200)
            #expect(answer.json["status"]?.string == "completed")
            #expect(answer.json["output"]?[0]?["content"]?[0]?["text"]?.string == "You said: “Hello there” (2 words).")
            try await PythonJudge.check([("response", answer.json)])
        }
    }

    @Test func streamsEveryStep() async throws {
        try await withSimulator { _, client in
            let answer = try await client.respond([
                "model": "gpt-5-mini", "input": "One two", "stream": true,
                "reasoning": ["effort": "low", "summary": "auto"],
            ])
            #expect(answer.headers["Content-Type"] == "text/event-stream; charset=utf-8")
            #expect(answer.types.first == "response.created")
            #expect(answer.types.last == "response.completed")
            #expect(answer.types.contains("response.reasoning_summary_text.delta"))
            #expect(answer.events.map { $0["sequence_number"]?.integer } == Array(0..<answer.events.count))
            let deltas = answer.events.filter { $0["type"]?.string == "response.output_text.delta" }
            let final = answer.events.last?["response"]
            #expect(
                deltas.compactMap { $0["delta"]?.string }.joined()
                    == final?["output"]?[1]?["content"]?[0]?["text"]?.string)
            try await PythonJudge.check(answer.events.map { ("event", $0) })
        }
    }

    @Test func callsAToolAndTellsItsAnswer() async throws {
        try await withSimulator { _, client in
            let first = try await client.respond([
                "model": "gpt-5", "input": "Use get_weather for Paris, 3 days", "tools": [Self.weather], "stream": true,
            ])
            let response = try #require(first.events.last?["response"])
            let call = try #require(response["output"]?[0])
            #expect(call["name"]?.string == "get_weather")
            #expect(call["arguments"]?.string == #"{"location":"Paris","days":3}"#)
            let second = try await client.respond([
                "model": "gpt-5", "previous_response_id": response["id"] ?? .null, "tools": [Self.weather],
                "input": [
                    ["type": "function_call_output", "call_id": call["call_id"] ?? .null, "output": "Sunny"]
                ],
            ])
            #expect(second.json["output"]?[0]?["content"]?[0]?["text"]?.string == "get_weather answered: Sunny")
            try await PythonJudge.check(first.events.map { ("event", $0) } + [("response", second.json)])
        }
    }

    @Test func aCallWithoutItsOutputIsRefused() async throws {
        try await withSimulator { _, client in
            let first = try await client.respond([
                "model": "gpt-5", "input": "get weather please", "tools": [Self.weather],
            ])
            let second = try await client.respond([
                "model": "gpt-5", "previous_response_id": first.json["id"] ?? .null, "input": "Never mind",
            ])
            #expect(second.status == 400)
            #expect(second.json["error"]?["message"]?.string?.hasPrefix("No tool output found") == true)
        }
    }
}
