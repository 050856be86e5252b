// SPDX-License-Identifier: MIT

import EchoSimulator
import Networking
import StructuredJSON
import Testing

/// Requests that the API refuses.
@Suite struct ValidationTests {
    private static func body(_ members: JSONObject) -> JSONValue {
        var body: JSONObject = ["model": "gpt-5", "input": "x"]
        for (name, value) in members { body[name] = value }
        return .object(body)
    }

    private static let open: JSONValue = ["type": "object", "properties": ["a": ["type": "string"]]]

    @Test(
        arguments: [
            (["telepathy": 1], "unknown_parameter", "telepathy"),
            (["store": "yes"], "invalid_type", "store"),
            (["reasoning": ["effort": "huge"]], "invalid_value", "reasoning.effort"),
            (["reasoning": ["depth": 3]], "unknown_parameter", "reasoning.depth"),
            (["top_logprobs": 21], "integer_above_max_value", "top_logprobs"),
            (["max_output_tokens": 3], "integer_below_min_value", "max_output_tokens"),
            (["temperature": 2.5], "decimal_above_max_value", "temperature"),
            (["temperature": 0.5], "unsupported_parameter", "temperature"),
            (["input": 5], "invalid_type", "input"),
            (["input": [["role": "robot", "content": "x"]]], "invalid_value", "input[0].role"),
            (["input": [["type": "message", "role": "user"]]], "missing_required_parameter", "input[0].content"),
            (
                ["input": [["role": "user", "content": [["type": "text", "text": "x"]]]]], "invalid_value",
                "input[0].content[0].type"
            ),
            (
                ["input": [["type": "function_call", "call_id": "c", "name": "f", "arguments": [:]]]], "invalid_type",
                "input[0].arguments"
            ),
            (["tools": [["type": "function"]]], "missing_required_parameter", "tools[0].name"),
            (
                ["text": ["format": ["type": "json_schema", "name": "n"]]], "missing_required_parameter",
                "text.format.schema"
            ),
            (
                ["text": ["format": ["type": "json_schema", "name": "n", "strict": true, "schema": open]]],
                "invalid_json_schema", "text.format.schema"
            ),
            (
                ["tools": [["type": "function", "name": "f", "strict": true, "parameters": open]]],
                "invalid_function_parameters", "tools[0].parameters"
            ),
            (["previous_response_id": "resp_0"], "previous_response_not_found", "previous_response_id"),
            (["input": [["type": "function_call_output", "call_id": "c", "output": "x"]]], nil, "input"),
            (["model": "gpt-1"], "model_not_found", "model"),
        ] as [(JSONObject, String?, String)])
    func responsesRefuses(members: JSONObject, code: String?, param: String) async throws {
        try await withSimulator { _, client in
            let answer = try await client.respond(Self.body(members))
            #expect(answer.status == (code == "model_not_found" ? 404 : 400))
            let error = answer.json["error"]
            #expect(error?["type"]?.string == "invalid_request_error")
            #expect(error?["code"]?.string == code, "\(error?.text ?? "")")
            #expect(error?["param"]?.string == param, "\(error?.text ?? "")")
        }
    }

    @Test func keysAndPathsAreChecked() async throws {
        try await withSimulator { simulator, client in
            let keyless = try SimulatorClient(simulator, key: nil)
            #expect(try await keyless.respond(Self.body([:])).status == 401)
            let lost = try await client.send(.post, "/nowhere", [:])
            #expect(lost.status == 404)
            #expect(lost.json["error"]?["message"]?.string == "Invalid URL (POST /v1/nowhere)")
            #expect(try await client.send(.get, "/embeddings").status == 405)
            #expect(try await client.send(.post, "/responses", [1]).status == 400)
        }
    }

    @Test(
        arguments: [
            (["max_tokens": 5], "unsupported_parameter"), (["temperature": 0.2], "unsupported_value"),
            (["messages": []], "array_below_min_length"),
            (["messages": [["role": "tool", "tool_call_id": "c", "content": "x"]]], nil),
            (["stop": ["a", "b", "c", "d", "e"]], "array_above_max_length"),
            (["frequency_penalty": -3], "decimal_below_min_value"),
        ] as [(JSONObject, String?)])
    func chatRefuses(members: JSONObject, code: String?) async throws {
        try await withSimulator { _, client in
            var body: JSONObject = ["model": "gpt-5", "messages": [["role": "user", "content": "x"]]]
            for (name, value) in members { body[name] = value }
            let answer = try await client.send(.post, "/chat/completions", .object(body))
            #expect(answer.status == 400)
            #expect(answer.json["error"]?["code"]?.string == code)
        }
    }

    @Test(
        arguments: [
            ["model": "text-embedding-3-small", "input": []], ["model": "text-embedding-3-small", "input": ""],
            ["model": "text-embedding-ada-002", "input": "x", "dimensions": 8],
            ["model": "text-embedding-3-small", "input": "x", "dimensions": 1537],
            ["model": "text-embedding-3-small", "input": "x", "encoding_format": "hex"],
            ["model": "text-embedding-3-small"],
        ] as [JSONValue])
    func embeddingsRefuse(body: JSONValue) async throws {
        try await withSimulator { _, client in
            let answer = try await client.send(.post, "/embeddings", body)
            #expect(answer.status == 400)
        }
    }
}
