// SPDX-License-Identifier: MIT

/// One item of a conversation with the model, in text or voice: input or output. The difference between the two is data: a
/// voice session's messages also have sound, and its other kinds of item are ``unknown(type:_:)``.
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

    /// The server's id, if it has one; in a voice session it may be yours.
    public package(set) var id: String? {
        get {
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
        set {
            switch self {
            case .message(var item):
                item.id = newValue
                self = .message(item)
            case .functionCall(var item):
                item.id = newValue
                self = .functionCall(item)
            case .functionCallOutput(var item):
                item.id = newValue
                self = .functionCallOutput(item)
            case .customToolCall, .customToolCallOutput, .reasoning, .reference, .unknown: break
            }
        }
    }

    /// True if a picture is part of the item.
    package var hasImage: Bool {
        hasPart { if case .inputImage = $0 { true } else { false } }
    }

    /// True if a picture or a file is part of the item.
    var hasAttachment: Bool {
        hasPart { part in
            switch part {
            case .inputImage, .inputFile: true
            default: false
            }
        }
    }

    private func hasPart(_ isWanted: (ContentPart) -> Bool) -> Bool {
        let parts: [ContentPart]
        switch self {
        case .message(let message): parts = message.content
        case .functionCallOutput(let item), .customToolCallOutput(let item):
            guard case .parts(let output) = item.output else { return false }
            parts = output
        default: return false
        }
        return parts.contains(where: isWanted)
    }
}

extension ResponseItem {
    /// An item from the server.
    ///
    /// - Throws: `WireError` if an item of a known kind lacks a required field.
    public init(json: JSONValue) throws(WireError) { try self.init(json: json, in: .responses) }

    /// The item as the responses API takes it.
    public var json: JSONValue { json(in: .responses) }

    /// An item in the form of one of the APIs.
    ///
    /// - Throws: `WireError` if an item of a known kind lacks a required field.
    package init(json: JSONValue, in form: ItemForm) throws(WireError) {
        let item = try WireObject(json, "item")
        let type = item.optionalString("type") ?? (item["role"] == nil ? "" : "message")
        switch type {
        case "message": self = .message(try MessageItem(item, in: form))
        case "function_call": self = .functionCall(try FunctionCallItem(item, in: form))
        case "function_call_output": self = .functionCallOutput(try FunctionCallOutputItem(item, in: form))
        case "custom_tool_call": self = .customToolCall(try CustomToolCallItem(item))
        case "custom_tool_call_output": self = .customToolCallOutput(try FunctionCallOutputItem(item, in: form))
        case "reasoning": self = .reasoning(try ReasoningItem(item))
        case "item_reference": self = .reference(id: try item.string("id"))
        default: self = .unknown(type: type, json)
        }
    }

    /// The item as one of the APIs takes it.
    package func json(in form: ItemForm) -> JSONValue {
        switch self {
        case .message(let item): return item.json(in: form)
        case .functionCall(let item): return item.json(in: form)
        case .functionCallOutput(let item): return item.json(in: form)
        case .customToolCall(let item): return item.json
        case .customToolCallOutput(let item):
            guard case .object(var object) = item.json(in: form) else { return .null }
            object["type"] = "custom_tool_call_output"
            return .object(object)
        case .reasoning(let item): return item.json
        case .reference(let id): return ["type": "item_reference", "id": .string(id)]
        case .unknown(_, let json): return json
        }
    }
}
