// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Persistence
import Sync

extension ConversationSource {
    func apply(_ changes: [SyncRecordChange], on connection: WritableConnection) throws -> Bool {
        for change in changes {
            if let container = change.erasedContainer {
                try Self.keepUnsent(of: container, change.unsent, on: connection)
            }
        }
        return try SyncMarks.withoutMarks(on: connection) {
            var isChanged = false
            // Rows get their numbers in the order of writing, as far as one batch goes; an entry's changes have none.
            let ordered = changes.enumerated().sorted {
                (Self.time(of: $0.element), $0.offset) < (Self.time(of: $1.element), $1.offset)
            }
            for (_, change) in ordered { isChanged = try Self.apply(change, on: connection) || isChanged }
            return isChanged
        }
    }

    /// The time of a message; the least for anything else.
    private static func time(of change: SyncRecordChange) -> Int64 {
        guard change.key.kind == SyncedTable.messages.kind,
            let bytes = change.record?[SyncField(6, .last)], case .integer(let time)? = ColumnValue.value(bytes)
        else { return .min }
        return time
    }

    private static func apply(_ change: SyncRecordChange, on connection: WritableConnection) throws -> Bool {
        if let container = erased(change) { return try erase(container, on: connection) }
        guard let table = SyncedTable.all.first(where: { $0.kind == change.key.kind }), let row = table.row(change.key),
            let record = change.record
        else { return false }
        let isChanged = try store(record, table, row.id, row.container, on: connection)
        guard table.parent != nil else { return isChanged }
        return try AttachmentFields.store(record, of: row.id, on: connection) || isChanged
    }

    // MARK: Rows

    private static func store(
        _ record: SyncRecord, _ table: SyncedTable, _ id: String, _ container: String,
        on connection: WritableConnection
    ) throws -> Bool {
        let marked = try SyncMarks.fields(of: table.kind, id, on: connection)
        guard !marked.contains(0) else { return false }
        var values: [(column: SyncedTable.Column, value: SQLValue)] = []
        for column in table.columns where !marked.contains(column.field) {
            guard let bytes = record[column.syncField], let value = LongValue.value(bytes, of: column, in: record)
            else { continue }
            values.append((column, value))
        }
        guard !values.isEmpty else { return false }
        let stored = try connection.first(
            "SELECT \(sql: table.columnList) FROM \(literal: table.name) WHERE id = \(id)"
        ) { try $0.values() }
        if let stored {
            let present = zip(table.columns.map(\.field), stored)
            let old = Dictionary(uniqueKeysWithValues: present.map { ($0, $1) })
            values.removeAll { old[$0.column.field] == $0.value }
            guard !values.isEmpty else { return false }
        }
        let number = try removeWords(table, id, on: connection)
        var isStored = true
        do {
            if stored == nil {
                try insert(values, table, id, container, on: connection)
            } else {
                try update(values, table, id, on: connection)
            }
        } catch let error as DatabaseError where error.code == .constraint {
            // A value that only a newer program can store. The log keeps it.
            isStored = false
        }
        try addWords(table, id, number, on: connection)
        return isStored
    }

    private static func update(
        _ values: [(column: SyncedTable.Column, value: SQLValue)], _ table: SyncedTable, _ id: String,
        on connection: WritableConnection
    ) throws {
        var assignments: SQL = ""
        for (column, value) in values {
            let comma: SQL = assignments.text.isEmpty ? "" : ", "
            assignments = "\(sql: assignments)\(sql: comma)\(literal: column.name) = \(value)"
        }
        try connection.execute("UPDATE \(literal: table.name) SET \(sql: assignments) WHERE id = \(id)")
    }

    private static func insert(
        _ values: [(column: SyncedTable.Column, value: SQLValue)], _ table: SyncedTable, _ id: String,
        _ container: String, on connection: WritableConnection
    ) throws {
        var (names, marks): (SQL, SQL) = ("id", "\(id)")
        if let parent = table.parent {
            (names, marks) = ("\(sql: names), \(literal: parent)", "\(sql: marks), \(container)")
            // The conversation's own record may come later.
            let createdAt = values.first { "\($0.column.name)" == "created_at" }?.value ?? .integer(0)
            try connection.execute(
                "INSERT OR IGNORE INTO conversation (id, started_at) VALUES (\(container), \(createdAt))")
        }
        for (column, value) in values {
            (names, marks) = ("\(sql: names), \(literal: column.name)", "\(sql: marks), \(value)")
        }
        try connection.execute("INSERT INTO \(literal: table.name) (\(sql: names)) VALUES (\(sql: marks))")
    }

    // MARK: Words

