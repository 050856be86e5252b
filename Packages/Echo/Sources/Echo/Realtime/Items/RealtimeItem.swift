// SPDX-License-Identifier: MIT

/// One item of a voice session's conversation.
public enum RealtimeItem: Sendable, Hashable {
    /// A message.
    case message(RealtimeMessage)
    /// The model's call of a function.
    case functionCall(FunctionCallItem)
    /// The result of a function. A voice session takes words only.
    case functionCallOutput(FunctionCallOutputItem)
    /// A call of an MCP server, made by the API's server.
    case mcpCall(RealtimeMCPCall)
    /// A call for which the server asks permission.
    case mcpApprovalRequest(RealtimeMCPCall)
    /// Your answer to such a request.
    case mcpApprovalResponse(RealtimeMCPApproval)
    /// The tools of an MCP server, as it describes them.
    case mcpListTools(id: String?, server: String, tools: [JSONValue])
    /// Any other item, unchanged.
    case unknown(type: String, JSONValue)

    /// The item's id, if it has one.
    public var id: String? {
        switch self {
        case .message(let item): item.id
        case .functionCall(let item): item.id
        case .functionCallOutput(let item): item.id
        case .mcpCall(let item), .mcpApprovalRequest(let item): item.id
        case .mcpApprovalResponse(let item): item.id
        case .mcpListTools(let id, _, _): id
        case .unknown(_, let json): json["id"]?.string
        }
    }
}

extension RealtimeItem {
    /// An item from the server.
    ///
    /// - Throws: `WireError` if an item of a known kind lacks a required field.
    public init(json: JSONValue) throws(WireError) {
        let item = try WireObject(json, "item")
        let type = item.optionalString("type") ?? ""
        switch type {
        case "message": self = .message(try RealtimeMessage(item))
        case "function_call":
            // The item may be announced before its call has an id for the result.
            self = .functionCall(
                FunctionCallItem(
                    id: item.optionalString("id"), callID: item.optionalString("call_id") ?? "",
                    name: try item.string("name"), arguments: item.optionalString("arguments") ?? "",
                    status: item.optionalString("status").map(ItemStatus.init(rawValue:))))
        case "function_call_output":
            self = .functionCallOutput(
                FunctionCallOutputItem(
                    id: item.optionalString("id"), callID: try item.string("call_id"),
                    output: .text(item.optionalString("output") ?? "")))
        case "mcp_call": self = .mcpCall(try RealtimeMCPCall(item))
        case "mcp_approval_request": self = .mcpApprovalRequest(try RealtimeMCPCall(item))
        case "mcp_approval_response": self = .mcpApprovalResponse(try RealtimeMCPApproval(item))
        case "mcp_list_tools":
            self = .mcpListTools(
                id: item.optionalString("id"), server: try item.string("server_label"), tools: item.array("tools"))
        default: self = .unknown(type: type, json)
        }
    }

    /// The item as the API takes it.
    public var json: JSONValue {
        switch self {
        case .message(let item): return item.json
        case .functionCall(var item):
            item.rest = [:]
            return item.json
        case .functionCallOutput(var item):
            item.output = .text(item.text)
            item.rest = [:]
            return item.json
        case .mcpCall(let item): return item.json(type: "mcp_call")
        case .mcpApprovalRequest(let item): return item.json(type: "mcp_approval_request")
        case .mcpApprovalResponse(let item): return item.json
        case .mcpListTools(let id, let server, let tools):
            var object: JSONObject = [
                "type": "mcp_list_tools", "server_label": .string(server), "tools": .array(tools),
            ]
            object.set("id", id.map(JSONValue.string))
            return .object(object)
        case .unknown(_, let json): return json
        }
    }
}
