// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Persistence

/// A message as a row of the table `message`.
enum StoredMessage {
    static let columns: SQL = "id, conversation, turn, role, modality, created_at, \(sql: savedColumns)"

    /// The columns that ``WritableConnection/replace(_:_:with:)`` changes.
    static let savedColumns: SQL = """
        text, state, heard, source, device, input_tokens, output_tokens, cost, call_id, call_name, call_arguments,
        call_is_error
        """

    /// The values of a message, in the order of ``columns``.
    static func values(_ message: Message) -> SQL {
        """
        \(message.id.description), \(message.conversation.description), \(message.turn.description),
        \(message.role.rawValue), \(message.modality.rawValue), \(message.createdAt), \(sql: savedValues(message))
        """
    }

    /// The values of a message, in the order of ``savedColumns``.
    static func savedValues(_ message: Message) -> SQL {
        let ((state, heard), usage, call) = (message.state.stored, message.usage, message.toolCall)
        return """
            \(message.text), \(state), \(heard), \(message.source?.text), \(message.device), \(usage?.inputTokens),
            \(usage?.outputTokens), \(usage?.cost), \(call?.callID), \(call?.name), \(call?.arguments),
            \(call?.isError)
            """
    }

    /// The message in a row of ``columns``.
    static func message(_ row: borrowing Row) throws -> Message {
        guard
            let id = Identifier<Message>(try row["id"]),
            let conversation = Identifier<Conversation>(try row["conversation"]), let turn = TurnID(try row["turn"]),
            let role = Message.Role(rawValue: try row["role"]),
            let modality = Message.Modality(rawValue: try row["modality"])
        else { throw invalid }
        let (createdAt, text): (Date, String) = (try row["created_at"], try row["text"])
        guard let state = Message.State(stored: try row["state"], heard: try row["heard"]) else { throw invalid }
        let source: String? = try row["source"]
        return Message(
            id: id, conversation: conversation, turn: turn, role: role, modality: modality, text: text,
            createdAt: createdAt, state: state, source: source.flatMap(AnswerSource.init), device: try row["device"],
            usage: try usage(row), toolCall: try toolCall(row))
    }

    private static let invalid = DomainError.unusable(.row("message"))

    /// The tokens in a row of ``savedColumns``; nil without a model.
    static func usage(_ row: borrowing Row) throws -> AnswerUsage? {
        let (input, output): (Int?, Int?) = (try row["input_tokens"], try row["output_tokens"])
        let cost: Double? = try row["cost"]
        guard let input, let output else { return nil }
        return AnswerUsage(inputTokens: input, outputTokens: output, cost: cost)
    }

    private static func toolCall(_ row: borrowing Row) throws -> Message.ToolExchange? {
        let (id, name): (String?, String?) = (try row["call_id"], try row["call_name"])
        let (arguments, isError): (String?, Bool?) = (try row["call_arguments"], try row["call_is_error"])
        guard let id, let name, let arguments, let isError else { return nil }
        return Message.ToolExchange(callID: id, name: name, arguments: arguments, isError: isError)
    }
}

extension Message.State {
    /// The name of the state in stores, and the characters heard of an interrupted answer.
    var stored: (name: String, heard: Int?) {
        switch self {
        case .whole: ("whole", nil)
        case .partial: ("partial", nil)
        case .interrupted(let heard): ("interrupted", heard)
        }
    }

    /// Reads ``stored``; nil for another name.
    init?(stored name: String, heard: Int?) {
        switch name {
        case "whole": self = .whole
        case "partial": self = .partial
        case "interrupted": self = .interrupted(heard: heard)
        default: return nil
        }
    }
}

// The index of the words is not kept by triggers: an untrusted schema may not write to a virtual table.
extension WritableConnection {
    /// Stores a conversation unless it is stored.
    func insert(_ conversation: Conversation) throws {
        try execute(
            """
            INSERT OR IGNORE INTO conversation (id, started_at)
            VALUES (\(conversation.id.description), \(conversation.startedAt))
            """)
    }

    /// Stores a new message and indexes its words.
    func insert(_ message: Message) throws {
        let last = try first(
            "SELECT max(ordered_at) FROM message WHERE conversation = \(message.conversation.description)",
            as: Int64?.self)
        let createdAt = Int64((message.createdAt.timeIntervalSince1970 * 1_000).rounded())
        let orderedAt = max(createdAt, last.flatMap(\.self).map { $0 + 1 } ?? .min)
        try execute(
            """
            INSERT INTO message (\(sql: StoredMessage.columns), ordered_at)
            VALUES (\(sql: StoredMessage.values(message)), \(orderedAt))
            """)
        try execute("INSERT INTO message_text (rowid, text) VALUES (\(lastInsertedRowID), \(message.text))")
        try storeFiles(of: message)
    }

    /// Stores the files of a message that has some, in place of those that are stored.
    private func storeFiles(of message: Message) throws {
        guard !message.attachments.isEmpty else { return }
        try execute("DELETE FROM attachment WHERE message = \(message.id.description)")
        for file in message.attachments {
            try execute(
                """
                INSERT INTO attachment (message, name, bytes)
                VALUES (\(message.id.description), \(file.name), \(file.bytes))
                """)
        }
    }

    /// Replaces the message at a position and its words in the index.
    func replace(_ number: Int64, _ text: String, with message: Message) throws {
        try execute(
            """
            UPDATE message SET (\(sql: StoredMessage.savedColumns)) = (\(sql: StoredMessage.savedValues(message)))
            WHERE number = \(number)
            """)
        try storeFiles(of: message)
        guard text != message.text else { return }
        try execute("INSERT INTO message_text (message_text, rowid, text) VALUES ('delete', \(number), \(text))")
        try execute("INSERT INTO message_text (rowid, text) VALUES (\(number), \(message.text))")
        // A merge of the whole index removes the words that the text no longer has. An answer that grew has them all.
        guard !message.text.utf8.starts(with: text.utf8) else { return }
        try execute("INSERT INTO message_text (message_text) VALUES ('optimize')")
    }
}
