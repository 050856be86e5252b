// SPDX-License-Identifier: MIT

extension RealtimeResponse {
    /// The answer as the server describes it.
    var traceJSON: JSONValue {
        var details = JSONObject()
        details.set("reason", reason.map(JSONValue.string))
        details.set("error", failure.map { .object($0.traceObject) })
        var object: JSONObject = ["id": .string(id), "status": .string(status.rawValue)]
        if !details.isEmpty { object["status_details"] = .object(details) }
        object["output"] = .array(output.map(\.json))
        object.set("usage", usage?.traceJSON)
        object.set("conversation_id", conversationID.map(JSONValue.string))
        let members = metadata.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
        if !members.isEmpty { object["metadata"] = .object(JSONObject(members)) }
        return .object(object)
    }
}

extension RealtimeUsage {
    /// The usage as the server writes it.
    var traceJSON: JSONValue {
        [
            "input_tokens": .integer(total.inputTokens),
            "input_token_details": [
                "text_tokens": .integer(text.inputTokens), "audio_tokens": .integer(audio.inputTokens),
                "image_tokens": .integer(image.inputTokens),
                "cached_tokens_details": [
                    "text_tokens": .integer(text.cachedInputTokens), "audio_tokens": .integer(audio.cachedInputTokens),
                    "image_tokens": .integer(image.cachedInputTokens),
                ],
            ],
            "output_tokens": .integer(total.outputTokens),
            "output_token_details": [
                "text_tokens": .integer(text.outputTokens), "audio_tokens": .integer(audio.outputTokens),
            ],
        ]
    }
}

extension TranscriptionUsage {
    /// The usage as the server writes it.
    var traceJSON: JSONValue {
        switch self {
        case .seconds(let seconds): ["type": "duration", "seconds": .double(seconds)]
        case .tokens(let usage): usage.traceJSON
        }
    }
}

extension RealtimeRateLimit {
    /// The limit as the server writes it.
    var traceJSON: JSONValue {
        var object: JSONObject = ["name": .string(name)]
        object.set("limit", limit.map(JSONValue.integer))
        object.set("remaining", remaining.map(JSONValue.integer))
        object.set("reset_seconds", resetSeconds.map(JSONValue.double))
        return .object(object)
    }
}

extension APIFailure {
    /// The failure as the server writes it.
    var traceObject: JSONObject {
        var object = JSONObject()
        object.set("type", type.map(JSONValue.string))
        object.set("code", code.map(JSONValue.string))
        object.set("param", parameter.map(JSONValue.string))
        object["message"] = .string(message)
        return object
    }
}

extension RealtimeTool {
    /// A tool as it is sent.
    ///
    /// - Throws: `WireError` if a required field is missing.
    init(json: JSONValue) throws(WireError) {
        let tool = try WireObject(json, "tool")
        if tool.optionalString("type") == "mcp" {
            self = .mcp(tool.rest(without: ["type"]))
        } else {
            self = .function(
                name: try tool.string("name"), description: tool.optionalString("description"),
                parameters: tool.object["parameters"] ?? .null)
        }
    }
}
