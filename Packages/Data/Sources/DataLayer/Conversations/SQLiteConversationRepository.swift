// SPDX-License-Identifier: MIT

public import Diagnostics
public import Domain
import FoundationEssentials
package import Persistence

/// Conversations in an SQLite database.
///
/// Every change is one transaction that is on the disk (`synchronous=FULL`) before it returns. Several processes may
/// use one file.
public struct SQLiteConversationRepository: ConversationRepository {
    private static let file = DatabaseFile(
        migrations: ConversationSchema.migrations, tables: [("message", .messages)]
    ) { connection in
        try SyncNotes.afterSalvage(on: connection) {
            try connection.execute(
                """
                INSERT OR IGNORE INTO conversation (id, started_at)
                SELECT conversation, min(created_at) FROM message GROUP BY conversation
                """)
            try connection.execute(
                "DELETE FROM attachment WHERE NOT EXISTS (SELECT 1 FROM message WHERE id = attachment.message)")
            try connection.execute("INSERT INTO message_text (message_text) VALUES ('rebuild')")
        }
    }

    package let database: Database

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
        try await write { connection in
            try connection.insert(conversation)
            for message in messages {
                let isStored = try connection.first(
                    "SELECT 1 FROM message WHERE id = \(message.id.description)", as: Bool.self)
                if isStored == nil { try connection.insert(message) }
            }
        }
    }

    /// See `ConversationRepository`.
    public func save(_ message: Message, in conversation: Conversation) async throws {
        try await write { connection in
            try connection.insert(conversation)
            let stored = try connection.first(
                "SELECT number, text FROM message WHERE id = \(message.id.description)"
            ) { (number: try $0["number", as: Int64.self], text: try $0["text", as: String.self]) }
            guard let stored else { return try connection.insert(message) }
            try connection.replace(stored.number, stored.text, with: message)
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
            var messages = try connection.query(
                """
                SELECT \(sql: StoredMessage.columns) FROM message
                WHERE conversation = \(id.description) ORDER BY ordered_at, id
                """, StoredMessage.message)
            let files = try connection.query(
                """
                SELECT attachment.message AS owner, attachment.name AS name, attachment.bytes AS bytes
                FROM message JOIN attachment ON attachment.message = message.id
                WHERE message.conversation = \(id.description) ORDER BY attachment.number
                """
            ) { row -> (owner: String, file: Attachment) in
                (try row["owner"], Attachment(name: try row["name"], bytes: try row["bytes"]))
            }
            guard !files.isEmpty else { return messages }
            let owned = Dictionary(grouping: files, by: \.owner)
            for index in messages.indices {
                messages[index].attachments = owned[messages[index].id.description]?.map(\.file) ?? []
            }
            return messages
        }
    }

    /// See `ConversationRepository`.
    public func recentMessages(limit: Int) async throws -> [Message] {
        try await read { connection in
            try connection.query(
                """
                SELECT \(sql: StoredMessage.columns) FROM message
                ORDER BY number DESC LIMIT \(max(0, limit))
                """, StoredMessage.message
            ).reversed()
        }
    }

    /// See `ConversationRepository`.
    public func search(_ words: String, limit: Int) async throws -> [Message] {
        guard let pattern = FullTextPattern(allOf: words) else { return [] }
        return try await read { connection in
            try connection.query(
                """
                SELECT \(sql: StoredMessage.columns)
                FROM (
                    SELECT rowid AS found, rank AS place FROM message_text WHERE message_text MATCH \(pattern.expression)
                ) JOIN message ON number = found
                ORDER BY place, number LIMIT \(max(0, limit))
                """, StoredMessage.message)
        }
    }

    func write<Value: Sendable>(_ body: @Sendable (WritableConnection) throws -> Value) async throws -> Value {
        try await domainErrors(damage: UnusableData.conversations) { try await database.write(durability: .full, body) }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await domainErrors(damage: UnusableData.conversations) { try await database.read(body) }
    }
}
