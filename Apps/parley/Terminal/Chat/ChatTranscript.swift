// SPDX-License-Identifier: MIT

import Echo
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
        var text: String
        let at: Date
        /// The name of the model or the tool.
        var name: String?
        /// The arguments of a tool's call.
        var arguments: String?
        /// True if the answer broke off or was stopped, or the tool failed.
        var isIncomplete: Bool?
    }

    private(set) var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    mutating func asked(_ question: String, at: Date) {
        entries.append(Entry(kind: .user, text: question, at: at))
    }

    mutating func called(_ call: ToolCall, _ result: ToolResult, at: Date) {
        entries.append(
            Entry(
                kind: .tool, text: result.output, at: at, name: call.name, arguments: call.arguments,
                isIncomplete: result.isError ? true : nil))
    }

    /// Adds to the answer under way, or begins one.
    mutating func said(_ text: String, by model: String, at: Date) {
        if entries.last?.kind == .assistant {
            entries[entries.count - 1].text += text
        } else {
            entries.append(Entry(kind: .assistant, text: text, at: at, name: model))
        }
    }

    /// Marks the answer under way as incomplete.
    mutating func brokeOff() {
        if entries.last?.kind == .assistant { entries[entries.count - 1].isIncomplete = true }
    }

    mutating func removeAll() { entries = [] }

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
