// SPDX-License-Identifier: MIT

import EchoSimulator
import Networking
import StructuredJSON
import Testing

/// What scenarios answer, judged by the SDK's types.
@Suite(.timeLimit(.minutes(5))) struct ScenarioAnswerTests {
    @Test func everyFixtureIsRead() throws {
        #expect(try ScenarioFixture.files.sorted() == ScenarioFixture.names.sorted())
        for name in ScenarioFixture.names { #expect(try !ScenarioFixture.read(name).turns.isEmpty) }
    }

    @Test func everyEventHasAllItsFields() async throws {
        try await withSimulator(try ScenarioFixture.read("every-event")) { _, client in
            let answer = try await client.respond(["model": "gpt-5", "input": "x", "stream": true])
            #expect(Set(answer.types).count == 59)
            try await PythonJudge.check(answer.events.map { ("event", $0) })
        }
    }

    @Test func callsToolsAsWritten() async throws {
        try await withSimulator(try ScenarioFixture.read("weather")) { simulator, client in
            let tool: JSONValue = ["type": "function", "name": "get_weather"]
            let first = try await client.respond([
                "model": "gpt-5", "input": "The weather in Paris and Oslo?", "tools": [tool], "stream": true,
            ])
            let response = first.events.last?["response"]
            #expect(response?["output"]?.array?.compactMap { $0["call_id"]?.string } == ["call_paris", "call_oslo"])
            #expect(response?["usage"]?["input_tokens_details"]?["cached_tokens"]?.integer == 2048)
            let outputs: [JSONValue] = ["call_paris", "call_oslo"].map {
                ["type": "function_call_output", "call_id": .string($0), "output": "?"]
            }
            let second = try await client.respond([
                "model": "gpt-5", "previous_response_id": response?["id"] ?? .null, "input": .array(outputs),
                "stream": true,
            ])
            #expect(second.events.filter { $0["type"]?.string == "response.output_text.delta" }.count == 10)
            let third = try await client.respond(["model": "gpt-5", "input": "More"])
            #expect(third.status == 400)
            #expect(third.json["error"]?["code"]?.string == "no_matching_turn")
            try await PythonJudge.check((first.events + second.events).map { ("event", $0) })
            #expect(simulator.scenario.turns.isEmpty)
        }
    }

    @Test func endsAsWritten() async throws {
        let endings = [("long", "incomplete"), ("fails", "failed"), ("bad", "completed"), ("search", "completed")]
        try await withSimulator(try ScenarioFixture.read("endings")) { _, client in
            var answers: [(kind: String, value: JSONValue)] = []
            for (said, status) in endings {
                var body: JSONObject = ["model": "gpt-5", "input": .string("This is \(said).")]
                let whole = try await client.respond(.object(body))
                #expect(whole.json["status"]?.string == status)
                body["stream"] = true
                let stream = try await client.respond(.object(body))
                #expect(stream.types.last == "response.\(status)")
                answers += [("response", whole.json)] + stream.events.map { ("event", $0) }
            }
            try await PythonJudge.check(answers)
        }
    }

    @Test func answersWithABodyOfItsOwn() async throws {
        try await withSimulator(try ScenarioFixture.read("endings")) { _, client in
            let answer = try await client.respond(["model": "gpt-5", "input": "My own"])
            #expect(answer.status == 201)
            #expect(answer.json == ["anything": ["at", "all"]])
        }
    }

    @Test func speaksLikeOtherServers() async throws {
        var answers: [(kind: String, value: JSONValue)] = []
        for name in ["llama.cpp", "ollama", "vllm"] { answers += try await judged(of: name) }
        try await PythonJudge.check(answers)
    }

    private func judged(of name: String) async throws -> [(kind: String, value: JSONValue)] {
        try await withSimulator(try ScenarioFixture.read(name)) { simulator, _ in
            let client = try SimulatorClient(simulator, key: nil)
            var answers: [(kind: String, value: JSONValue)] = []
            for said in ["The weather?", "Please think.", "Hello"] {
                let body: JSONObject = [
                    "model": "qwen3:8b", "messages": [["role": "user", "content": .string(said)]], "own_field": 1,
                ]
                let whole = try await client.send(.post, "/chat/completions", .object(body))
                var streamed = body
                streamed["stream"] = true
                streamed["stream_options"] = ["include_usage": true]
                let stream = try await client.send(.post, "/chat/completions", .object(streamed))
                #expect(String(decoding: stream.body, as: UTF8.self).hasSuffix("data: [DONE]\n\n"))
                #expect(stream.events.last?["usage"]?["total_tokens"]?.integer ?? 0 > 0)
                answers += [("chat?", whole.json)] + stream.events.map { ("chunk?", $0) }
            }
            #expect(try await client.respond(["model": "qwen3:8b", "input": "x"]).status == 404)
            let unknown = try await client.send(
                .post, "/chat/completions", ["model": "x", "messages": [["role": "user"]]])
            #expect(unknown.status == 404)
            return answers
        }
    }

    @Test func streamsChatAsTheAPIDoes() async throws {
        try await withSimulator { _, client in
            let answer = try await client.send(
                .post, "/chat/completions",
                [
                    "model": "gpt-5", "messages": [["role": "user", "content": "Hello"]], "stream": true,
                    "stream_options": ["include_usage": true],
                ])
            #expect(answer.events.last?["choices"] == [])
            try await PythonJudge.check(answer.events.map { ("chunk", $0) })
        }
    }
}
