// SPDX-License-Identifier: MIT

public import StructuredJSON

/// The tools that a person has approved, by server, as they were then.
///
/// An approval holds for the tool's texts and schemas and for the program or address behind the server's name: a server
/// can change its tools' texts at any time, and another program can take over a name. Such a tool needs another
/// approval. A value: keep ``json`` with the person's settings.
public struct MCPToolApprovals: Sendable, Hashable {
    /// The approval's state for a tool.
    public enum Standing: Sendable, Hashable {
        /// Approved as it is.
        case approved
        /// Never approved.
        case unknown
        /// Approved once, and changed since.
        case changed
        /// Approved as it is, at another program or address of this server's name.
        case serverChanged
        /// Approved as it is by an earlier version, which did not record the program or address.
        case serverUnrecorded
    }

    /// A tool as a person approved it.
    public struct Approval: Sendable, Hashable {
        /// ``MCPToolFingerprint`` of the tool.
        public let fingerprint: String
        /// ``MCPServerOrigin`` of the server; nil if an earlier version recorded the approval.
        public let origin: String?
        /// The tool's own description; nil if it had none, or it was not recorded.
        public let description: String?
        /// The JSON schema of its arguments; nil if it was not recorded.
        public let inputSchema: JSONValue?

        init(_ tool: MCPTool, at server: MCPServer) throws(MCPError) {
            fingerprint = try MCPToolFingerprint(tool).description
            origin = try MCPServerOrigin(server.connection).description
            (description, inputSchema) = (tool.description, tool.inputSchema)
        }

        /// Earlier versions kept the fingerprint alone.
        init?(json: JSONValue) {
            guard let print = json.string ?? json["fingerprint"]?.string else { return nil }
            fingerprint = print
            origin = json["server"]?.string
            (description, inputSchema) = (json["description"]?.string, json["inputSchema"])
        }

        var json: JSONValue {
            guard let origin else { return .string(fingerprint) }
            var object: JSONObject = ["fingerprint": .string(fingerprint), "server": .string(origin)]
            object["description"] = description.map(JSONValue.string)
            object["inputSchema"] = inputSchema
            return .object(object)
        }
    }

    /// Server, then tool.
    private var approvals: [String: [String: Approval]] = [:]

    /// Nothing approved.
    public init() {}

    /// Reads ``json``; an entry that cannot be read counts as not approved.
    public init(json: JSONValue) {
        for (server, tools) in json.object ?? [:] {
            for (tool, approval) in tools.object ?? [:] {
                approvals[server, default: [:]][tool] = Approval(json: approval)
            }
        }
    }

    /// The approvals, to be kept.
    public var json: JSONValue {
        var servers: JSONObject = [:]
        for (server, tools) in approvals.sorted(by: { $0.key < $1.key }) {
            var object: JSONObject = [:]
            for (tool, approval) in tools.sorted(by: { $0.key < $1.key }) { object[tool] = approval.json }
            servers[server] = .object(object)
        }
        return .object(servers)
    }

    /// The approval of the tool of that name.
    public func approval(of tool: String, at server: String) -> Approval? { approvals[server]?[tool] }

    /// The approval's state for a tool of a server.
    public func standing(of tool: MCPTool, at server: MCPServer) throws(MCPError) -> Standing {
        guard let known = approval(of: tool.name, at: server.name) else { return .unknown }
        guard try MCPToolFingerprint(tool).description == known.fingerprint else { return .changed }
        guard let origin = known.origin else { return .serverUnrecorded }
        return try MCPServerOrigin(server.connection).description == origin ? .approved : .serverChanged
    }

    /// Stores the person's approval of the tool as it is.
    public mutating func approve(_ tool: MCPTool, at server: MCPServer) throws(MCPError) {
        approvals[server.name, default: [:]][tool.name] = try Approval(tool, at: server)
    }

    /// Removes the approval of a tool.
    public mutating func revoke(_ tool: String, at server: String) { approvals[server]?[tool] = nil }

    /// Removes all approvals of a server that is gone: another may take its name.
    public mutating func revokeAll(at server: String) { approvals[server] = nil }
}
