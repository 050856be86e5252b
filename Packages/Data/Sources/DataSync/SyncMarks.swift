// SPDX-License-Identifier: MIT

import DataLayer
import Persistence

/// The rows of a database that changed since they were last handed to sync.
///
/// Triggers mark them in the transaction that changes them, so every stored change is marked.
/// They are there from the moment sync is set up until it is left.
enum SyncMarks {
    /// A marked row.
    struct Mark: Sendable {
        let number: Int64
        let kind: UInt32
        let id: String
        /// The id of the row that it belongs to; the row's own if it belongs to none.
        let container: String
        /// The field that changed; 0 for all of them, ``found`` for a row that is not known to have changed.
        let field: UInt32
        let isDeletion: Bool

        /// True if the mark stands for a field.
        func contains(_ other: UInt32) -> Bool { [0, SyncMarks.found, other].contains(field) }
    }

    /// The field of a mark that says only that there is a row: what the log has of it is as new or newer. An earlier
    /// program hands nothing over for it.
    static let found: UInt32 = 0x7FFF_FFFF

    /// Numbers that belong to the database's part in sync.
    enum State: String {
        /// The number of the last change of others that is stored here.
        case taken
        /// The source's version.
        case version
    }

    /// Makes the marks, marks everything that is there as found, and takes over everything anew.
    static func enable(_ source: some SyncSource, on connection: WritableConnection) throws {
        try SyncNotes.makeTables(on: connection)
        for trigger in source.triggers {
            try connection.execute("DROP TRIGGER IF EXISTS \(literal: trigger.name)")
            try connection.execute("CREATE TRIGGER \(literal: trigger.name) \(sql: trigger.body)")
        }
        for statement in source.marksOfAll { try connection.execute(statement) }
        try set(.taken, 0, on: connection)
        try set(.version, source.version, on: connection)
    }

    static func disable(_ source: some SyncSource, on connection: WritableConnection) throws {
        for trigger in source.triggers {
            try connection.execute("DROP TRIGGER IF EXISTS \(literal: trigger.name)")
        }
        for table: SQL in ["sync_mark", "sync_state"] { try connection.execute("DROP TABLE IF EXISTS \(sql: table)") }
    }

    static func isEnabled(on connection: Connection) throws -> Bool {
        try connection.first("SELECT 1 FROM sqlite_schema WHERE name = 'sync_mark'", as: Int.self) != nil
    }

    /// A number; 0 if it was never set.
    static func value(_ state: State, on connection: Connection) throws -> Int64 {
        try connection.first("SELECT value FROM sync_state WHERE key = \(state.rawValue)", as: Int64.self) ?? 0
    }

    static func set(_ state: State, _ value: Int64, on connection: WritableConnection) throws {
        try connection.execute("INSERT OR REPLACE INTO sync_state (key, value) VALUES (\(state.rawValue), \(value))")
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

    /// The fields of a row that changed and wait to be handed on; 0 stands for all of them.
    static func fields(of kind: UInt32, _ id: String, on connection: Connection) throws -> Set<UInt32> {
        let fields = try connection.query(
            "SELECT field FROM sync_mark WHERE kind = \(Int64(kind)) AND id = \(id) AND field != \(Int64(found))",
            as: Int64.self)
        return Set(fields.map { UInt32(truncatingIfNeeded: $0) })
    }

    /// Calls `body`, whose changes need not be handed on: the triggers mark them, too.
    static func withoutMarks<Value>(
        on connection: WritableConnection, _ body: () throws -> Value
    ) throws -> Value {
        let newest = try connection.first(
            "SELECT seq FROM sqlite_sequence WHERE name = 'sync_mark'", as: Int64.self)
        let value = try body()
        try connection.execute("DELETE FROM sync_mark WHERE number > \(newest ?? 0)")
        return value
    }
}
