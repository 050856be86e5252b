// SPDX-License-Identifier: MIT

/// A message.
public struct MessageItem: Sendable, Hashable {
    /// The server's id; `nil` for the person's messages, and for an answer that a caller adds to a history.
    public var id: String?
    /// The author.
    public var role: ItemRole
    /// The parts of the message.
    public var content: [ContentPart]
    /// The state, if it is the server's.
    public var status: ItemStatus?
    /// Further members, unchanged.
    public var rest: JSONObject

    /// A message of parts.
    public init(
        id: String? = nil, role: ItemRole, content: [ContentPart], status: ItemStatus? = nil, rest: JSONObject = [:]
    ) {
        self.id = id
        self.role = role
        self.content = content
        self.status = status
        self.rest = rest
    }

    /// A message with one text.
    public init(role: ItemRole, text: String) {
        self.init(role: role, content: [role == .assistant ? .outputText(OutputText(text)) : .inputText(text)])
    }

    /// The text of all parts, refusals included.
    public var text: String { content.compactMap(\.text).joined() }

    /// The refusal, if the model declined.
    public var refusal: String? {
        content.lazy.compactMap { if case .refusal(let text) = $0 { text } else { nil } }.first
    }
}

extension MessageItem {
    init(_ item: WireObject) throws(WireError) {
        var content: [ContentPart] = []
        switch item["content"] {
        case .string(let text)?:
            content =
                MessageItem(role: ItemRole(rawValue: item.optionalString("role") ?? "user"), text: text).content
        case .array(let parts)?: for part in parts { content.append(try ContentPart(json: part)) }
        default: break
        }
        self.init(
            id: item.optionalString("id"), role: ItemRole(rawValue: item.optionalString("role") ?? "assistant"),
            content: content, status: item.optionalString("status").map(ItemStatus.init(rawValue:)),
            rest: item.rest(without: ["type", "id", "role", "content", "status"]))
    }

    /// The form in which the API takes it back. An answer keeps its id and form; a message without an id has the short
    /// form.
    var json: JSONValue {
        var object: JSONObject = ["type": "message", "role": .string(role.rawValue)]
        if let id, role == .assistant {
            object["id"] = .string(id)
            object["status"] = .string((status ?? .completed).rawValue)
            object["content"] = .array(content.map(\.json))
        } else if role == .assistant || content.allSatisfy({ if case .inputText = $0 { true } else { false } }) {
            object["content"] = .string(text)
        } else {
            object["content"] = .array(content.map(\.json))
        }
        object.add(rest)
        return .object(object)
    }
}
