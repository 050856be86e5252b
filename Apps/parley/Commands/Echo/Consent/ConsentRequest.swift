// SPDX-License-Identifier: MIT

import Domain
import MCP
import StructuredJSON
import TerminalKit

/// A request for consent: everything that will run or that the model will read, with nothing cut or hidden.
struct ConsentRequest: Codable, Equatable, Sendable {
    /// The server's name.
    let server: String
    /// The tool, as the model calls it.
    let tool: String
    /// The question in one sentence.
    let title: String
    /// All that the person has to know, a paragraph or a line each.
    let details: [String]

    /// A call that a model wants to make.
    ///
    /// - Parameters:
    ///   - target: The command line or the address of the server.
    ///   - reason: The reason to ask although the tool was allowed for good; nil if it was not.
    init(call: ToolUse, server: String, target: String, reason: String?) {
        self.server = server
        tool = call.name
        title = "The model wants to call \(call.name.revealed) of \(server.revealed)."
        let arguments = (try? JSONValue(parsing: call.arguments))?.indented ?? call.arguments
        details =
            (reason.map { [$0.revealed] } ?? []) + ["Server: \(target.revealed)", "Arguments:"] + Self.lines(arguments)
    }

    /// A tool that has changed since it was allowed. The model has not read its description yet.
    init(changed tool: MCPTool, calledBy name: String, server: String, before: MCPToolApprovals.Approval?) {
        self.server = server
        self.tool = name
        title = "\(name.revealed) of \(server.revealed) is not what you allowed. The model has not seen it yet."
        var details: [String] = []
        if let title = tool.title { details += ["Title: \(title.revealed)"] }
        let (old, new) = (before?.description ?? "", tool.description ?? "")
        // Earlier versions stored only a digest of the allowed tool.
        let isKnown = before?.inputSchema != nil
        if isKnown, old == new {
            details += ["It describes itself as before:"] + Self.lines(new)
        } else {
            if isKnown { details += ["It said:"] + Self.lines(old) }
            details += ["It says now:"] + Self.lines(new)
        }
        if let schema = before?.inputSchema {
            let difference = TextDifference(
                from: Self.sorted(schema).indented, to: Self.sorted(tool.inputSchema).indented)
            details +=
                difference.isEmpty
                ? ["It takes the same arguments as before:"] + Self.lines(tool.inputSchema.indented)
                : ["What it takes has changed (- before, + now):"] + difference.lines.map(\.revealed)
        } else {
            details += ["It takes:"] + Self.lines(tool.inputSchema.indented)
        }
        if let schema = tool.outputSchema { details += ["It gives:"] + Self.lines(schema.indented) }
        self.details = details
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + String($0).revealed }
    }

    private static func sorted(_ value: JSONValue) -> JSONValue {
        (try? JSONValue(parsing: value.sortedText)) ?? value
    }
}

/// The answer to a request for consent.
enum ConsentAnswer: String, Codable, Sendable, CaseIterable {
    case no
    /// Allows this one call.
    case yes
    /// Allows every further call without a question, as long as nothing about the tool changes.
    case always
}

/// Asks a person; nil without a terminal to ask at. Throws `CancellationError` at Ctrl-C.
typealias ConsentAsk = @Sendable (ConsentRequest) async throws -> ConsentAnswer?
