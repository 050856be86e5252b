// SPDX-License-Identifier: MIT

import Persistence

/// The rows that changed since they were last handed to sync, in the database of the conversations.
///
/// Triggers mark them in the transaction that changes them, so every stored change is marked.
/// They are there from the moment sync is set up until it is left.
enum SyncMarks {
    /// A marked row.
    struct Mark: Sendable {
        let number: Int64
        let kind: UInt32
        let id: String
        /// The id of the conversation; the row's own for one.
        let container: String
        /// The field that changed; 0 for all of them.
        let field: UInt32
        let isDeletion: Bool
    }

    /// Makes the marks and marks everything that is there.
    static func enable(on connection: WritableConnection) throws {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS sync_mark (
                number INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, id TEXT NOT NULL,
                container TEXT NOT NULL, field INTEGER NOT NULL, is_deletion INTEGER NOT NULL,
                noted_at INTEGER NOT NULL DEFAULT (unixepoch()),
                UNIQUE (kind, id, field, is_deletion)
            ) STRICT
            """)
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS sync_state (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID"
        )
        for trigger in triggers { try connection.execute(trigger) }
        try connection.execute(
            """
            INSERT OR IGNORE INTO sync_mark (kind, id, container, field, is_deletion)
            SELECT 16, id, id, 0, 0 FROM conversation
            """)
        try connection.execute(
            """
            INSERT OR IGNORE INTO sync_mark (kind, id, container, field, is_deletion)
            SELECT 17, id, conversation, 0, 0 FROM message ORDER BY number
            """)
    }

    static func disable(on connection: WritableConnection) throws {
        for statement in removal { try connection.execute(statement) }
    }

    static func isEnabled(on connection: Connection) throws -> Bool {
        try connection.first("SELECT 1 FROM sqlite_schema WHERE name = 'sync_mark'", as: Int.self) != nil
    }

    static func next(_ limit: Int, after number: Int64, on connection: Connection) throws -> [Mark] {
        try connection.query(
            """
            SELECT number, kind, id, container, field, is_deletion FROM sync_mark
            WHERE number > \(number) ORDER BY number LIMIT \(limit)
            """
        ) { row in
            Mark(
                number: try row["number"], kind: UInt32(truncatingIfNeeded: try row["kind", as: Int64.self]),
                id: try row["id"], container: try row["container"],
                field: UInt32(truncatingIfNeeded: try row["field", as: Int64.self]), isDeletion: try row["is_deletion"])
        }
    }

    /// The fields of a row that wait to be handed on; 0 stands for all of them.
    static func fields(of kind: UInt32, _ id: String, on connection: Connection) throws -> Set<UInt32> {
        let fields = try connection.query(
            "SELECT field FROM sync_mark WHERE kind = \(Int64(kind)) AND id = \(id)", as: Int64.self)
        return Set(fields.map { UInt32(truncatingIfNeeded: $0) })
    }

    /// The number of the newest mark.
    static func newest(on connection: Connection) throws -> Int64 {
        try connection.first("SELECT seq FROM sqlite_sequence WHERE name = 'sync_mark'", as: Int64.self) ?? 0
    }

    private static let triggers: [SQL] = [
        """
        CREATE TRIGGER IF NOT EXISTS sync_conversation_new AFTER INSERT ON conversation BEGIN
            INSERT OR REPLACE INTO sync_mark (kind, id, container, field, is_deletion)
            VALUES (16, NEW.id, NEW.id, 0, 0);
        END
        """,
        """
        CREATE TRIGGER IF NOT EXISTS sync_conversation_title AFTER UPDATE OF title ON conversation BEGIN
            INSERT OR REPLACE INTO sync_mark (kind, id, container, field, is_deletion)
            VALUES (16, NEW.id, NEW.id, 2, 0);
        END
        """,
        """
        CREATE TRIGGER IF NOT EXISTS sync_conversation_pin AFTER UPDATE OF is_pinned ON conversation BEGIN
            INSERT OR REPLACE INTO sync_mark (kind, id, container, field, is_deletion)
            VALUES (16, NEW.id, NEW.id, 3, 0);
        END
        """,
        """
        CREATE TRIGGER IF NOT EXISTS sync_conversation_gone AFTER DELETE ON conversation BEGIN
            INSERT OR REPLACE INTO sync_mark (kind, id, container, field, is_deletion)
            VALUES (16, OLD.id, OLD.id, 0, 1);
        END
        """,
        """
        CREATE TRIGGER IF NOT EXISTS sync_message_new AFTER INSERT ON message BEGIN
            INSERT OR REPLACE INTO sync_mark (kind, id, container, field, is_deletion)
            VALUES (17, NEW.id, NEW.conversation, 0, 0);
        END
        """,
        """
        CREATE TRIGGER IF NOT EXISTS sync_message_changed AFTER UPDATE ON message BEGIN
            INSERT OR REPLACE INTO sync_mark (kind, id, container, field, is_deletion)
            VALUES (17, NEW.id, NEW.conversation, 0, 0);
        END
        """,
        """
        CREATE TRIGGER IF NOT EXISTS sync_message_gone AFTER DELETE ON message BEGIN
            INSERT OR REPLACE INTO sync_mark (kind, id, container, field, is_deletion)
            VALUES (17, OLD.id, OLD.conversation, 0, 1);
        END
        """,
    ]

    private static let removal: [SQL] = [
        "DROP TRIGGER IF EXISTS sync_conversation_new", "DROP TRIGGER IF EXISTS sync_conversation_title",
        "DROP TRIGGER IF EXISTS sync_conversation_pin", "DROP TRIGGER IF EXISTS sync_conversation_gone",
        "DROP TRIGGER IF EXISTS sync_message_new", "DROP TRIGGER IF EXISTS sync_message_changed",
        "DROP TRIGGER IF EXISTS sync_message_gone", "DROP TABLE IF EXISTS sync_mark", "DROP TABLE IF EXISTS sync_state",
    ]
}
