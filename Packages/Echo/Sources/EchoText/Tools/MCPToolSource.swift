// SPDX-License-Identifier: MIT

import Concurrency
import MCP

/// The tools of all registered servers of the Model Context Protocol, each with a name of its own.
final class MCPToolSource: ToolSource {
    private let servers = Guarded<[String: MCPServerTools]>([:])
    private let reserved: @Sendable () -> Set<String>

    let name = "mcp"

    /// - Parameter reserved: The names of the program's own tools.
    init(reserved: @escaping @Sendable () -> Set<String>) { self.reserved = reserved }

    deinit { for server in servers.withLock({ $0 }).values { server.abandon() } }

    func register(_ server: MCPServerTools) {
        server.watch()
        let replaced = servers.withLock { $0.updateValue(server, forKey: server.client.server.name) }
        replaced?.abandon()
    }

    func client(named name: String) -> MCPClient? { servers.withLock { $0[name]?.client } }

    func remove(_ name: String) async { await servers.withLock { $0.removeValue(forKey: name) }?.close() }

    func removeAll() async {
        for name in servers.withLock({ Array($0.keys) }) { await remove(name) }
    }

    func tools() async throws -> [Tool] {
        let servers = servers.withLock { $0 }
        let lists = await withTaskGroup(of: (String, [MCPTool]).self) { group in
            for (name, server) in servers { group.addTask { (name, await server.tools()) } }
            return await group.reduce(into: [String: [MCPTool]]()) { $0[$1.0] = $1.1 }
        }
        try Task.checkCancellation()
        var registry = MCPToolRegistry(reserved: reserved())
        for (name, tools) in lists { try registry.set(tools, of: name) }
        return registry.entries.compactMap { entry in servers[entry.server].map { Tool(entry, at: $0.client) } }
    }
}

extension Tool {
    /// A server's tool as a function that the model may call.
    init(_ entry: MCPToolRegistry.Entry, at client: MCPClient) {
        let tool = entry.tool
        self.init(
            name: entry.name, description: tool.description ?? tool.title ?? tool.name,
            schema: JSONSchema(tool.inputSchema)
        ) { arguments in
            let result = try await client.callTool(tool.name, arguments: arguments.object ?? [:])
            guard !result.isError else { throw MCPToolFailure(description: result.forModel) }
            return result.forModel
        }
    }
}

/// The failure of a server's tool, in words for the model.
private struct MCPToolFailure: Error, CustomStringConvertible {
    let description: String
}

extension MCPToolResult {
    /// The result for a model that reads text alone: the texts, and a mark for each other piece.
    fileprivate var forModel: String {
        let pieces = content.map { piece in
            switch piece {
            case .text(let text): text
            case .image(let data, let type), .audio(let data, let type): "[\(type), \(data.utf8.count / 4 * 3) bytes]"
            case .link(let resource): "[\(resource.name): \(resource.uri)]"
            case .resource(let contents): contents.text ?? "[\(contents.uri), \(contents.mimeType ?? "bytes")]"
            case .unknown(let type, _): "[\(type)]"
            }
        }
        return pieces.isEmpty ? structuredContent?.text ?? "" : pieces.joined(separator: "\n")
    }
}
