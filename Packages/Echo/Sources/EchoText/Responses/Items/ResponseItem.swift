// SPDX-License-Identifier: MIT

/// One item of a conversation with the model: input or output.
public enum ResponseItem: Sendable, Hashable {
    /// A message.
    case message(MessageItem)
    /// The model's call of a function.
    case functionCall(FunctionCallItem)
    /// The result of a function.
    case functionCallOutput(FunctionCallOutputItem)
    /// The model's call of a tool that takes free text.
    case customToolCall(CustomToolCallItem)
    /// The result of such a tool.
    case customToolCallOutput(FunctionCallOutputItem)
    /// The model's reasoning.
    case reasoning(ReasoningItem)
    /// An item that the server has, identified by its id. For input only.
    case reference(id: String)
    /// Any other item, unchanged: calls of tools that the server itself runs, and kinds that are newer than this code.
    case unknown(type: String, JSONValue)

    /// A message with one text.
    public static func message(_ role: ItemRole, _ text: String) -> ResponseItem {
        .message(MessageItem(role: role, text: text))
    }

    /// The server's id, if it has one.
    public var id: String? {
        switch self {
        case .message(let item): item.id
        case .functionCall(let item): item.id
        case .functionCallOutput(let item), .customToolCallOutput(let item): item.id
        case .customToolCall(let item): item.id
        case .reasoning(let item): item.id
        case .reference(let id): id
        case .unknown(_, let json): json["id"]?.string
        }
    }
}

extension ResponseItem {
    /// An item from the server.
    ///
    /// - Throws: `WireError` if an item of a known kind lacks a required field.
    public init(json: JSONValue) throws(WireError) {
        let item = try WireObject(json, "item")
        let type = item.optionalString("type") ?? (item["role"] == nil ? "" : "message")
        switch type {
        case "message": self = .message(try MessageItem(item))
        case "function_call": self = .functionCall(try FunctionCallItem(item))
        case "function_call_output": self = .functionCallOutput(try FunctionCallOutputItem(item))
        case "custom_tool_call": self = .customToolCall(try CustomToolCallItem(item))
        case "custom_tool_call_output": self = .customToolCallOutput(try FunctionCallOutputItem(item))
        case "reasoning": self = .reasoning(try ReasoningItem(item))
        case "item_reference": self = .reference(id: try item.string("id"))
        default: self = .unknown(type: type, json)
        }
    }

    /// The item as the API takes it.
    public var json: JSONValue {
        switch self {
        case .message(let item): return item.json
        case .functionCall(let item): return item.json
        case .functionCallOutput(let item): return item.json
        case .customToolCall(let item): return item.json
        case .customToolCallOutput(let item):
            guard case .object(var object) = item.json else { return item.json }
            object["type"] = "custom_tool_call_output"
            return .object(object)
        case .reasoning(let item): return item.json
        case .reference(let id): return ["type": "item_reference", "id": .string(id)]
        case .unknown(_, let json): return json
        }
    }
}
