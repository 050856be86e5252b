// SPDX-License-Identifier: MIT

/// The model's reasoning, as far as the server shows it. Send it back with its answer in a full history.
public struct ReasoningItem: Sendable, Hashable {
    /// The server's id.
    public var id: String
    /// The reasoning's summary, if one was requested.
    public var summary: [String]
    /// The reasoning itself, if the server shows it.
    public var content: [String]
    /// The reasoning in a form that only the server reads, for histories that the server does not keep.
    public var encryptedContent: String?
    /// The state.
    public var status: ItemStatus?
    /// Further members, unchanged.
    public var rest: JSONObject

    /// Reasoning.
    public init(
        id: String, summary: [String] = [], content: [String] = [], encryptedContent: String? = nil,
        status: ItemStatus? = nil, rest: JSONObject = [:]
    ) {
        self.id = id
        self.summary = summary
        self.content = content
        self.encryptedContent = encryptedContent
        self.status = status
        self.rest = rest
    }
}

extension ReasoningItem {
    init(_ item: WireObject) throws(WireError) {
        self.init(
            id: try item.string("id"), summary: item.array("summary").compactMap { $0["text"]?.string },
            content: item.array("content").compactMap { $0["text"]?.string },
            encryptedContent: item.optionalString("encrypted_content"),
            status: item.optionalString("status").map(ItemStatus.init(rawValue:)),
            rest: item.rest(without: ["type", "id", "summary", "content", "encrypted_content", "status"]))
    }

    var json: JSONValue {
        var object: JSONObject = [
            "type": "reasoning", "id": .string(id),
            "summary": .array(summary.map { ["type": "summary_text", "text": .string($0)] }),
        ]
        if !content.isEmpty {
            object["content"] = .array(content.map { ["type": "reasoning_text", "text": .string($0)] })
        }
        object.set("encrypted_content", encryptedContent.map(JSONValue.string))
        object.set("status", status.map { .string($0.rawValue) })
        object.add(rest)
        return .object(object)
    }
}
