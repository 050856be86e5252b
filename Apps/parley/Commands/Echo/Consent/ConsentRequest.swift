// SPDX-License-Identifier: MIT

import Domain
import Localization
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
    /// True for a tool that has changed, false for a call.
    private let isChange: Bool

    /// A call that a model wants to make.
    ///
    /// - Parameters:
    ///   - target: The command line or the address of the server.
    ///   - reason: The reason to ask although the tool was allowed for good; nil if it was not.
    init(call: ToolUse, server: String, target: String, reason: Sentence?) {
        self.server = server
        tool = call.name
        isChange = false
        title = Self.callTitle(call.name, server).english
        let arguments = (try? JSONValue(parsing: call.arguments))?.indented ?? call.arguments
        details =
            (reason.map { [$0.english.revealed] } ?? []) + ["Server: \(target.revealed)", "Arguments:"]
            + Self.lines(arguments)
    }

    /// A tool that has changed since it was allowed. The model has not read its description yet.
    init(changed tool: MCPTool, calledBy name: String, server: String, before: MCPToolApprovals.Approval?) {
        self.server = server
        self.tool = name
        isChange = true
        title = Self.changeTitle(name, server).english
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

    /// The title and the details in a language. JSON, and the socket of the question, have them in English.
    func lines(by translator: Translator) -> [String] {
        let title = isChange ? Self.changeTitle(tool, server) : Self.callTitle(tool, server)
        return [translator(title)]
            + details.map { line in Self.sentence(of: line, tool).map(translator.callAsFunction) ?? line }
    }

    private static func callTitle(_ tool: String, _ server: String) -> Sentence {
        "The model wants to call \(tool.revealed) of \(server.revealed)."
    }

    private static func changeTitle(_ tool: String, _ server: String) -> Sentence {
        "\(tool.revealed) of \(server.revealed) is not what you allowed. The model has not seen it yet."
    }

    /// The sentence that a line is; nil for all that comes from the tool, whose lines begin with a space.
    private static func sentence(of line: String, _ tool: String) -> Sentence? {
        if let target = value(of: line, behind: serverLabel) { return "Server: \(target)" }
        if let title = value(of: line, behind: titleLabel) { return "Title: \(title)" }
        return (headings + MCPToolBox.reasons(tool)).first { $0.english == line }
    }

    private static let (serverLabel, titleLabel) = ("Server: ", "Title: ")

    private static func value(of line: String, behind label: String) -> String? {
        line.hasPrefix(label) ? String(line.dropFirst(label.count)) : nil
    }

    private static let headings: [Sentence] = [
        "Arguments:", "It describes itself as before:", "It said:", "It says now:",
        "It takes the same arguments as before:", "What it takes has changed (- before, + now):", "It takes:",
        "It gives:",
    ]

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
