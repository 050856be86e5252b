// SPDX-License-Identifier: MIT

import StructuredJSON

/// An answer as `/v1/chat/completions` sends it, whole or in chunks, in the manner of a dialect.
struct ChatCompletion {
    let id: String
    let model: String
    let createdAt: Int
    let dialect: Scenario.Dialect
    let answer: Scenario.Answer
    let usage: Scenario.Usage
    /// The identifiers of the calls, in order.
    let callIDs: [String]

    var text: String { answer.items.map { if case .message(let text) = $0 { text } else { "" } }.joined() }

    private var refusal: String? {
        for case .refusal(let text) in answer.items { return text }
        return nil
    }

    var reasoning: String {
        var text = ""
        for case .reasoning(let summary, _) in answer.items { text += summary.joined() }
        return text
    }

    /// Name and arguments of each call.
    var calls: [(id: String, name: String, arguments: String)] {
        let calls = answer.items.compactMap { item -> (name: String, arguments: String, id: String?)? in
            if case .functionCall(let name, let arguments, let id) = item { (name, arguments, id) } else { nil }
        }
        return zip(calls, callIDs).map { ($0.id ?? $1, $0.name, $0.arguments) }
    }

    var finishReason: JSONValue {
        switch answer.status {
        case .incomplete("content_filter"): "content_filter"
        case .incomplete: "length"
        default: calls.isEmpty ? "stop" : "tool_calls"
        }
    }

    /// The complete, unstreamed response.
    var json: JSONValue {
        var message: JSONObject = ["role": "assistant"]
        message["content"] = text.isEmpty && (!calls.isEmpty || refusal != nil) ? .null : .string(text)
        if let field = dialect.reasoningField, !reasoning.isEmpty { message[field] = .string(reasoning) }
        if dialect.isStrict {
            message["refusal"] = refusal.map(JSONValue.string) ?? .null
            message["annotations"] = []
        }
        if !calls.isEmpty {
            message["tool_calls"] = .array(
                calls.map { call in
                    [
                        "id": .string(call.id), "type": "function",
                        "function": ["name": .string(call.name), "arguments": .string(call.arguments)],
                    ]
                })
        }
        var choice: JSONObject = ["index": 0, "message": .object(message), "finish_reason": finishReason]
        if dialect.isStrict || dialect == .vLLM { choice["logprobs"] = .null }
        if dialect == .vLLM { choice["stop_reason"] = .null }
        var object = head("chat.completion", choices: [.object(choice)])
        object["usage"] = usageJSON
        if dialect == .llamaCpp { object["timings"] = timings }
        return .object(object)
    }

    func head(_ kind: String, choices: [JSONValue]) -> JSONObject {
        var object: JSONObject = [
            "id": .string(id), "object": .string(kind), "created": .integer(createdAt), "model": .string(model),
            "choices": .array(choices),
        ]
        switch dialect {
        case .openAI:
            object["service_tier"] = "default"
            object["system_fingerprint"] = .null
        case .llamaCpp: object["system_fingerprint"] = "b6123-79c1160b"
        case .ollama: object["system_fingerprint"] = "fp_ollama"
        case .vLLM: break
        }
        return object
    }

    var usageJSON: JSONValue {
        var json: JSONObject = [
            "prompt_tokens": .integer(usage.input), "completion_tokens": .integer(usage.output),
            "total_tokens": .integer(usage.input + usage.output),
        ]
        if dialect.isStrict {
            json["prompt_tokens_details"] = ["cached_tokens": .integer(usage.cached), "audio_tokens": 0]
            json["completion_tokens_details"] = [
                "reasoning_tokens": .integer(usage.reasoning), "audio_tokens": 0, "accepted_prediction_tokens": 0,
                "rejected_prediction_tokens": 0,
            ]
        }
        return .object(json)
    }

    var timings: JSONValue {
        [
            "prompt_n": .integer(usage.input), "prompt_ms": 12.5, "predicted_n": .integer(usage.output),
            "predicted_ms": 40.0,
        ]
    }
}

extension Scenario.Dialect {
    /// The field in which the server sends the model's reasoning.
    var reasoningField: String? {
        switch self {
        case .openAI: nil
        case .ollama: "reasoning"
        case .llamaCpp, .vLLM: "reasoning_content"
        }
    }

    /// The prefix of a call's identifier, and the number of digits after it.
    var callIdentifier: (prefix: String, digits: Int) {
        switch self {
        case .openAI: ("call_", 24)
        case .llamaCpp: ("", 32)
        case .ollama: ("call_", 8)
        case .vLLM: ("chatcmpl-tool-", 32)
        }
    }
}
