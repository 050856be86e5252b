// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import TerminalKit

/// A message of a conversation, as a line of text or as JSON.
struct MessageOutput: Encodable {
    private let message: Message

    init(_ message: Message) { self.message = message }

    /// Shows the message with its time.
    func write(to console: Console) throws {
        let time = console.styled(message.createdAt.formatted(.iso8601), .muted)
        switch message.role {
        case .user:
            let names = message.attachments.names
            let files = names.isEmpty ? "" : "  " + console.text("(with \(names))")
            try console.show(
                "\(time)  \(SpeakerLabel.person.text(.accent, console))  \(message.text.printable)"
                    + console.styled(files, .muted))
        case .assistant:
            try console.show(
                "\(time)  \(SpeakerLabel.parley.text(.success, console))  \(message.text.printable)"
                    + console.styled(note.map { "  " + console.text($0) } ?? "", .muted))
        case .tool:
            let call = message.toolCall.map { "\($0.name.printable) \($0.arguments.printable)  " } ?? ""
            try console.show(
                "\(time)  \(SpeakerLabel.tool.text(.warning, console))  \(console.styled(call, .muted))"
                    + message.text.printable + console.styled(note.map { "  " + console.text($0) } ?? "", .muted))
        }
    }

    /// The state of a message that is not whole; nil for one that is.
    private var note: Sentence? {
        switch message.state {
        case .whole: message.toolCall?.isError == true ? "(failed)" : nil
        case .partial: message.role == .tool ? "(no result)" : "(incomplete)"
        case .interrupted(nil): "(interrupted)"
        case .interrupted(let heard?):
            Sentence(
                one: "(interrupted; \(heard) character was heard)",
                other: "(interrupted; \(heard) characters were heard)", count: heard)
        }
    }

    private enum Key: String, CodingKey {
        case id, conversation, turn, role, modality, text, time, state, heard, source, device, usage, tool, attachments
    }

    private struct Usage: Encodable {
        let inputTokens, outputTokens: Int
        let cost: Double?
    }

    private struct File: Encodable {
        let name: String
        let size: Int
    }

    private struct Tool: Encodable {
        let call, name, arguments: String
        let failed: Bool
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(message.id.description, forKey: .id)
        try container.encode(message.conversation.description, forKey: .conversation)
        try container.encode(message.turn.description, forKey: .turn)
        try container.encode(message.role.rawValue, forKey: .role)
        try container.encode(message.modality.rawValue, forKey: .modality)
        try container.encode(message.text, forKey: .text)
        try container.encode(message.createdAt.formatted(.iso8601), forKey: .time)
        switch message.state {
        case .whole: try container.encode("whole", forKey: .state)
        case .partial: try container.encode("partial", forKey: .state)
        case .interrupted(let heard):
            try container.encode("interrupted", forKey: .state)
            try container.encodeIfPresent(heard, forKey: .heard)
        }
        try container.encodeIfPresent(message.source?.text, forKey: .source)
        try container.encodeIfPresent(message.device, forKey: .device)
        let usage = message.usage.map {
            Usage(inputTokens: $0.inputTokens, outputTokens: $0.outputTokens, cost: $0.cost)
        }
        try container.encodeIfPresent(usage, forKey: .usage)
        let tool = message.toolCall.map {
            Tool(call: $0.callID, name: $0.name, arguments: $0.arguments, failed: $0.isError)
        }
        try container.encodeIfPresent(tool, forKey: .tool)
        let files = message.attachments.map { File(name: $0.name, size: $0.bytes.count) }
        if !files.isEmpty { try container.encode(files, forKey: .attachments) }
    }
}

extension [Attachment] {
    /// The names of the files, for a person; empty without one.
    var names: String { map(\.name.printable).joined(separator: ", ") }
}

/// Messages as a list, or as `{"messages":[…]}`.
struct HistoryOutput: Encodable {
    private let messages: [MessageOutput]

    /// Copies the messages in their order.
    init(_ messages: [Message]) { self.messages = messages.map(MessageOutput.init) }

    /// Shows the list.
    func write(to console: Console) throws {
        for message in messages { try message.write(to: console) }
        try console.emit(self)
    }
}
