// SPDX-License-Identifier: MIT

/// The model's call of a tool that takes free text instead of JSON.
public struct CustomToolCallItem: Sendable, Hashable {
    /// The server's id of this item.
    public var id: String?
    /// The id that the result has to name.
    public var callID: String
    /// The tool's name.
    public var name: String
    /// The input of the call.
    public var input: String
    /// Further members, unchanged.
    public var rest: JSONObject

    /// A call.
    public init(id: String? = nil, callID: String, name: String, input: String, rest: JSONObject = [:]) {
        self.id = id
        self.callID = callID
        self.name = name
        self.input = input
        self.rest = rest
    }
}

extension CustomToolCallItem {
    init(_ item: WireObject) throws(WireError) {
        self.init(
            id: item.optionalString("id"), callID: try item.string("call_id"), name: try item.string("name"),
            input: item.optionalString("input") ?? "",
            rest: item.rest(without: ["type", "id", "call_id", "name", "input"]))
    }

    var json: JSONValue {
        var object: JSONObject = [
            "type": "custom_tool_call", "call_id": .string(callID), "name": .string(name), "input": .string(input),
        ]
        object.set("id", id.map(JSONValue.string))
        object.add(rest)
        return .object(object)
    }
}
