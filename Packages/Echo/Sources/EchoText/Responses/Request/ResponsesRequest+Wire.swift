// SPDX-License-Identifier: MIT

extension ResponsesRequest {
    /// The body of `POST /responses`.
    package func json(stream: Bool = false) -> JSONValue {
        var object: JSONObject = ["model": .string(model.rawValue), "input": .array(input.map(\.json))]
        object.set("instructions", instructions.map(JSONValue.string))
        object.set("previous_response_id", previousResponseID.map(JSONValue.string))
        if !tools.isEmpty { object["tools"] = .array(tools.map(\.json)) }
        object.set("tool_choice", toolChoice?.json)
        object.set("parallel_tool_calls", parallelToolCalls.map(JSONValue.bool))
        object.set("max_tool_calls", maximumToolCalls.map(JSONValue.integer))
        object.set("text", textOptions)
        object.set("reasoning", reasoning?.json)
        object.set("max_output_tokens", maximumOutputTokens.map(JSONValue.integer))
        object.set("temperature", temperature.map(JSONValue.double))
        object.set("top_p", topP.map(JSONValue.double))
        object.set("store", store.map(JSONValue.bool))
        object.set("background", background.map(JSONValue.bool))
        object.set("truncation", truncation.map { .string($0.rawValue) })
        if !metadata.isEmpty {
            object["metadata"] = .object(
                JSONObject(metadata.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
        }
        if !include.isEmpty { object["include"] = .array(include.map(JSONValue.string)) }
        object.set("safety_identifier", safetyIdentifier.map(JSONValue.string))
        object.set("prompt_cache_key", promptCacheKey.map(JSONValue.string))
        object.set("service_tier", serviceTier.map(JSONValue.string))
        if stream { object["stream"] = true }
        for (name, value) in extra { object[name] = value }
        return .object(object)
    }

    private var textOptions: JSONValue? {
        guard textFormat != nil || verbosity != nil else { return nil }
        var object = JSONObject()
        object.set("format", textFormat?.json)
        object.set("verbosity", verbosity.map(JSONValue.string))
        return .object(object)
    }
}
