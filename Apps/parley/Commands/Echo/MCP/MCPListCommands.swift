// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import MCP
import Security
import TerminalKit

/// `parley mcp list`: shows the servers of tools.
struct MCPListCommand: Command {
    static let specification = CommandSpecification(
        path: ["mcp", "list"],
        summary: "List the servers of tools",
        discussion: "They are in mcp.json in the configuration folder; nothing is started.")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let entries = try app.mcpServers.load()
        if entries.isEmpty { console.progress("There is no server. parley mcp add NAME -- COMMAND adds one.") }
        for entry in entries {
            try console.show(
                "\(console.styled(entry.name.printable, .strong))  \(entry.summary.printable)"
                    + (entry.isDisabled ? "  " + console.text("(disabled)") : ""))
            try console.emit(MCPServerOutput(entry))
        }
        return .done
    }
}

/// `parley mcp remove`: removes a tool server with its secrets and approvals.
struct MCPRemoveCommand: Command {
    static let specification = CommandSpecification(
        path: ["mcp", "remove"],
        summary: "Remove a server of tools, its secrets, and what was allowed of it",
        positionals: [MCPAddCommand.serverName])

    private let name: String

    init(_ invocation: Invocation) throws(UsageError) { name = invocation[MCPAddCommand.serverName] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let removed = try app.mcpServers.remove(name)
        try app.mcpApprovals.update { $0.revokeAll(at: name) }
        // A file that was written by hand may name a secret of another program, so only the server's own are deleted.
        let secrets = (try? MCPServerEntry(name: name, json: removed))?.secretNames ?? []
        let own = secrets.filter { $0.hasPrefix(MCPServerEntry.secretName(server: name, header: "")) }
        if !own.isEmpty {
            let store = try await SecretStoreChoice(.auto).open(in: app, writes: false)
            for secret in own { try await store.delete(try SecretStoreChoice.name(secret)) }
        }
        console.progress("The server \(name.printable) is removed.")
        try console.emit(["removed": name])
        return .done
    }
}

/// `parley mcp disable`: leaves a tool server out of chats.
struct MCPDisableCommand: Command {
    static let specification = CommandSpecification(
        path: ["mcp", "disable"],
        summary: "Leave a server of tools out of chats; its secrets and what was allowed of it stay",
        positionals: [MCPAddCommand.serverName])

    private let name: String

    init(_ invocation: Invocation) throws(UsageError) { name = invocation[MCPAddCommand.serverName] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let entry = try app.mcpServers.update(name, isDisabled: true)
        console.progress("Chats leave the server \(name) out from now on. parley mcp enable \(name) ends that.")
        try console.emit(MCPServerOutput(entry))
        return .done
    }
}

/// `parley mcp enable`: takes a disabled tool server into chats again.
struct MCPEnableCommand: Command {
    static let specification = CommandSpecification(
        path: ["mcp", "enable"], summary: "Take a disabled server of tools into chats again",
        positionals: [MCPAddCommand.serverName])

    private let name: String

    init(_ invocation: Invocation) throws(UsageError) { name = invocation[MCPAddCommand.serverName] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let entry = try app.mcpServers.update(name, isDisabled: false)
        console.progress("Chats take the server \(name) in from now on.")
        try console.emit(MCPServerOutput(entry))
        return .done
    }
}
