// SPDX-License-Identifier: MIT

import Echo
import MCP
import StructuredJSON

/// The tools of the servers that a person has added, for a chat.
///
/// Servers are started when the first question is asked. One that does not work is left out, and said so; `/tools` tries it
/// again. Each call is asked about unless the tool was allowed for good. A tool that is another than the one which was
/// allowed is not shown to the model until the person has seen it: its description may be meant to command the model.
actor MCPToolBox: ToolSource {
    private let entries: [MCPServerEntry]
    private let approvals: MCPApprovalFile
    private let allowsAll: Bool
    private let ask: ChatAsk?
    private let connect: @Sendable (MCPServerEntry) async throws -> MCPClient
    private var clients: [String: MCPClient] = [:]
    private var failed: Set<String> = []
    private var seenAsChanged: Set<String> = []
    private var registry = MCPToolRegistry()

    /// - Parameters:
    ///   - allowsAll: Whether nothing is asked.
    ///   - ask: Asks the person; `nil` where there is none.
    ///   - connect: Makes the client of a server.
    init(
        entries: [MCPServerEntry], approvals: MCPApprovalFile, allowsAll: Bool, ask: ChatAsk?,
        connect: @escaping @Sendable (MCPServerEntry) async throws -> MCPClient
    ) {
        self.entries = entries.filter { !$0.isDisabled }
        self.approvals = approvals
        self.allowsAll = allowsAll
        self.ask = ask
        self.connect = connect
    }

    func tools(_ tell: @Sendable (ChatEvent) async throws -> Void) async throws -> [Tool] {
        for (name, error) in try await refresh() {
            try await tell(.notice("The tools of \(name) are missing: \(error)"))
        }
        var tools: [Tool] = []
        for entry in registry.entries where try await isShown(entry, tell) {
            guard let client = clients[entry.server] else { continue }
            tools.append(
                Tool(
                    name: entry.name, description: entry.tool.description ?? entry.tool.title ?? entry.tool.name,
                    schema: JSONSchema(entry.tool.inputSchema)
                ) { arguments in
                    let result = try await client.callTool(entry.tool.name, arguments: arguments.object ?? [:])
                    guard !result.isError else { throw ToolFailure(description: result.words) }
                    return result.words
                })
        }
        return tools
    }

    func approval(
        of call: ToolCall, _ tell: @Sendable (ChatEvent) async throws -> Void
    ) async throws -> ToolApproval {
        guard let entry = registry[call.name], !allowsAll else { return .approved }
        if try approvals.load().standing(of: entry.tool, at: entry.server) == .approved { return .approved }
        guard let ask else {
            try await tell(
                .notice(
                    "\(entry.name) of \(entry.server) was not allowed: nobody is here to be asked. --allow-tools allows it."
                ))
            return .denied(reason: "nobody is here to allow it.")
        }
        let arguments = ToolArguments.short(call.arguments, limit: 400)
        try await tell(.notice("The model wants to call \(entry.name)(\(arguments)) of \(entry.server)."))
        switch try await ask("Allow it? y(es), n(o), a(lways): ")?.lowercased().first {
        case "a":
            try approvals.update { try $0.approve(entry.tool, at: entry.server) }
            return .approved
        case "y": return .approved
        default: return .denied(reason: "the person does not allow it.")
        }
    }

    func list() async throws -> [ChatTool] {
        failed = []
        let problems = try await refresh()
        let known = try approvals.load()
        let tools = try registry.entries.map { entry in
            let standing =
                switch try known.standing(of: entry.tool, at: entry.server) {
                case .approved: "allowed"
                case .unknown: allowsAll ? "allowed for now" : "asks first"
                case .changed: allowsAll ? "allowed for now" : "changed since it was allowed"
                }
            return ChatTool(
                name: entry.name, server: entry.server, description: entry.tool.description ?? "", standing: standing)
        }
        return tools
            + problems.map { ChatTool(name: "-", server: $0.name, description: $0.error, standing: "does not work") }
    }

    func close() async {
        let all = clients.values
        clients = [:]
        await withTaskGroup(of: Void.self) { group in
            for client in all { group.addTask { await client.close() } }
        }
    }

    /// Connects what is not, and asks every server for its tools.
    ///
    /// - Returns: What does not work, and why.
    private func refresh() async throws -> [(name: String, error: String)] {
        let wanted = entries.filter { !failed.contains($0.name) }
        let found = await withTaskGroup(of: (Int, MCPClient?, Result<[MCPTool], any Error>).self) { group in
            for (index, entry) in wanted.enumerated() {
                group.addTask { [connect, known = clients[entry.name]] in
                    var client = known
                    do {
                        let used = if let known { known } else { try await connect(entry) }
                        client = used
                        return (index, used, .success(try await used.tools()))
                    } catch { return (index, client, .failure(error)) }
                }
            }
            var found: [(Int, MCPClient?, Result<[MCPTool], any Error>)] = []
            for await result in group { found.append(result) }
            return found.sorted { $0.0 < $1.0 }
        }
        var problems: [(name: String, error: String)] = []
        for (index, client, result) in found {
            let name = wanted[index].name
            clients[name] = client
            switch result {
            case .success(let tools): try registry.set(tools, of: name)
            case .failure(let error):
                if Task.isCancelled { continue }
                try registry.remove(name)
                failed.insert(name)
                problems.append((name, ErrorReport(error)?.message ?? ""))
            }
        }
        try Task.checkCancellation()
        return problems
    }

    /// Whether the model may see a tool.
    private func isShown(
        _ entry: MCPToolRegistry.Entry, _ tell: @Sendable (ChatEvent) async throws -> Void
    ) async throws -> Bool {
        guard !allowsAll, try approvals.load().standing(of: entry.tool, at: entry.server) == .changed else {
            return true
        }
        let key = "\(entry.server)\u{0}\(try MCPToolFingerprint(entry.tool))"
        guard seenAsChanged.insert(key).inserted else { return false }
        let description = ModelText.short(entry.tool.description ?? "", limit: 400)
        try await tell(
            .notice(
                "\(entry.name) of \(entry.server) is not what you allowed. It says now: \(description)"
                    + (ask == nil ? " It is left out; --allow-tools takes it." : "")))
        guard let ask, try await ask("Allow it as it is now? y(es), n(o): ")?.lowercased().first == "y" else {
            return false
        }
        try approvals.update { try $0.approve(entry.tool, at: entry.server) }
        return true
    }

    private struct ToolFailure: Error, CustomStringConvertible {
        let description: String
    }
}

/// Asks the person, who answers with a line; `nil` when there is no answer. Throws `CancellationError` at Ctrl-C.
typealias ChatAsk = @Sendable (String) async throws -> String?

extension MCPToolResult {
    /// What it gave in words, also of what is none.
    var words: String {
        let parts = content.map { part in
            switch part {
            case .text(let text): text
            case .image(let data, let type): "[A picture, \(type), \(data.utf8.count * 3 / 4) bytes]"
            case .audio(let data, let type): "[Sound, \(type), \(data.utf8.count * 3 / 4) bytes]"
            case .link(let resource): "[More at \(resource.uri)]"
            case .resource(let contents): contents.text ?? "[The resource \(contents.uri)]"
            case .unknown(let type, _): "[Something of the kind \(type)]"
            }
        }
        return parts.isEmpty ? structuredContent?.text ?? "" : parts.joined(separator: "\n")
    }
}
