// SPDX-License-Identifier: MIT

/// A call that the server makes of an MCP server, or wants to make.
public struct RealtimeMCPCall: Sendable, Hashable {
    /// The item's id.
    public var id: String
    /// The MCP server's name in the session's tools.
    public var server: String
    /// The tool.
    public var name: String
    /// The arguments, as JSON text.
    public var arguments: String
    /// The tool's result.
    public var output: String?
    /// The failure, as the server describes it.
    public var error: JSONValue?
    /// The request for permission that led to it.
    public var approvalRequestID: String?

    /// A call.
    public init(
        id: String, server: String, name: String, arguments: String, output: String? = nil, error: JSONValue? = nil,
        approvalRequestID: String? = nil
    ) {
        self.id = id
        self.server = server
        self.name = name
        self.arguments = arguments
        self.output = output
        self.error = error
        self.approvalRequestID = approvalRequestID
    }
}

/// Your word on whether such a call may be made.
public struct RealtimeMCPApproval: Sendable, Hashable {
    /// The item's id.
    public var id: String
    /// The request that it answers.
    public var requestID: String
    /// True if the call may be made.
    public var isApproved: Bool
    /// The reason.
    public var reason: String?

    /// An answer.
    public init(id: String, requestID: String, isApproved: Bool, reason: String? = nil) {
        self.id = id
        self.requestID = requestID
        self.isApproved = isApproved
        self.reason = reason
    }
}

extension RealtimeMCPCall {
    init(_ item: WireObject) throws(WireError) {
        self.init(
            id: try item.string("id"), server: try item.string("server_label"), name: try item.string("name"),
            arguments: item.optionalString("arguments") ?? "", output: item.optionalString("output"),
            error: item["error"], approvalRequestID: item.optionalString("approval_request_id"))
    }

    func json(type: String) -> JSONValue {
        var object: JSONObject = [
            "type": .string(type), "id": .string(id), "server_label": .string(server), "name": .string(name),
            "arguments": .string(arguments),
        ]
        object.set("output", output.map(JSONValue.string))
        object.set("error", error)
        object.set("approval_request_id", approvalRequestID.map(JSONValue.string))
        return .object(object)
    }
}

extension RealtimeMCPApproval {
    init(_ item: WireObject) throws(WireError) {
        self.init(
            id: try item.string("id"), requestID: try item.string("approval_request_id"),
            isApproved: item["approve"]?.bool ?? false, reason: item.optionalString("reason"))
    }

    var json: JSONValue {
        var object: JSONObject = [
            "type": "mcp_approval_response", "id": .string(id), "approval_request_id": .string(requestID),
            "approve": .bool(isApproved),
        ]
        object.set("reason", reason.map(JSONValue.string))
        return .object(object)
    }
}
