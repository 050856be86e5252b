// SPDX-License-Identifier: MIT

extension ResponsesRequest {
    /// The body of `POST /chat/completions`.
    ///
    /// - Throws: ``EchoError/unsupported(_:)`` for fields and items that the chat API has no form for.
    func chatJSON(stream: Bool) throws(EchoError) -> JSONValue {
        guard previousResponseID == nil else {
            throw .unsupported("previousResponseID. Send the full history in input: nothing is kept at this server.")
        }
        guard background != true else { throw .unsupported("background answers. Leave background alone.") }
        var messages = ChatMessages()
        if let instructions { messages.add(MessageItem(role: .system, text: instructions)) }
        for item in input { try messages.add(item) }
        var object: JSONObject = ["model": .string(model.rawValue), "messages": messages.json]
        if !tools.isEmpty {
            var list: [JSONValue] = []
            for tool in tools { list.append(try tool.chatJSON()) }
            object["tools"] = .array(list)
        }
        object.set("tool_choice", toolChoice?.chatJSON)
        object.set("parallel_tool_calls", parallelToolCalls.map(JSONValue.bool))
        object.set("response_format", textFormat?.chatJSON)
        object.set("reasoning_effort", reasoning?.effort.map { .string($0.rawValue) })
        object.set("max_tokens", maximumOutputTokens.map(JSONValue.integer))
        object.set("temperature", temperature.map(JSONValue.double))
        object.set("top_p", topP.map(JSONValue.double))
        if stream {
            object["stream"] = true
            object["stream_options"] = ["include_usage": true]
        }
        for (name, value) in extra { object[name] = value }
        return .object(object)
    }
}

extension ResponseTool {
    fileprivate func chatJSON() throws(EchoError) -> JSONValue {
        guard case .function(let name, let description, let parameters, let isStrict) = self else {
            throw .unsupported("tools other than functions. Leave them out, or use an endpoint with /responses.")
        }
        var function: JSONObject = ["name": .string(name), "parameters": parameters]
        function.set("description", description.map(JSONValue.string))
        if isStrict == true { function["strict"] = true }
        return ["type": "function", "function": .object(function)]
    }
}

extension ToolChoice {
    fileprivate var chatJSON: JSONValue {
        guard case .function(let name) = self else { return json }
        return ["type": "function", "function": ["name": .string(name)]]
    }
}

extension TextFormat {
    fileprivate var chatJSON: JSONValue {
        guard case .jsonSchema(let name, let schema, let description, let isStrict) = self else { return json }
        var object: JSONObject = ["name": .string(name), "schema": schema, "strict": .bool(isStrict)]
        object.set("description", description.map(JSONValue.string))
        return ["type": "json_schema", "json_schema": .object(object)]
    }
}
