// SPDX-License-Identifier: MIT

import CommandLineArguments
import Concurrency
import Domain
import Echo
import MCP
import TerminalKit

/// `parley mcp tools`: shows the tools of a server.
struct MCPToolsCommand: Command {
    private static let server = Positional<String?>(optional: "NAME", help: "The server; all of them without it")
    static let specification = CommandSpecification(
        path: ["mcp", "tools"],
        summary: "Show the tools of a server, or of all",
        discussion: "With --json a tool a line, with its input schema.",
        positionals: [server])

    private let name: String?

    init(_ invocation: Invocation) throws(UsageError) { name = invocation[Self.server] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let entries = if let name { [try app.mcpServers.entry(name)] } else { try app.mcpServers.load() }
        if entries.isEmpty { console.progress("There is no server. parley mcp add NAME -- COMMAND adds one.") }
        let approvals = try app.mcpApprovals.load()
        var code = ExitCode.done
        for entry in entries {
            do {
                try await app.withMCPClient(entry) { client in
                    for tool in try await client.tools() {
                        try show(tool, of: entry.name, try approvals.standing(of: tool, at: client.server), console)
                    }
                }
            } catch  where name == nil && !(error is CancellationError) {
                // The others have tools all the same.
                guard let failure = ErrorReport(error) else { throw error }
                console.warn("The tools of \(entry.name.printable) are missing: \(failure.sentence)")
                code = .data
            }
        }
        return code
    }

    private func show(
        _ tool: MCPTool, of server: String, _ standing: MCPToolApprovals.Standing, _ console: Console
    ) throws {
        guard !console.isJSON else {
            let object: JSONObject = [
                "server": .string(server), "name": .string(tool.name),
                "title": tool.title.map(JSONValue.string) ?? .null,
                "description": tool.description.map(JSONValue.string) ?? .null, "inputSchema": tool.inputSchema,
                "standing": .string("\(standing)"),
            ]
            return try console.write(json: JSONValue.object(object).text)
        }
        let mark: Sentence? =
            switch standing {
            case .approved: "(allowed)"
            case .unknown: nil
            case .changed: "(changed since it was allowed)"
            case .serverChanged: "(its server has changed since it was allowed)"
            case .serverUnrecorded: "(allowed by an earlier version, which is asked again)"
            }
        try console.show(
            "\(console.styled("\(server.printable) \(ForeignText.short(tool.name, limit: 100))", .strong))  "
                + ForeignText.short(tool.description ?? tool.title ?? "", limit: 300)
                + console.styled(mark.map { "  " + console.text($0) } ?? "", .muted))
    }
}

/// `parley mcp test`: connects to a server of tools and times that.
struct MCPTestCommand: Command {
    static let specification = CommandSpecification(
        path: ["mcp", "test"],
        summary: "Connect to a server of tools, list its tools, and say how long that took",
        discussion: "A disabled server is tried, too. The exit code is not 0 if it does not work.",
        positionals: [MCPAddCommand.serverName])

    private let name: String

    init(_ invocation: Invocation) throws(UsageError) { name = invocation[MCPAddCommand.serverName] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let entry = try app.mcpServers.entry(name)
        let clock = ContinuousClock()
        let start = clock.now
        let output = try await app.withMCPClient(entry) { client in
            let connected = clock.now
            let tools = try await client.tools().map(\.name)
            return Output(
                server: entry.name, tools: tools, connectMilliseconds: Int((connected - start).milliseconds),
                listMilliseconds: Int((clock.now - connected).milliseconds), isDisabled: entry.isDisabled)
        }
        let count = output.tools.count
        let (connecting, listing) = (output.connectMilliseconds, output.listMilliseconds)
        try console.tell(
            Sentence(
                one: "\(entry.name) works: connected in \(connecting) ms, \(count) tool listed in \(listing) ms.",
                other: "\(entry.name) works: connected in \(connecting) ms, \(count) tools listed in \(listing) ms.",
                count: count))
        if entry.isDisabled { try console.tell("It is disabled, so chats leave it out.") }
        for tool in output.tools { try console.show("  \(ForeignText.short(tool, limit: 100))") }
        try console.emit(output)
        return .done
    }

    private struct Output: Encodable {
        let server: String
        let tools: [String]
        let connectMilliseconds: Int
        let listMilliseconds: Int
        let isDisabled: Bool
    }
}

