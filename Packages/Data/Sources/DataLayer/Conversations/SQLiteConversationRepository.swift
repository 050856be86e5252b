// SPDX-License-Identifier: MIT

public import Diagnostics
public import Domain
import FoundationEssentials
import Persistence

/// Conversations in an SQLite database.
///
/// Every append is one transaction that is on the disk (`synchronous=FULL`) before it returns. Several processes may
/// use one file.
public struct SQLiteConversationRepository: ConversationRepository {
    private static let file = DatabaseFile(
        migrations: ConversationSchema.migrations, tables: [("message", .messages)]
    ) { try $0.execute("INSERT INTO message_text (message_text) VALUES ('rebuild')") }

    private let database: Database

    /// Opens the database at `path`, or makes it, and brings its tables up to date.
    ///
    /// - Parameter seal: The key that the file is sealed with while the app lock is set.
    /// - Throws: `DomainError.storage`; `DomainError.unusable(.conversations)` for a damaged file.
    public init(
        path: String, damage: DamagePolicy, seal: DataSeal? = nil, logger: Logger = .disabled
    ) async throws {
        database = try await domainErrors(damage: UnusableData.conversations) {
            try await Self.file.open(path, damage, seal, logger)
        }
    }

    /// Keeps everything in memory, until the repository is released.
    public init(logger: Logger = .disabled) async throws {
        database = try await domainErrors(damage: UnusableData.conversations) {
            try await Self.file.inMemory(logger)
        }
    }

    /// Reads the whole file and returns the damage found; empty if the file is sound.
    public func findDamage() async throws -> [String] {
        try await domainErrors(damage: UnusableData.conversations) { try await database.integrityCheck() }
    }

    /// Reads the whole file, and if it is damaged, sets it aside and puts a new one with what can be read in its place.
    ///
    /// Waits a while for the other programs that have the file open, and throws while they do.
    ///
    /// - Returns: The file that was set aside; nil when it is sound or there is none.
    /// - Throws: `DomainError.storage`.
    public static func repair(path: String, seal: DataSeal? = nil) async throws -> SalvagedFile? {
        try await domainErrors { try await file.salvage(path, seal) }
    }

    /// Closes the file; later uses throw.
    public func close() async { await database.close() }

    /// See `ConversationRepository`.
    public func append(_ messages: [Message], to conversation: Conversation) async throws {
        try await domainErrors(damage: UnusableData.conversations) {
            try await database.write(durability: .full) { connection in
                try connection.execute(
                    """
                    INSERT OR IGNORE INTO conversation (id, started_at)
                    VALUES (\(conversation.id.description), \(conversation.startedAt))
                    """)
                for message in messages {
                    try connection.execute(
                        """
                        INSERT OR IGNORE INTO message (id, conversation, turn, role, modality, text, created_at)
                        VALUES (\(message.id.description), \(message.conversation.description),
                            \(message.turn.description), \(message.role.rawValue), \(message.modality.rawValue),
                            \(message.text), \(message.createdAt))
                        """)
                    // Not by a trigger: an untrusted schema may not write to a virtual table.
                    guard connection.changes == 1 else { continue }
                    try connection.execute(
                        """
                        INSERT INTO message_text (rowid, text)
                        VALUES (\(connection.lastInsertedRowID), \(message.text))
                        """)
                }
            }
        }
    }

    /// See `ConversationRepository`.
    public func conversation(_ id: Identifier<Conversation>) async throws -> Conversation? {
        try await read { connection in
            try connection.first("SELECT started_at FROM conversation WHERE id = \(id.description)") { row in
                Conversation(id: id, startedAt: try row["started_at"])
            }
        }
    }

    /// See `ConversationRepository`.
    public func messages(in id: Identifier<Conversation>) async throws -> [Message] {
        try await read { connection in
            try connection.query(
                """
                SELECT id, conversation, turn, role, modality, text, created_at FROM message
                WHERE conversation = \(id.description) ORDER BY number
                """, message)
        }
    }

    /// See `ConversationRepository`.
    public func recentMessages(limit: Int) async throws -> [Message] {
        try await read { connection in
            try connection.query(
                """
                SELECT id, conversation, turn, role, modality, text, created_at FROM message
                ORDER BY number DESC LIMIT \(max(0, limit))
                """, message
            ).reversed()
        }
    }

    /// See `ConversationRepository`.
    public func search(_ words: String, limit: Int) async throws -> [Message] {
        guard let pattern = FullTextPattern(allOf: words) else { return [] }
        return try await read { connection in
            try connection.query(
                """
                SELECT id, conversation, turn, role, modality, message.text, created_at
                FROM message_text JOIN message ON message.number = message_text.rowid
                WHERE message_text MATCH \(pattern.expression)
                ORDER BY message_text.rank, number LIMIT \(max(0, limit))
                """, message)
        }
    }

    /// Deletes turns, each with all its messages, and the conversations that are then empty.
    ///
    /// The index of the words is rebuilt, so that it keeps no deleted words.
    ///
    /// - Returns: The number of deleted messages.
    /// - Throws: `DomainError.storage`; then nothing is deleted.
    public func remove(_ turns: Set<TurnID>) async throws -> Int {
        try await write { connection in
            var count = 0
            for turn in turns {
                try connection.execute("DELETE FROM message WHERE turn = \(turn.description)")
                count += connection.changes
            }
            guard count > 0 else { return 0 }
            try connection.execute(
                "DELETE FROM conversation WHERE NOT EXISTS (SELECT 1 FROM message WHERE conversation = conversation.id)"
            )
            try connection.execute("INSERT INTO message_text (message_text) VALUES ('rebuild')")
            return count
        }
    }

    /// Deletes every conversation and overwrites the content; returns the number of messages.
    public func removeAll() async throws -> Int {
        try await domainErrors(damage: UnusableData.conversations) {
            try await database.write { connection in
                try connection.execute("INSERT INTO message_text (message_text) VALUES ('delete-all')")
                try connection.execute("DELETE FROM message")
                let count = connection.changes
                try connection.execute("DELETE FROM conversation")
                return count
            }
        }
    }

    private func write<Value: Sendable>(_ body: @Sendable (WritableConnection) throws -> Value) async throws -> Value {
        try await domainErrors(damage: UnusableData.conversations) { try await database.write(durability: .full, body) }
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await domainErrors(damage: UnusableData.conversations) { try await database.read(body) }
    }
}

private func message(_ row: borrowing Row) throws -> Message {
    guard
        let id = Identifier<Message>(try row["id"]),
        let conversation = Identifier<Conversation>(try row["conversation"]), let turn = TurnID(try row["turn"]),
        let role = Message.Role(rawValue: try row["role"]),
        let modality = Message.Modality(rawValue: try row["modality"])
    else { throw DomainError.unusable(.row("message")) }
    return Message(
        id: id, conversation: conversation, turn: turn, role: role, modality: modality, text: try row["text"],
        createdAt: try row["created_at"])
}
