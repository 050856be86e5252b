// SPDX-License-Identifier: MIT

/// A message.
public struct MessageItem: Sendable, Hashable {
    /// The server's id, or in a voice session yours; `nil` for the person's messages in text, and for an answer that a
    /// caller adds to a history.
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
    public init(id: String? = nil, role: ItemRole, text: String) {
        self.init(id: id, role: role, content: [role == .assistant ? .outputText(OutputText(text)) : .inputText(text)])
    }

    /// The text of all parts, refusals and transcripts included.
    public var text: String { content.compactMap(\.text).joined() }

    /// The refusal, if the model declined.
    public var refusal: String? {
        content.lazy.compactMap { if case .refusal(let text) = $0 { text } else { nil } }.first
    }
}

extension MessageItem {
    init(_ item: WireObject, in form: ItemForm) throws(WireError) {
        if form == .realtime { _ = try item.string("role") }
        var content: [ContentPart] = []
        switch item["content"] {
        case .string(let text)?:
            content =
                MessageItem(role: ItemRole(rawValue: item.optionalString("role") ?? "user"), text: text).content
        case .array(let parts)?:
            content = try parts.map { part throws(WireError) in try ContentPart(json: part, in: form) }
        default: break
        }
        self.init(
            id: item.optionalString("id"), role: ItemRole(rawValue: item.optionalString("role") ?? "assistant"),
            content: content, status: item.optionalString("status").map(ItemStatus.init(rawValue:)),
            rest: item.rest(without: ["type", "id", "role", "content", "status"], in: form))
    }

    /// The form in which the API takes it back. In the responses API an answer keeps its id and form, and a message without
    /// an id has the short form.
    func json(in form: ItemForm) -> JSONValue {
        var object: JSONObject = ["type": "message", "role": .string(role.rawValue)]
        let parts = JSONValue.array(content.compactMap { $0.json(in: form) })
        if form == .realtime {
            if role == .developer { object["role"] = "system" }
            object.set("id", id.map(JSONValue.string))
            object["content"] = parts
            object.set("status", status.map { .string($0.rawValue) })
            return .object(object)
        }
        if let id, role == .assistant {
            object["id"] = .string(id)
            object["status"] = .string((status ?? .completed).rawValue)
            object["content"] = parts
        } else if role == .assistant || content.allSatisfy({ if case .inputText = $0 { true } else { false } }) {
            object["content"] = .string(text)
        } else {
            object["content"] = parts
        }
        object.add(rest)
        return .object(object)
    }
}
