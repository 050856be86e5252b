// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import TerminalKit

extension ConversationSummary {
    /// The title, or the beginning of the first question, on one line.
    var heading: String {
        let text = (title ?? firstQuestion ?? "").printable.split(separator: " ").joined(separator: " ")
        if text.isEmpty { return "Untitled" }
        return title != nil || text.count <= 60 ? text : text.prefix(59).trimmed + "…"
    }
}

extension Substring {
    fileprivate var trimmed: String { String(last == " " ? dropLast() : self) }
}

/// A conversation of a list, as a line of text or as JSON.
struct ConversationEntry: Encodable {
    private let id: String
    private let heading: String
    private let title: String?
    private let firstQuestion: String?
    private let startedAt: String
    private let updatedAt: String
    private let messages: Int
    private let pinned: Bool

    init(_ summary: ConversationSummary) {
        id = summary.id.description
        heading = summary.heading
        title = summary.title
        firstQuestion = summary.firstQuestion
        startedAt = summary.conversation.startedAt.formatted(.iso8601)
        updatedAt = summary.updatedAt.formatted(.iso8601)
        messages = summary.messageCount
        pinned = summary.isPinned
    }

    private enum CodingKeys: String, CodingKey { case id, title, firstQuestion, startedAt, updatedAt, messages, pinned }

    /// Shows the line.
    func write(to console: Console) throws {
        let count = String(repeating: " ", count: max(0, 4 - String(messages).count)) + String(messages)
        try console.show(
            console.styled("\(id.prefix(8))  \(updatedAt)  \(count)  ", .muted)
                + (pinned ? console.styled(console.text("pinned") + "  ", .warning) : "") + heading)
    }
}

/// A conversation with its messages, as text, JSON or Markdown.
struct ConversationOutput: Encodable {
    private let summary: ConversationSummary
    private let content: [Message]
    private let conversation: ConversationEntry
    private let messages: [MessageOutput]

    init(_ summary: ConversationSummary, _ messages: [Message]) {
        self.summary = summary
        content = messages
        conversation = ConversationEntry(summary)
        self.messages = messages.map(MessageOutput.init)
    }

    private enum CodingKeys: String, CodingKey { case conversation, messages }

    /// Shows the conversation.
    func write(to console: Console) throws {
        try conversation.write(to: console)
        for message in messages { try message.write(to: console) }
        try console.emit(self)
    }

    /// The conversation as a document in JSON.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        }
    }

    /// The conversation as a document in Markdown (CommonMark 0.31).
    var markdown: String {
        var text = "# \(summary.heading)\n\n"
        text += "Started \(summary.conversation.startedAt.formatted(.iso8601)), "
        text += "\(summary.messageCount) message\(summary.messageCount == 1 ? "" : "s"), id `\(summary.id)`.\n"
        for message in content { text += "\n" + Self.markdown(message) }
        return text
    }

    private static func markdown(_ message: Message) -> String {
        let time = message.createdAt.formatted(.iso8601)
        switch message.role {
        case .user:
            let files = message.attachments.isEmpty ? "" : "\n*with \(message.attachments.names)*\n"
            return "## You, \(time)\n\n\(message.text)\n\(files)"
        case .assistant:
            let source = message.source.map { " (\($0.text.printable))" } ?? ""
            return "## Parley\(source), \(time)\n\n\(message.text)\(note(message))\n"
        case .tool:
            let name = message.toolCall?.name.printable ?? "Tool"
            let call = message.toolCall.map { block($0.arguments, language: "json") + "\n" } ?? ""
            return "### \(name), \(time)\n\n\(call)\(block(message.text))\(note(message))\n"
        }
    }

    private static func note(_ message: Message) -> String {
        switch message.state {
        case .whole: message.toolCall?.isError == true ? "\n\n*Failed.*" : ""
        case .partial: message.role == .tool ? "\n\n*No result.*" : "\n\n*Incomplete.*"
        case .interrupted(nil): "\n\n*Interrupted.*"
        case .interrupted(let heard?): "\n\n*Interrupted; \(heard) characters were heard.*"
        }
    }

    /// A fenced block, whose fence is longer than any run of backticks in the text.
    private static func block(_ text: String, language: String = "") -> String {
        let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return "\(fence)\(language)\n\(text)\n\(fence)"
    }
}
