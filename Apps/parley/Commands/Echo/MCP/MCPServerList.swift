// SPDX-License-Identifier: MIT

import Domain
import MCP
import StructuredJSON
import TerminalKit

/// The tool servers that a person has added: `mcp.json` in the configuration folder, in the form that many programs
/// use.
///
/// ```
/// {"mcpServers": {"calc": {"command": "python3", "args": ["calc.py"], "cwd": "/home/ada/tools",
///                          "inherit": ["CALC_HOME"]},
///                 "web": {"url": "https://example.org/mcp",
///                         "headers": {"Authorization": {"secret": "mcp/web.Authorization"}}}}}
/// ```
struct MCPServerList: Sendable {
    private static let member = "mcpServers"

    let file: SettingsFile

    init(path: String) {
        file = SettingsFile(
            path: path, remedy: "Correct it, or move it away and add the servers again with parley mcp add.")
    }

    /// The servers in the order in which they were added.
    func load() throws -> [MCPServerEntry] {
        try servers(in: try file.load()).map(entry)
    }

    /// The entry of this name.
    func entry(_ name: String) throws -> MCPServerEntry {
        guard let entry = try load().first(where: { $0.name == name }) else { throw Self.unknown(name) }
        return entry
    }

    /// Adds a server under a new name.
    func add(_ entry: MCPServerEntry) throws {
        try file.update { object in
            var servers = JSONObject(try servers(in: object).map { ($0.name, $0.value) })
            guard servers[entry.name] == nil else {
                throw DomainError.invalidInput(
                    "There is a server \(entry.name) already. parley mcp remove \(entry.name) removes it.")
            }
            servers[entry.name] = .object(entry.json)
            object[Self.member] = .object(servers)
        }
    }

    /// Leaves a server out of chats, or takes it in again.
    func update(_ name: String, isDisabled: Bool) throws -> MCPServerEntry {
        try file.update { object in
            var servers = JSONObject(try servers(in: object).map { ($0.name, $0.value) })
            guard let value = servers[name] else { throw Self.unknown(name) }
            var entry = try entry(name, value)
            entry.isDisabled = isDisabled
            servers[name] = .object(entry.json)
            object[Self.member] = .object(servers)
            return entry
        }
    }

    /// Removes a server, also if its entry is invalid.
    func remove(_ name: String) throws -> JSONValue {
        try file.update { object in
            var servers = JSONObject(try servers(in: object).map { ($0.name, $0.value) })
            guard let removed = servers[name] else { throw Self.unknown(name) }
            servers[name] = nil
            object[Self.member] = .object(servers)
            return removed
        }
    }

    private func servers(in object: JSONObject) throws -> [(name: String, value: JSONValue)] {
        guard let value = object[Self.member] else { return [] }
        guard let servers = value.object else { throw file.damaged("\(Self.member): an object was expected") }
        return Array(servers)
    }

    private func entry(_ name: String, _ value: JSONValue) throws -> MCPServerEntry {
        do throws(MCPServerEntry.Problem) { return try MCPServerEntry(name: name, json: value) } catch {
            throw file.damaged("\(Self.member).\(name)\(error.place): \(error.expectation)")
        }
    }

    private static func unknown(_ name: String) -> DomainError {
        .invalidInput("There is no server \(name.printable). parley mcp list shows the servers.")
    }
}

/// The tools that a person allows for good, as they were at that time: `mcp-approvals.json` in the configuration
/// folder.
struct MCPApprovalFile: Sendable {
    let file: SettingsFile

    init(path: String) {
        file = SettingsFile(path: path, remedy: "Move it away; each tool is then asked about again.")
    }

    func load() throws -> MCPToolApprovals { MCPToolApprovals(json: .object(try file.load())) }

    func update(_ change: (inout MCPToolApprovals) throws -> Void) throws {
        try file.update { object in
            var approvals = MCPToolApprovals(json: .object(object))
            try change(&approvals)
            object = approvals.json.object ?? [:]
        }
    }
}
