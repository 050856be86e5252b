// SPDX-License-Identifier: MIT

/// A message in a voice session.
public struct RealtimeMessage: Sendable, Hashable {
    /// The item's id. You may choose it for items that you create.
    public var id: String?
    /// The author: system, user or assistant.
    public var role: ItemRole
    /// The parts of the message.
    public var content: [RealtimeContent]
    /// The state, if the server says it.
    public var status: ItemStatus?

    /// A message of parts.
    public init(id: String? = nil, role: ItemRole, content: [RealtimeContent], status: ItemStatus? = nil) {
        self.id = id
        self.role = role
        self.content = content
        self.status = status
    }

    /// A message with one text.
    public init(id: String? = nil, role: ItemRole, text: String) {
        self.init(id: id, role: role, content: [role == .assistant ? .outputText(text) : .inputText(text)])
    }

    /// The text of all parts, as far as it is known.
    public var text: String { content.compactMap(\.text).joined() }
}

extension RealtimeMessage {
    init(_ item: WireObject) throws(WireError) {
        var content: [RealtimeContent] = []
        for part in item.array("content") { content.append(try RealtimeContent(json: part)) }
        self.init(
            id: item.optionalString("id"), role: ItemRole(rawValue: try item.string("role")), content: content,
            status: item.optionalString("status").map(ItemStatus.init(rawValue:)))
    }

    var json: JSONValue {
        var object: JSONObject = ["type": "message"]
        object.set("id", id.map(JSONValue.string))
        object["role"] = .string(role.rawValue)
        object["content"] = .array(content.map(\.json))
        object.set("status", status.map { .string($0.rawValue) })
        return .object(object)
    }
}
