// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

/// A transcript of a chat, for `/save`.
struct ChatTranscript: Sendable, Encodable {
    /// A message or a tool call.
    struct Entry: Sendable, Encodable, Equatable {
        enum Kind: String, Sendable, Encodable {
            case user, assistant, tool
        }

        let kind: Kind
        /// The message, or the tool's result.
        let text: String
        let at: Date
        /// The name of the model or the tool.
        let name: String?
        /// The arguments of a tool's call.
        let arguments: String?
        /// True if the answer broke off or was stopped, or the tool failed.
        let isIncomplete: Bool?
    }

    let entries: [Entry]

    var isEmpty: Bool { entries.isEmpty }

    /// The transcript of a conversation.
    init(_ messages: [Message]) {
        entries = messages.map { message in
            let call = message.toolCall
            let kind: Entry.Kind =
                switch message.role {
                case .user: .user
                case .assistant: .assistant
                case .tool: .tool
                }
            return Entry(
                kind: kind, text: message.text, at: message.createdAt, name: call?.name ?? message.source?.name,
                arguments: call?.arguments,
                isIncomplete: message.state != .whole || call?.isError == true ? true : nil)
        }
    }

    /// The whole as Markdown. The texts are not changed: headings and fences of a model stay as they are.
    var markdown: String {
        let blocks = entries.map { entry in
            let note = entry.isIncomplete == true ? (entry.kind == .tool ? " (failed)" : " (not finished)") : ""
            switch entry.kind {
            case .user: return "## You\n\n\(entry.text)"
            case .assistant: return "## \(entry.name ?? "Assistant")\(note)\n\n\(entry.text)"
            case .tool:
                let fence = Self.fence(around: [entry.arguments ?? "", entry.text])
                return "### Tool \(entry.name ?? "")\(note)\n\n\(fence)json\n\(entry.arguments ?? "")\n\(fence)\n\n"
                    + "\(fence)\n\(entry.text)\n\(fence)"
            }
        }
        let start = entries.first.map { "Chat of \($0.at.formatted(.iso8601))" } ?? "Chat"
        return (["# \(start)"] + blocks).joined(separator: "\n\n") + "\n"
    }

    /// The whole as JSON.
    var json: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            encoder.dateEncodingStrategy = .iso8601
            return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
        }
    }

    /// The content of a file of that name: JSON for `.json`, else Markdown.
    func content(for path: String) throws -> [UInt8] {
        path.lowercased().hasSuffix(".json") ? try json : Array(markdown.utf8)
    }

    private enum CodingKeys: String, CodingKey {
        case entries = "messages"
    }

    /// A fence with more backticks than any of the texts has in a row.
    private static func fence(around texts: [String]) -> String {
        let longest = texts.flatMap { $0.split { $0 != "`" } }.map(\.count).max() ?? 0
        return String(repeating: "`", count: max(3, longest + 1))
    }
}

extension AnswerSource {
    /// The name of the model.
    fileprivate var name: String? { if case .model(let name) = self { name } else { nil } }
}
