// SPDX-License-Identifier: MIT

/// A history in the form of the chat API: a text of the model and the calls after it are one message there.
struct ChatMessages {
    private var messages: [JSONObject] = []
    private var isAfterModel = false

    var json: JSONValue { .array(messages.map(JSONValue.object)) }

    /// Adds an item of the history.
    ///
    /// - Throws: ``EchoError/unsupported(_:)`` for an item that the chat API has no form for.
    mutating func add(_ item: ResponseItem) throws(EchoError) {
        switch item {
        case .message(let message): add(message)
        case .functionCall(let call): add(call)
        case .functionCallOutput(let output):
            messages.append([
                "role": "tool", "tool_call_id": .string(output.callID), "content": .string(output.text),
            ])
            isAfterModel = false
        // Reasoning has no form here; models do without.
        case .reasoning: break
        case .reference, .customToolCall, .customToolCallOutput, .unknown:
            throw .unsupported("an item that is no message, call or result. Leave it out of the history.")
        }
    }

    mutating func add(_ message: MessageItem) {
        // `developer` is OpenAI's own word.
        let role = message.role == .developer ? ItemRole.system : message.role
        messages.append(["role": .string(role.rawValue), "content": content(of: message)])
        isAfterModel = role == .assistant
    }

    private mutating func add(_ call: FunctionCallItem) {
        let json: JSONValue = [
            "id": .string(call.callID), "type": "function",
            "function": ["name": .string(call.name), "arguments": .string(call.arguments)],
        ]
        if !isAfterModel { messages.append(["role": "assistant", "content": .null]) }
        isAfterModel = true
        guard let last = messages.indices.last else { return }
        messages[last]["tool_calls"] = .array((messages[last]["tool_calls"]?.array ?? []) + [json])
    }

    private func content(of message: MessageItem) -> JSONValue {
        let isPlain = message.content.allSatisfy { $0.text != nil }
        guard !isPlain else { return .string(message.text) }
        return .array(
            message.content.compactMap { part in
                switch part {
                case .inputImage(let url?, _, let detail):
                    var image: JSONObject = ["url": .string(url)]
                    image.set("detail", detail.map(JSONValue.string))
                    return ["type": "image_url", "image_url": .object(image)]
                case .inputFile(let name, let data?, _, _):
                    var file: JSONObject = ["file_data": .string(data)]
                    file.set("filename", name.map(JSONValue.string))
                    return ["type": "file", "file": .object(file)]
                case .unknown(_, let json): return json
                default: return part.text.map { ["type": "text", "text": .string($0)] }
                }
            })
    }
}
