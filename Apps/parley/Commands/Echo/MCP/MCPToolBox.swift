// SPDX-License-Identifier: MIT

import DataAssistant
import Domain
import Echo
import MCP
import StructuredJSON

/// The tools of the servers that a person has added, for a chat.
///
/// Servers start with the first question. A server that fails is left out with a notice; `/tools` tries it again. The
/// person is asked about each call unless the tool was allowed for good. A tool that has changed since it was allowed
/// stays hidden from the model until the person has seen it: its description may be meant to command the model.
actor MCPToolBox: ToolSource {
    private let entries: [MCPServerEntry]
    private let approvals: MCPApprovalFile
    private let allowsAll: Bool
    private let ask: ConsentAsk
    private let connect: @Sendable (MCPServerEntry) async throws -> MCPClient
    private var clients: [String: MCPClient] = [:]
    private var failed: Set<String> = []
    /// The changed tools that the person was asked about; true if the model may see them.
    private var seenAsChanged: [String: Bool] = [:]
    private var registry = MCPToolRegistry()

    /// - Parameters:
    ///   - allowsAll: True to allow every call without a question.
    ///   - ask: Asks the person.
    ///   - connect: Makes the client of a server.
    init(
        entries: [MCPServerEntry], approvals: MCPApprovalFile, allowsAll: Bool, ask: @escaping ConsentAsk,
        connect: @escaping @Sendable (MCPServerEntry) async throws -> MCPClient
    ) {
        self.entries = entries.filter { !$0.isDisabled }
        self.approvals = approvals
        self.allowsAll = allowsAll
        self.ask = ask
        self.connect = connect
    }

    func tools(_ tell: @Sendable (AnswerEvent) async throws -> Void) async throws -> [Tool] {
        for (name, error) in try await refresh(tell) {
            try await tell(.notice(.toolsMissing(server: name, error)))
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

    func refusal(
        of call: ToolUse, _ tell: @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> ToolRefusal? {
        // No server has a tool of this name now, and the person never saw what the call would run.
        guard let entry = registry[call.name], let server = clients[entry.server]?.server else {
            return .unknownTool
        }
        if allowsAll { return nil }
        let standing = try approvals.load().standing(of: entry.tool, at: server)
        if standing == .approved { return nil }
        let request = ConsentRequest(
            call: call, server: entry.server, target: target(of: entry.server),
            reason: Self.reason(standing, entry.name))
        switch try await ask(request) {
        case .always?:
            try approvals.update { try $0.approve(entry.tool, at: server) }
            return nil
        case .yes?: return nil
        case .no?: return .declined
        case nil:
            try await tell(.notice(.nobodyToAsk(tool: entry.name, server: entry.server)))
            return .nobodyToAsk
        }
    }

    /// The reason to ask again about a tool that was allowed for good.
    private static func reason(_ standing: MCPToolApprovals.Standing, _ name: String) -> Sentence? {
        switch standing {
        case .approved, .unknown: nil
        case .changed: "You allowed \(name) for good. It has changed since, so you are asked again."
        case .serverChanged:
            "You allowed \(name) for good when its server was another program or address, so you are asked again."
        case .serverUnrecorded:
            "You allowed \(name) for good in an earlier version of parley, which did not record the server's program or "
                + "address, so you are asked again."
        }
    }

    /// All reasons to ask again about a tool.
    static func reasons(_ name: String) -> [Sentence] {
        [.changed, .serverChanged, .serverUnrecorded].compactMap { reason($0, name) }
    }

    private func target(of server: String) -> String { entries.first { $0.name == server }?.summary ?? "" }

    /// The tools, for the person.
    func list() async throws -> [ChatTool] {
        failed = []
        let problems = try await refresh { _ in }
        let known = try approvals.load()
        let tools = try registry.entries.compactMap { entry -> ChatTool? in
            guard let server = clients[entry.server]?.server else { return nil }
            let standing: Sentence =
                switch try known.standing(of: entry.tool, at: server) {
                case .approved: "allowed"
                case _ where allowsAll: "allowed for now"
                case .unknown: "asks first"
                case .changed: "changed since it was allowed"
                case .serverChanged: "asks first: its server has changed"
                case .serverUnrecorded: "asks first: allowed by an earlier version"
                }
            return ChatTool(
                name: entry.name, server: entry.server, description: entry.tool.description ?? "", standing: standing)
        }
        return tools
            + problems.map {
                ChatTool(name: "-", server: $0.name, description: $0.error, standing: "does not work" as Sentence)
            }
    }

    func close() async {
        let all = clients.values
        clients = [:]
        await withTaskGroup(of: Void.self) { group in
            for client in all { group.addTask { await client.close() } }
        }
    }

    /// Connects the servers without a connection, and asks every server for its tools.
    ///
    /// - Returns: The servers that failed, with their errors.
    private func refresh(
        _ tell: @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> [(name: String, error: String)] {
        let wanted = entries.filter { !failed.contains($0.name) }
        var starting = wanted.map(\.name).filter { clients[$0] == nil }
        if !starting.isEmpty { try await tell(.starting(starting)) }
        let found = try await withThrowingTaskGroup(of: (Int, MCPClient?, Result<[MCPTool], any Error>).self) { group in
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
            for try await result in group {
                found.append(result)
                guard let index = starting.firstIndex(of: wanted[result.0].name) else { continue }
                starting.remove(at: index)
                try await tell(.starting(starting))
            }
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
                problems.append(
                    (
                        name,
                        ErrorReport(
                            wanted[index].explained(error, isConnected: await client?.serverInformation != nil))?
                            .message ?? ""
                    ))
            }
        }
        try Task.checkCancellation()
        return problems
    }

    /// True if the model may see a tool.
    private func isShown(
        _ entry: MCPToolRegistry.Entry, _ tell: @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> Bool {
        guard !allowsAll, let server = clients[entry.server]?.server else { return true }
        let known = try approvals.load()
        guard try known.standing(of: entry.tool, at: server) == .changed else { return true }
        let key = "\(entry.server)\u{0}\(try MCPToolFingerprint(entry.tool))"
        if let isAllowed = seenAsChanged[key] { return isAllowed }
        seenAsChanged[key] = false
        var isAllowed: Bool?
        // A question that was broken off is asked again.
        defer { seenAsChanged[key] = isAllowed }
        let request = ConsentRequest(
            changed: entry.tool, calledBy: entry.name, server: entry.server,
            before: known.approval(of: entry.tool.name, at: entry.server))
        switch try await ask(request) {
        case .always?:
            try approvals.update { try $0.approve(entry.tool, at: server) }
            isAllowed = true
        case .yes?: isAllowed = true
        case .no?: isAllowed = false
        case nil:
            try await tell(.notice(.toolChanged(tool: entry.name, server: entry.server)))
            isAllowed = false
        }
        return isAllowed == true
    }

    private struct ToolFailure: Error, CustomStringConvertible {
        let description: String
    }
}

extension MCPToolResult {
    /// The content in words; what is no text is described.
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

/// A tool as `/tools` shows it.
struct ChatTool: Sendable, Equatable {
    let name: String
    let server: String
    let description: String
    /// "allowed", "asks first", "changed since it was allowed" and the like.
    let standing: Sentence
}
