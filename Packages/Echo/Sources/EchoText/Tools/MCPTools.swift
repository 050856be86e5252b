// SPDX-License-Identifier: MIT

public import MCP

extension Echo {
    /// Lets the model call the tools of a server of the Model Context Protocol, in all conversations from the next turn
    /// on. It replaces a server of the same name.
    ///
    /// It connects at the next turn. A tool whose name is taken gets its server's name in front. Registering approves
    /// of the tools that the server lists first; a tool that is new or has changed later is left out, and reported as
    /// an ``EventType/error`` event. To be asked instead, see ``registerMCPServer(_:approvals:approval:)``. A server
    /// that cannot be reached is reported in the same way; the conversation continues without its tools, and tries
    /// again later.
    public func registerMCPServer(_ server: MCPServer) {
        mcpTools.register(MCPServerTools(MCPClient(server), approval: nil, report: errorReport))
        tools.tellWatchers()
    }

    /// Lets the model call those tools of a server of the Model Context Protocol that a person approves of.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - approvals: The approvals so far.
    ///   - approval: Called for each tool without an approval, and again for one that has changed since, before a model
    ///     reads a word of it. The program keeps the approval for the next start.
    public func registerMCPServer(
        _ server: MCPServer, approvals: MCPToolApprovals,
        approval: @escaping @Sendable (MCPToolQuestion) async -> Bool
    ) {
        mcpTools.register(
            MCPServerTools(MCPClient(server), approvals: approvals, approval: approval, report: errorReport))
        tools.tellWatchers()
    }

    /// The client of a registered server, for its resources and prompts.
    public func mcpClient(named name: String) -> MCPClient? { mcpTools.client(named: name) }

    /// Removes a server and its tools; ends its program in order.
    public func unregisterMCPServer(named name: String) async {
        await mcpTools.remove(name)
        tools.tellWatchers()
    }

    /// Removes all servers. Call it at the end: an ``Echo`` that is dropped ends their programs without waiting.
    public func closeMCPServers() async { await mcpTools.removeAll() }

    private var mcpTools: MCPToolSource {
        let registry = tools
        return registry.source { MCPToolSource { [weak registry] in registry?.names ?? [] } }
    }

    private var errorReport: @Sendable (any Error) async -> Void {
        { [weak emitter] error in emitter?.emit(ConversationEvent(.error(error))) }
    }
}

/// A request for approval of a tool: after it a model may read about the tool, and call it.
public struct MCPToolQuestion: Sendable, Hashable {
    /// The server's name at its registration.
    public let server: String
    /// The tool, as the server describes it.
    public let tool: MCPTool
    /// The reason for the question: the tool is new or has changed, or another program or address has the server's name.
    public let standing: MCPToolApprovals.Standing
}
