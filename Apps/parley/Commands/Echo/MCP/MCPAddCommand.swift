// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import FoundationEssentials
import MCP
import Networking
import Security
import StructuredJSON
import TerminalKit

/// `parley mcp add`: adds a server of tools.
struct MCPAddCommand: Command {
    private static let url = ValueOption<String>(
        "url", placeholder: "URL", help: "The address of a server that is reached over HTTP")
    private static let header = ValueOption<String>(
        "header", placeholder: "NAMES", help: "Send these header fields, such as Authorization,X-Team")
    private static let inherit = ValueOption<String>(
        "inherit", placeholder: "NAMES", help: "Let the program see these variables, such as HOME_ID,API_TOKEN")
    private static let plainHTTP = Flag("plain-http", help: "Allow http:// to another machine")
    private static let timeout = ValueOption<Int>(
        "timeout", placeholder: "SECONDS", help: "How long it may take to start, 1 to 600; 10 by default", in: 1...600)
    private static let noCheck = Flag("no-check", help: "Add it without starting it or connecting to it")
    private static let program = Positional<[String]>(any: "COMMAND", help: "The program with its arguments, after --")
    static let specification = CommandSpecification(
        path: ["mcp", "add"],
        summary: "Add a server of tools (Model Context Protocol): a program, or an address",
        discussion: """
            parley mcp add calc -- python3 calc.py
            parley mcp add web --url https://example.org/mcp --header Authorization
            The program is started when a chat or parley mcp needs it, in the folder in which it was added. It gets few
            variables of the environment, and those that --inherit names. Values of --header are typed without being shown,
            or piped in a line each, and kept as secrets. The rest is in mcp.json in the configuration folder. The server is
            tried at once: a program that cannot be started is not added; one that does not answer is, with a warning.
            """,
        positionals: [serverName, program],
        options: [
            url,
            header,
            inherit,
            plainHTTP,
            timeout,
            noCheck,
        ])

    /// The server's name, as a positional argument of the commands.
    static let serverName = Positional<String>("NAME", help: "What the server is called here: letters, digits, _ and -")

    private let name: String
    private let command: [String]
    private let url: String?
    private let headers: [String]
    private let inherit: [String]
    private let allowsPlainHTTP: Bool
    private let isChecked: Bool
    private let timeout: Int?

