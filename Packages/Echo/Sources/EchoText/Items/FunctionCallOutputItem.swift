// SPDX-License-Identifier: MIT

/// The result of a function.
public struct FunctionCallOutputItem: Sendable, Hashable {
    /// A result, as text or as parts. A voice session takes text only.
    public enum Output: Sendable, Hashable {
        /// Text, or JSON as text.
        case text(String)
        /// Texts, pictures and files.
        case parts([ContentPart])
    }

    /// The server's id of this item.
    public var id: String?
    /// The id of the call.
    public var callID: String
    /// The result.
    public var output: Output
    /// Further members, unchanged.
    public var rest: JSONObject

    /// A result.
    public init(id: String? = nil, callID: String, output: Output, rest: JSONObject = [:]) {
        self.id = id
        self.callID = callID
        self.output = output
        self.rest = rest
    }

    /// The text of the result.
    public var text: String {
        switch output {
        case .text(let text): text
        case .parts(let parts): parts.compactMap(\.text).joined()
        }
    }
}

extension FunctionCallOutputItem {
    init(_ item: WireObject, in form: ItemForm) throws(WireError) {
        self.init(
            id: item.optionalString("id"), callID: try item.string("call_id"), output: try Output(item["output"]),
            rest: item.rest(without: ["type", "id", "call_id", "output"], in: form))
    }

    func json(in form: ItemForm) -> JSONValue {
        var object: JSONObject = [
            "type": "function_call_output", "call_id": .string(callID),
            "output": form == .realtime ? .string(text) : output.json,
        ]
        object.set("id", id.map(JSONValue.string))
        if form == .responses { object.add(rest) }
        return .object(object)
    }
}

extension FunctionCallOutputItem.Output {
    init(_ json: JSONValue?) throws(WireError) {
        guard let values = json?.array else {
            self = .text(json?.string ?? "")
            return
        }
        self = .parts(try values.map { part throws(WireError) in try ContentPart(json: part) })
    }

    var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .parts(let parts): .array(parts.compactMap { $0.json(in: .responses) })
        }
    }
}