    private static func removeWords(
        _ table: SyncedTable, _ id: String, on connection: WritableConnection
    ) throws -> Int64? {
        guard let words = table.words else { return nil }
        let stored = try connection.first(
            "SELECT number, \(literal: words.column) AS text FROM \(literal: table.name) WHERE id = \(id)"
        ) { (number: try $0["number", as: Int64.self], text: try $0["text", as: String.self]) }
        guard let stored else { return nil }
        try connection.execute(
            """
            INSERT INTO \(literal: words.table) (\(literal: words.table), rowid, \(literal: words.column))
            VALUES ('delete', \(stored.number), \(stored.text))
            """)
        return stored.number
    }

    private static func addWords(
        _ table: SyncedTable, _ id: String, _ number: Int64?, on connection: WritableConnection
    ) throws {
        guard let words = table.words else { return }
        try connection.execute(
            """
            INSERT INTO \(literal: words.table) (rowid, \(literal: words.column))
            SELECT number, \(literal: words.column) FROM \(literal: table.name) WHERE id = \(id)
            """)
    }

    // MARK: Erasing

    func erases(_ changes: [SyncRecordChange], on connection: Connection) throws -> Bool {
        try changes.contains { change in
            guard let id = Self.erased(change).flatMap({ RecordID.text($0.suffix(16)) }) else { return false }
            return try connection.first(
                "SELECT 1 FROM conversation WHERE id = \(id) UNION ALL SELECT 1 FROM message WHERE id = \(id)",
                as: Int.self) != nil
        }
    }

    /// The ids of a conversation, or of one and a message, that a change erases; nil for any other change.
    private static func erased(_ change: SyncRecordChange) -> [UInt8]? {
        let isGone = change.record == nil && SyncedTable.messages.kind == change.key.kind
        return change.erasedContainer ?? (isGone && change.key.id.count == 32 ? change.key.id : nil)
    }

    /// Erases a conversation, or a message of one.
    private static func erase(_ container: [UInt8], on connection: WritableConnection) throws -> Bool {
        guard let conversation = RecordID.text(container.prefix(16)) else { return false }
        let ids: [String]
        if container.count == 16 {
            ids = try connection.query("SELECT id FROM message WHERE conversation = \(conversation)", as: String.self)
        } else {
            ids = [RecordID.text(container.suffix(16))].compactMap(\.self)
        }
        var count = 0
        for id in ids {
            _ = try removeWords(.messages, id, on: connection)
            try connection.execute("DELETE FROM message WHERE id = \(id)")
            count += connection.changes
        }
        if count > 0 { try connection.execute("INSERT INTO message_text (message_text) VALUES ('optimize')") }
        if container.count == 16 {
            try connection.execute("DELETE FROM conversation WHERE id = \(conversation)")
            count += connection.changes
        }
        return count > 0
    }

    /// Moves messages that were added here, while another device deleted their conversation, into a new conversation.
    ///
    /// - Parameter handedOver: Those that are in the log, and were not at the place when the deletion arrived.
    private static func keepUnsent(
        of container: [UInt8], _ handedOver: [SyncRecordKey], on connection: WritableConnection
    ) throws {
        guard container.count == 16, let conversation = RecordID.text(container) else { return }
        let messages = handedOver.filter { $0.kind == SyncKind.message }
        let known = Set(messages.compactMap { SyncedTable.messages.row($0)?.id })
        let rows = try connection.query(
            """
            SELECT id, EXISTS (
                SELECT 1 FROM sync_mark WHERE kind = 17 AND sync_mark.id = message.id AND is_deletion = 0
                    AND field != \(Int64(SyncMarks.found))
            ) AS is_marked FROM message WHERE conversation = \(conversation) ORDER BY number
            """
        ) { (id: try $0["id", as: String.self], isMarked: try $0["is_marked", as: Bool.self]) }
        let unsent = rows.filter { $0.isMarked || known.contains($0.id) }.map(\.id)
        guard !unsent.isEmpty else { return }
        let new = UUID().uuidString.lowercased()
        try connection.execute(
            """
            INSERT INTO conversation (id, started_at, title)
            SELECT \(new), started_at, title FROM conversation WHERE id = \(conversation)
            """)
        for id in unsent { try move(id, to: new, on: connection) }
        try connection.execute("DELETE FROM sync_mark WHERE container = \(conversation)")
    }

    /// Gives a message a new id in another conversation. Its files refer to the id, so a second row takes its place.
    private static func move(_ id: String, to conversation: String, on connection: WritableConnection) throws {
        let new = UUID().uuidString.lowercased()
        let columns = SyncedTable.messages.columnList
        try connection.execute(
            """
            INSERT INTO message (id, conversation, \(sql: columns))
            SELECT \(new), \(conversation), \(sql: columns) FROM message WHERE id = \(id)
            """)
        try connection.execute("UPDATE attachment SET message = \(new) WHERE message = \(id)")
        let number = try removeWords(.messages, id, on: connection)
        try connection.execute("DELETE FROM message WHERE id = \(id)")
        try addWords(.messages, new, number, on: connection)
    }
}
