// SPDX-License-Identifier: MIT

public import StructuredJSON

/// Which tools of which servers a person has approved, as they were then.
///
/// A server can change what a tool says about itself at any time, after it was approved too; such a tool counts as
/// changed and is to be asked about again. A value: keep ``json`` where the person's settings are.
public struct MCPToolApprovals: Sendable, Hashable {
    /// What is known about a tool.
    public enum Standing: Sendable, Hashable {
        /// Approved as it is.
        case approved
        /// Never asked about.
        case unknown
        /// Approved once, and another since.
        case changed
    }

    /// Server, then tool.
    private var fingerprints: [String: [String: String]] = [:]

    /// Nothing approved.
    public init() {}

    /// What ``json`` gave; what is none counts as nothing approved.
    public init(json: JSONValue) {
        for (server, tools) in json.object ?? [:] {
            for (tool, fingerprint) in tools.object ?? [:] {
                fingerprints[server, default: [:]][tool] = fingerprint.string
            }
        }
    }

    /// The approvals, to be kept.
    public var json: JSONValue {
        var servers: JSONObject = [:]
        for (server, tools) in fingerprints.sorted(by: { $0.key < $1.key }) {
            var object: JSONObject = [:]
            for (tool, print) in tools.sorted(by: { $0.key < $1.key }) { object[tool] = .string(print) }
            servers[server] = .object(object)
        }
        return .object(servers)
    }

    /// What is known about a tool of a server.
    public func standing(of tool: MCPTool, at server: String) throws(MCPError) -> Standing {
        guard let known = fingerprints[server]?[tool.name] else { return .unknown }
        return try MCPToolFingerprint(tool).description == known ? .approved : .changed
    }

    /// The person approves of the tool as it is.
    public mutating func approve(_ tool: MCPTool, at server: String) throws(MCPError) {
        fingerprints[server, default: [:]][tool.name] = try MCPToolFingerprint(tool).description
    }

    /// The person no longer does.
    public mutating func revoke(_ tool: String, at server: String) { fingerprints[server]?[tool] = nil }

    /// The server is gone, and what was approved of it: another may come by its name.
    public mutating func revokeAll(at server: String) { fingerprints[server] = nil }
}
