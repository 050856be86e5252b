// SPDX-License-Identifier: MIT

public import MCP

extension Echo {
    /// Lets the model call the tools of a server of the Model Context Protocol, in all conversations from the next turn
    /// on. A server of the same name is replaced.
    ///
    /// It connects at the next turn. A tool whose name another has gets its server's name in front. Registering approves
    /// of the tools that the server lists first; one that is new or another later is left out, and told as an
    /// ``EventType/error`` event. To be asked instead, see ``registerMCPServer(_:approvals:approval:)``. So is a server
    /// that cannot be reached; the conversation goes on without its tools, and tries again later.
    public func registerMCPServer(_ server: MCPServer) {
        mcpTools.register(MCPServerTools(MCPClient(server), approval: nil, report: errorReport))
        tools.tellWatchers()
    }

    /// Lets the model call those tools of a server of the Model Context Protocol that a person approves of.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - approvals: What was approved before.
    ///   - approval: Is asked about each tool that is not among them, and again about one that has changed since, before
    ///     a model reads a word of it. Whoever answers keeps the answer, for the next start.
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

    /// Takes away a server and its tools; ends its program in order.
    public func unregisterMCPServer(named name: String) async {
        await mcpTools.remove(name)
        tools.tellWatchers()
    }

    /// Takes away all servers. Call it at the end: an ``Echo`` that is dropped ends their programs without waiting.
    public func closeMCPServers() async { await mcpTools.removeAll() }

    private var mcpTools: MCPToolSource {
        let registry = tools
        return registry.source { MCPToolSource { [weak registry] in registry?.names ?? [] } }
    }

    private var errorReport: @Sendable (any Error) async -> Void {
        { [weak emitter] error in emitter?.emit(EchoEvent(.error(error))) }
    }
}

/// True if a model may read about a tool, and call it.
public struct MCPToolQuestion: Sendable, Hashable {
    /// The name under which the server was registered.
    public let server: String
    /// The tool, as the server describes it.
    public let tool: MCPTool
    /// The reason for the question: the tool is new or has changed, or another program or address has the server's name.
    public let standing: MCPToolApprovals.Standing
}
