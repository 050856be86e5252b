// SPDX-License-Identifier: MIT

import StructuredJSON

/// The response object of `/v1/responses`: the request's fields, with the API's defaults.
struct ResponseObject {
    let id: String
    let model: String
    let createdAt: Int
    let request: JSONValue

    /// The object with these members changed.
    func json(status: String, output: [JSONValue] = [], _ changes: JSONObject = [:]) -> JSONValue {
        var object: JSONObject = [
            "id": .string(id), "object": "response", "created_at": .integer(createdAt), "status": .string(status),
            "background": request["background"] ?? false, "completed_at": .null, "error": .null,
            "incomplete_details": .null, "instructions": request["instructions"] ?? .null,
            "max_output_tokens": request["max_output_tokens"] ?? .null,
            "max_tool_calls": request["max_tool_calls"] ?? .null, "model": .string(model), "output": .array(output),
            "parallel_tool_calls": request["parallel_tool_calls"] ?? true,
            "previous_response_id": request["previous_response_id"] ?? .null,
            "prompt_cache_key": request["prompt_cache_key"] ?? .null,
            "reasoning": [
                "effort": request["reasoning"]?["effort"] ?? .null,
                "summary": request["reasoning"]?["summary"] ?? .null,
            ],
            "safety_identifier": request["safety_identifier"] ?? .null, "service_tier": "default",
            "temperature": request["temperature"] ?? 1.0,
            "text": [
                "format": request["text"]?["format"] ?? ["type": "text"],
                "verbosity": request["text"]?["verbosity"] ?? "medium",
            ],
            "tool_choice": request["tool_choice"] ?? "auto",
            "tools": .array((request["tools"]?.array ?? []).map(Self.tool)),
            "top_logprobs": request["top_logprobs"] ?? 0, "top_p": request["top_p"] ?? 1.0,
            "truncation": request["truncation"] ?? "disabled", "usage": .null, "user": request["user"] ?? .null,
            "metadata": request["metadata"] ?? [:],
        ]
        for (name, value) in changes { object[name] = value }
        return .object(object)
    }

    /// A function with its omitted fields filled in.
    private static func tool(_ tool: JSONValue) -> JSONValue {
        guard tool["type"]?.string == "function", var object = tool.object else { return tool }
        object["description"] = object["description"] ?? .null
        object["strict"] = object["strict"] ?? true
        object["parameters"] = object["parameters"] ?? .null
        return .object(object)
    }

    static func usage(_ usage: Scenario.Usage) -> JSONValue {
        [
            "input_tokens": .integer(usage.input),
            "input_tokens_details": ["cached_tokens": .integer(usage.cached), "cache_write_tokens": 0],
            "output_tokens": .integer(usage.output),
            "output_tokens_details": ["reasoning_tokens": .integer(usage.reasoning)],
            "total_tokens": .integer(usage.input + usage.output),
        ]
    }
}
