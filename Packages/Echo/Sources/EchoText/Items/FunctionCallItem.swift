// SPDX-License-Identifier: MIT

/// The model's call of a function.
public struct FunctionCallItem: Sendable, Hashable {
    /// The server's id of this item.
    public var id: String?
    /// The id that the result has to name.
    public var callID: String
    /// The function's name.
    public var name: String
    /// The arguments; JSON, unless the model wrote something else.
    public var arguments: String
    /// The state.
    public var status: ItemStatus?
    /// Further members, unchanged.
    public var rest: JSONObject

    /// A call.
    public init(
        id: String? = nil, callID: String, name: String, arguments: String, status: ItemStatus? = nil,
        rest: JSONObject = [:]
    ) {
        self.id = id
        self.callID = callID
        self.name = name
        self.arguments = arguments
        self.status = status
        self.rest = rest
    }
}

extension FunctionCallItem {
    init(_ item: WireObject, in form: ItemForm) throws(WireError) {
        // A voice session may announce the item before its call has an id for the result.
        let callID = form == .realtime ? item.optionalString("call_id") ?? "" : try item.string("call_id")
        self.init(
            id: item.optionalString("id"), callID: callID, name: try item.string("name"),
            arguments: item.optionalString("arguments") ?? "",
            status: item.optionalString("status").map(ItemStatus.init(rawValue:)),
            rest: item.rest(without: ["type", "id", "call_id", "name", "arguments", "status"], in: form))
    }

    func json(in form: ItemForm) -> JSONValue {
        var object: JSONObject = [
            "type": "function_call", "call_id": .string(callID), "name": .string(name), "arguments": .string(arguments),
        ]
        object.set("id", id.map(JSONValue.string))
        object.set("status", status.map { .string($0.rawValue) })
        if form == .responses { object.add(rest) }
        return .object(object)
    }
}