    init(_ invocation: Invocation) throws(UsageError) {
        func wrong(_ sentence: Sentence) -> UsageError { UsageError(sentence, command: invocation.command) }
        name = invocation[Self.serverName]
        command = invocation[Self.program]
        url = invocation[Self.url]
        headers = Self.names(invocation[Self.header])
        inherit = Self.names(invocation[Self.inherit])
        allowsPlainHTTP = invocation.has(Self.plainHTTP)
        isChecked = !invocation.has(Self.noCheck)
        timeout = invocation[Self.timeout]
        guard name.utf8.count <= 64, name.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil else {
            throw wrong("A server's name has letters, digits, _ and -, not \"\(name.printable)\".")
        }
        guard command.isEmpty != (url == nil) else {
            throw wrong(
                command.isEmpty
                    ? "Say what the server is: -- COMMAND, or --url URL." : "It is either a command or --url, not both."
            )
        }
        guard let url else {
            guard headers.isEmpty, !allowsPlainHTTP else { throw wrong("--header and --plain-http go with --url.") }
            return
        }
        guard inherit.isEmpty else { throw wrong("--inherit needs a command, not a URL.") }
        guard let parts = URLComponents(string: url), let host = parts.host?.lowercased(), !host.isEmpty,
            ["http", "https"].contains(parts.scheme?.lowercased() ?? ""), parts.user == nil, parts.password == nil
        else { throw wrong("\"\(url.printable)\" is not a URL. Write the whole URL, such as https://example.org/mcp.") }
        guard
            parts.scheme?.lowercased() == "https" || allowsPlainHTTP
                || CurlTransport.Configuration.loopbackHosts.contains(host)
        else {
            throw wrong("http:// can be read and changed by anyone on the way. Use https://, or give --plain-http.")
        }
        for header in headers where header.wholeMatch(of: /[A-Za-z0-9!#$%&'*+.^_`|~-]+/) == nil {
            throw wrong("\"\(header.printable)\" is not a valid header name.")
        }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try app.paths.makeConfigurationFolder()
        var entry =
            url.map { MCPServerEntry(name: name, url: $0, headers: headers, allowsPlainHTTP: allowsPlainHTTP) }
            ?? MCPServerEntry(
                name: name, command: command, directory: FileManager.default.currentDirectoryPath, inherit: inherit)
        if let timeout { entry.limit(to: timeout) }
        // A name that is taken must not replace the secrets of the server that has it.
        if try app.mcpServers.load().contains(where: { $0.name == name }) { try app.mcpServers.add(entry) }
        let finding: Sentence
        do {
            try await storeHeaders(in: app, console: console)
            finding = isChecked ? try await check(entry, in: app) : "It was not tried." as Sentence
            try app.mcpServers.add(entry)
        } catch {
            // No server has them.
            await forgetHeaders(in: app)
            throw error
        }
        console.progress("The server \(name) is added. \(finding) parley mcp tools \(name) shows what it can do.")
        try console.emit(MCPServerOutput(entry))
        return .done
    }

    /// Tries the server.
    ///
    /// - Returns: A sentence about the server.
    /// - Throws: `MCPError` if the program cannot be started.
    private func check(_ entry: MCPServerEntry, in app: CompositionRoot) async throws -> Sentence {
        do {
            let count = try await app.withMCPClient(entry) { try await $0.tools().count }
            return Sentence(one: "It has \(count) tool.", other: "It has \(count) tools.", count: count)
        } catch let error as MCPError where error.code == .cannotStart || error.code == .invalidServer {
            throw error
        } catch let error where !(error is CancellationError) {
            return "It does not work now: \(Sentence(error))"
        }
    }

    private func storeHeaders(in app: CompositionRoot, console: Console) async throws {
        guard !headers.isEmpty else { return }
        let store = try await SecretStoreChoice(try await app.automaticStore()).open(in: app)
        let input = InputStream()
        var lines = input.isTerminal ? nil : input.lines().makeAsyncIterator()
        for header in headers {
            let name = try SecretStoreChoice.name(MCPServerEntry.secretName(server: name, header: header))
            if lines == nil {
                try await store.set(
                    try await SecretPrompt(console: console).passphrase("Value of \(header): "), for: name)
            } else {
                guard let line = await lines?.next(), !line.isEmpty else {
                    throw UsageError("Pipe in a line for each of \(headers.joined(separator: ", ")).", command: nil)
                }
                try await store.set(Sensitive(utf8: line), for: name)
            }
        }
    }

    /// Deletes the stored values of the headers, also in a cancelled task.
    private func forgetHeaders(in app: CompositionRoot) async {
        guard !headers.isEmpty else { return }
        let names = headers.map { MCPServerEntry.secretName(server: name, header: $0) }
        await Task {
            guard let store = try? await SecretStoreChoice(try await app.automaticStore()).open(in: app, writes: false)
            else { return }
            for name in names { _ = try? await store.delete(try SecretStoreChoice.name(name)) }
        }.value
    }

    private static func names(_ list: String?) -> [String] {
        (list ?? "").split(separator: ",").map { String($0.drop { $0 == " " }.prefix { $0 != " " }) }
            .filter { !$0.isEmpty }
    }
}

/// A server as JSON shows it, without values of variables and headers.
struct MCPServerOutput: Encodable {
    let name: String
    let kind: String
    let target: String
    let isDisabled: Bool

    init(_ entry: MCPServerEntry) {
        name = entry.name
        kind = entry.json["url"] == nil ? "command" : "url"
        target = entry.summary
        isDisabled = entry.isDisabled
    }
}
