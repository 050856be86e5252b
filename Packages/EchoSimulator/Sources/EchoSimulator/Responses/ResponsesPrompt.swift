// SPDX-License-Identifier: MIT

import StructuredJSON

/// Reads the prompt of a request to `/v1/responses`, and checks that calls and their outputs belong together.
struct ResponsesPrompt {
    let prompt: Prompt
    /// All items, those of former responses included, each with its `type`.
    let items: [JSONValue]

    /// - Parameters:
    ///   - body: The request, checked for its shape.
    ///   - context: The items of former responses.
    ///   - cached: The number of input tokens in the cache.
    init(_ body: JSONValue, context: [JSONValue], cached: Int) throws(APIError) {
        let input = Self.items(of: body)
        items = context + input
        try Self.checkCalls(items)
        var prompt = Prompt()
        var names: [String: String] = [:]
        for item in items {
            switch item["type"]?.string {
            case "message" where item["role"]?.string == "user":
                prompt.userTexts.append(Self.text(of: item["content"]))
                prompt.attachments += try AttachedPart.all(of: item["content"], param: "input").map(\.words)
                prompt.toolOutputs = []
            case "message":
                prompt.toolOutputs = []
                prompt.attachments = []
            case "function_call":
                names[item["call_id"]?.string ?? ""] = item["name"]?.string
            case "function_call_output":
                let name = names[item["call_id"]?.string ?? ""] ?? "function"
                prompt.toolOutputs.append((name, Self.text(of: item["output"])))
            default: break
            }
        }
        Self.readWishes(body, &prompt)
        let texts = items.map(\.text).joined() + (body["instructions"]?.string ?? "")
        prompt.inputTokens = TokenEstimate.tokens(in: texts)
        prompt.cachedTokens = min(cached, prompt.inputTokens)
        self.prompt = prompt
    }

    private static func readWishes(_ body: JSONValue, _ prompt: inout Prompt) {
        prompt.tools = (body["tools"]?.array ?? []).filter { $0["type"]?.string == "function" }.map {
            Prompt.Tool(name: $0["name"]?.string ?? "", parameters: $0["parameters"])
        }
        prompt.allowsParallelCalls = body["parallel_tool_calls"]?.bool ?? true
        prompt.toolChoice = toolChoice(body["tool_choice"])
        if body["tool_choice"]?["type"]?.string == "allowed_tools" {
            let allowed = Set((body["tool_choice"]?["tools"]?.array ?? []).compactMap { $0["name"]?.string })
            prompt.tools = prompt.tools.filter { allowed.contains($0.name) }
        }
        let format = body["text"]?["format"]
        switch format?["type"]?.string {
        case "json_schema": prompt.format = .schema(format?["schema"] ?? [:])
        case "json_object": prompt.format = .jsonObject
        default: break
        }
        prompt.maximumTokens = body["max_output_tokens"]?.integer
        if let effort = body["reasoning"]?["effort"]?.string { prompt.reasons = effort != "none" }
        prompt.summarisesReasoning = body["reasoning"]?["summary"]?.string != nil
        if prompt.summarisesReasoning { prompt.reasons = true }
        prompt.encryptsReasoning =
            body["include"]?.array?.contains("reasoning.encrypted_content") ?? false
    }

    private static func toolChoice(_ choice: JSONValue?) -> Prompt.ToolChoice {
        switch choice?.string ?? choice?["type"]?.string {
        case "none": .none
        case "required": .required
        case "function": .named(choice?["name"]?.string ?? "")
        case "allowed_tools": choice?["mode"]?.string == "required" ? .required : .automatic
        default: .automatic
        }
    }

    /// The items of the request's input, messages with their type.
    static func items(of body: JSONValue) -> [JSONValue] {
        if let text = body["input"]?.string {
            return [["type": "message", "role": "user", "content": [["type": "input_text", "text": .string(text)]]]]
        }
        return (body["input"]?.array ?? []).map { item in
            guard item["type"] == nil, var object = item.object else { return item }
            object["type"] = "message"
            return .object(object)
        }
    }

    /// The text of a message or an output, which is a string or parts.
    static func text(of content: JSONValue?) -> String {
        if let text = content?.string { return text }
        return (content?.array ?? []).compactMap { $0["text"]?.string }.joined(separator: "\n")
    }

    private static func checkCalls(_ items: [JSONValue]) throws(APIError) {
        func identifiers(_ type: String) -> [String] {
            items.filter { $0["type"]?.string == type }.compactMap { $0["call_id"]?.string }
        }
        let (calls, outputs) = (identifiers("function_call"), identifiers("function_call_output"))
        if let stray = outputs.first(where: { !calls.contains($0) }) {
            throw APIError(
                status: 400, message: "No tool call found for function call output with call_id \(stray).",
                param: "input")
        }
        if let open = calls.first(where: { !outputs.contains($0) }) {
            throw APIError(
                status: 400, message: "No tool output found for function call \(open).", param: "input")
        }
    }
}
