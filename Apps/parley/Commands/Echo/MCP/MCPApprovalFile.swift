// SPDX-License-Identifier: MIT

import MCP
import StructuredJSON

/// The tools that a person allows for good, as they were then: `mcp-approvals.json` in the configuration folder.
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
