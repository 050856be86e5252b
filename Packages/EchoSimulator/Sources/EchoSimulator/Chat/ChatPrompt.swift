// SPDX-License-Identifier: MIT

import StructuredJSON

/// Reads the prompt of a request to `/v1/chat/completions`.
enum ChatPrompt {
    /// - Parameter isStrict: True if calls without outputs are refused.
    static func prompt(_ body: JSONValue, isStrict: Bool) throws(APIError) -> Prompt {
        let messages = body["messages"]?.array ?? []
        if isStrict { try checkCalls(messages) }
        var prompt = Prompt()
        var names: [String: String] = [:]
        for message in messages {
            switch message["role"]?.string {
            case "user":
                prompt.userTexts.append(ResponsesPrompt.text(of: message["content"]))
                prompt.attachments += try AttachedPart.all(of: message["content"], param: "messages").map(\.words)
                prompt.toolOutputs = []
            case "assistant":
                prompt.toolOutputs = []
                prompt.attachments = []
                for call in message["tool_calls"]?.array ?? [] {
                    names[call["id"]?.string ?? ""] = call["function"]?["name"]?.string
                }
            case "tool":
                let name = names[message["tool_call_id"]?.string ?? ""] ?? "function"
                prompt.toolOutputs.append((name, ResponsesPrompt.text(of: message["content"])))
            default: break
            }
        }
        readWishes(body, &prompt)
        prompt.inputTokens = TokenEstimate.tokens(in: messages.map(\.text).joined())
        return prompt
    }

    private static func readWishes(_ body: JSONValue, _ prompt: inout Prompt) {
        prompt.tools = (body["tools"]?.array ?? []).compactMap { $0["function"] }.map {
            Prompt.Tool(name: $0["name"]?.string ?? "", parameters: $0["parameters"])
        }
        prompt.allowsParallelCalls = body["parallel_tool_calls"]?.bool ?? true
        switch body["tool_choice"]?.string ?? body["tool_choice"]?["type"]?.string {
        case "none": prompt.toolChoice = .none
        case "required": prompt.toolChoice = .required
        case "function": prompt.toolChoice = .named(body["tool_choice"]?["function"]?["name"]?.string ?? "")
        default: break
        }
        switch body["response_format"]?["type"]?.string {
        case "json_schema": prompt.format = .schema(body["response_format"]?["json_schema"]?["schema"] ?? [:])
        case "json_object": prompt.format = .jsonObject
        default: break
        }
        prompt.maximumTokens = (body["max_completion_tokens"] ?? body["max_tokens"])?.integer
    }

    /// Each call has its output, and each output its call.
    private static func checkCalls(_ messages: [JSONValue]) throws(APIError) {
        var open: [String] = []
        for (index, message) in messages.enumerated() {
            if message["role"]?.string == "tool" {
                let id = message["tool_call_id"]?.string ?? ""
                guard let place = open.firstIndex(of: id) else {
                    throw APIError(
                        status: 400,
                        message: "Invalid parameter: messages with role 'tool' must be a response to a preceding "
                            + "message with 'tool_calls'.",
                        param: "messages.[\(index)].role")
                }
                open.remove(at: place)
                continue
            }
            guard open.isEmpty else { break }
            open = (message["tool_calls"]?.array ?? []).compactMap { $0["id"]?.string }
        }
        guard open.isEmpty else {
            throw APIError(
                status: 400,
                message: "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
                    + "'tool_call_id'. The following tool_call_ids did not have response messages: "
                    + open.joined(separator: ", "),
                param: "messages")
        }
    }
}