/// `parley mcp call`: calls a tool.
struct MCPCallCommand: Command {
    private static let tool = Positional<String>("TOOL", help: "The tool's name at the server")
    private static let arguments = Positional<String?>(
        optional: "JSON", help: "The arguments, an object; - reads them from standard input")
    static let specification = CommandSpecification(
        path: ["mcp", "call"],
        summary: "Call a tool of a server",
        discussion: """
            parley mcp call calc add '{"a": 1, "b": 2}'
            The content goes to standard output; what is no text is said in brackets, and whole with --json. Exit code 3: the
            tool says that it failed.
            """,
        positionals: [MCPAddCommand.serverName, tool, arguments])

    private let name: String
    private let tool: String
    private let arguments: JSONObject?

    init(_ invocation: Invocation) throws(UsageError) {
        name = invocation[MCPAddCommand.serverName]
        tool = invocation[Self.tool]
        let text = invocation[Self.arguments] ?? "{}"
        guard text != "-" else {
            arguments = nil
            return
        }
        let value: JSONValue
        do throws(JSONParsingError) { value = try JSONValue(parsing: text) } catch {
            throw UsageError("The arguments: \(error) Put them in single quotes.", command: invocation.command)
        }
        guard let object = value.object else {
            throw UsageError("The arguments are an object: {\"name\": value}.", command: invocation.command)
        }
        arguments = object
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let arguments = if let arguments { arguments } else { try await Self.read() }
        let entry = try app.mcpServers.entry(name)
        let result = try await app.withMCPClient(entry) { client in
            // The client checks results against the tool's declaration, and makes headers from it.
            _ = try await client.tools()
            return try await client.callTool(tool, arguments: arguments)
        }
        let words = console.output.isTerminal ? ForeignText.shown(result.words) : result.words
        // A pipe gets the text unchanged.
        if !console.isJSON { try console.output.write(words + "\n") }
        if console.isJSON {
            let object: JSONObject = [
                "isError": .bool(result.isError), "content": .array(result.content.map(\.json)),
                "structuredContent": result.structuredContent ?? .null,
            ]
            try console.write(json: JSONValue.object(object).text)
        }
        return result.isError ? .refused : .done
    }

    private static func read() async throws -> JSONObject {
        guard let bytes = try await InputStream().readToEnd(limit: 4_000_000) else {
            throw DomainError.invalidInput("The arguments are larger than 4 MB.")
        }
        let value: JSONValue
        do throws(JSONParsingError) { value = try JSONValue(parsing: bytes) } catch {
            throw DomainError.invalidInput("The arguments: \(error)")
        }
        guard let object = value.object else {
            throw DomainError.invalidInput("The arguments are an object: {\"name\": value}.")
        }
        return object
    }
}

extension CompositionRoot {
    /// Connects to a server, calls `body` and ends the connection, also after an error. A status line names the server
    /// while it starts.
    func withMCPClient<Value: Sendable>(
        _ entry: MCPServerEntry, _ body: (MCPClient) async throws -> Value
    ) async throws -> Value {
        let client = try await mcpClient(entry)
        let status = StatusLine(console: console)
        return try await withCleanup {
            do {
                status.announce(console.text(AnswerEventText.starting([entry.name])))
                defer { status.clear() }
                try await client.connect()
                status.clear()
                return try await body(client)
            } catch {
                throw entry.explained(error, isConnected: await client.serverInformation != nil)
            }
        } cleanup: {
            await client.close()
        }
    }
}

extension MCPContent {
    /// The content in the protocol's form.
    fileprivate var json: JSONValue {
        switch self {
        case .text(let text): ["type": "text", "text": .string(text)]
        case .image(let data, let type): ["type": "image", "data": .string(data), "mimeType": .string(type)]
        case .audio(let data, let type): ["type": "audio", "data": .string(data), "mimeType": .string(type)]
        case .link(let resource):
            ["type": "resource_link", "uri": .string(resource.uri), "name": .string(resource.name)]
        case .resource(let contents):
            [
                "type": "resource",
                "resource": ["uri": .string(contents.uri), "text": contents.text.map(JSONValue.string) ?? .null],
            ]
        case .unknown(_, let json): json
        }
    }
}
