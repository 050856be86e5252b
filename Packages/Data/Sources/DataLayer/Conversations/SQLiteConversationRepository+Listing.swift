// SPDX-License-Identifier: MIT

public import Domain
import Persistence

extension SQLiteConversationRepository {
    /// See `ConversationRepository`.
    public func summaries(pinned: Bool?, after: ConversationCursor?, limit: Int) async throws -> ConversationPage {
        let limit = min(max(1, limit), .max - 1)
        return try await read { connection in
            let last = try connection.first("SELECT coalesce(max(number), 0) FROM message", as: Int64.self) ?? 0
            let watermark = after?.watermark ?? last
            // The limit is inside, so that only the page's conversations are summarised.
            let rows = try connection.query(
                """
                \(sql: Self.summary), position FROM (
                    SELECT listed, position FROM (
                        SELECT id AS listed, (
                            SELECT max(number) FROM message
                            WHERE conversation = conversation.id AND number <= \(watermark)
                        ) AS position
                        FROM conversation WHERE coalesce(is_pinned = \(pinned), TRUE)
                    ) WHERE position < \(after?.position ?? .max) ORDER BY position DESC LIMIT \(limit + 1)
                ) JOIN conversation ON id = listed ORDER BY position DESC
                """
            ) { row in (try Self.summary(row), position: try row["position", as: Int64.self]) }
            let page = rows.prefix(limit)
            let next = rows.count > limit ? page.last?.position : nil
            return ConversationPage(
                summaries: page.map(\.0),
                next: next.map { ConversationCursor(watermark: watermark, position: $0) })
        }
    }

    /// See `ConversationRepository`.
    public func summary(_ id: Identifier<Conversation>) async throws -> ConversationSummary? {
        try await read { connection in
            try connection.first(
                """
                \(sql: Self.summary) FROM conversation
                WHERE id = \(id.description) AND EXISTS (SELECT 1 FROM message WHERE conversation = conversation.id)
                """, Self.summary)
        }
    }

    /// See `ConversationRepository`.
    public func rename(_ id: Identifier<Conversation>, to title: String?) async throws {
        try await update(id, "UPDATE conversation SET title = \(title) WHERE id = \(id.description)")
    }

    /// See `ConversationRepository`.
    public func setPinned(_ isPinned: Bool, _ id: Identifier<Conversation>) async throws {
        try await update(id, "UPDATE conversation SET is_pinned = \(isPinned) WHERE id = \(id.description)")
    }

    /// See `ConversationRepository`.
    public func delete(_ id: Identifier<Conversation>) async throws -> Int {
        try await erase { connection in
            try connection.execute("DELETE FROM message WHERE conversation = \(id.description)")
            let count = connection.changes
            try SQLiteWaitingQuestions.remove(in: id, on: connection)
            return try connection.finishDeletion(of: count)
        }
    }

    /// See `ConversationRepository`.
    public func delete(_ turns: Set<TurnID>) async throws -> Int {
        try await erase { connection in
            var count = 0
            for turn in turns {
                try connection.execute("DELETE FROM message WHERE turn = \(turn.description)")
                count += connection.changes
                try SQLiteWaitingQuestions.remove(turn, on: connection)
            }
            return try connection.finishDeletion(of: count)
        }
    }

    /// See `ConversationRepository`.
    public func deleteAll() async throws -> Int {
        let count = try await eraseAll().messages
        try await emptyLog()
        return count
    }

    /// Deletes everything; returns the numbers of messages and measurements. The log keeps it: the caller removes the
    /// file, or empties the log.
    func eraseAll() async throws -> (messages: Int, measurements: Int) {
        try await write { connection in
            try connection.execute("INSERT INTO message_text (message_text) VALUES ('delete-all')")
            // Before the messages, each of which else looks for the measurement of its turn.
            try connection.execute("DELETE FROM turn_measurement")
            let measurements = connection.changes
            try connection.execute("DELETE FROM message")
            let messages = connection.changes
            try connection.execute("DELETE FROM conversation")
            try SQLiteWaitingQuestions.removeAll(on: connection)
            return (messages, measurements)
        }
    }

    /// Runs a transaction that deletes, and takes what it deletes out of the file's log, too.
    private func erase<Value: Sendable>(_ body: @Sendable (WritableConnection) throws -> Value) async throws -> Value {
        let value = try await write(body)
        try await emptyLog()
        return value
    }

    private func emptyLog() async throws {
        try await domainErrors(damage: UnusableData.conversations) { try await database.emptyLog() }
    }

    private func update(_ id: Identifier<Conversation>, _ statement: SQL) async throws {
        try await write { connection in
            try connection.execute(statement)
            guard connection.changes == 1 else { throw DomainError.notFound("conversation") }
        }
    }

    /// The beginning of a query of conversations.
    private static let summary: SQL = """
        SELECT id, started_at, title, is_pinned,
            (SELECT text FROM message WHERE conversation = conversation.id AND role = 'user' ORDER BY ordered_at, id LIMIT 1)
                AS first_question,
            (SELECT created_at FROM message WHERE conversation = conversation.id ORDER BY number DESC LIMIT 1)
                AS updated_at,
            (SELECT count(*) FROM message WHERE conversation = conversation.id) AS messages
        """

    private static func summary(_ row: borrowing Row) throws -> ConversationSummary {
        guard let id = Identifier<Conversation>(try row["id"]) else { throw DomainError.unusable(.row("conversation")) }
        let conversation = Conversation(id: id, startedAt: try row["started_at"])
        let (title, isPinned): (String?, Bool) = (try row["title"], try row["is_pinned"])
        return ConversationSummary(
            conversation: conversation, title: title, firstQuestion: try row["first_question"],
            updatedAt: try row["updated_at"], messageCount: try row["messages"], isPinned: isPinned)
    }
}

extension WritableConnection {
    /// Deletes empty conversations, and the deleted messages' words from the index; returns the count.
    fileprivate func finishDeletion(of count: Int) throws -> Int {
        guard count > 0 else { return 0 }
        try execute(
            "DELETE FROM conversation WHERE NOT EXISTS (SELECT 1 FROM message WHERE conversation = conversation.id)")
        try execute("INSERT INTO message_text (message_text) VALUES ('rebuild')")
        return count
    }
}
