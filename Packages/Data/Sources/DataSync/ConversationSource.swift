// SPDX-License-Identifier: MIT

import Persistence
import Sync

/// The conversations and their messages, as ``SyncedTable`` maps them.
struct ConversationSource: SyncSource {
    let database: Database

    /// 2: values in pieces.
    var version: Int64 { 2 }

    var marksOfAll: [SQL] {
        [
            """
            INSERT OR IGNORE INTO sync_mark (kind, id, container, field, is_deletion)
            SELECT 16, id, id, \(Int64(SyncMarks.found)), 0 FROM conversation
            """,
            """
            INSERT OR IGNORE INTO sync_mark (kind, id, container, field, is_deletion)
            SELECT 17, id, conversation, \(Int64(SyncMarks.found)), 0 FROM message ORDER BY number
            """,
        ]
    }

    func change(_ mark: SyncMarks.Mark, on connection: Connection) throws -> OutgoingChange {
        guard let table = SyncedTable.all.first(where: { $0.kind == mark.kind }),
            let key = table.key(mark.id, in: mark.container)
        else { return .nothing }
        if mark.isDeletion { return .changes([.erasing(key.id)]) }
        let columns = table.columns.filter { mark.contains($0.field) }
        let isReady = try connection.first(
            "SELECT \(sql: table.isReady) FROM \(literal: table.name) WHERE id = \(mark.id)", as: Bool.self)
        guard let isReady else { return .nothing }
        guard isReady else { return .waits }
        let values = try columns.map { column in
            let value = try connection.first(
                "SELECT \(literal: column.name) FROM \(literal: table.name) WHERE id = \(mark.id)"
            ) { try $0.values().first ?? .null }
            return (column: column, value: value ?? .null)
        }
        let files = table.parent == nil ? [] : try AttachmentFields.changes(of: mark.id, key, on: connection)
        return .changes(try LongValue.changes(of: key, values) + files)
    }

    let triggers: [SyncTrigger] = [
        .marking("sync_conversation_new", after: "INSERT ON conversation", values: "16, NEW.id, NEW.id, 0, 0"),
        .marking(
            "sync_conversation_title", after: "UPDATE OF title ON conversation", values: "16, NEW.id, NEW.id, 2, 0"),
        .marking(
            "sync_conversation_pin", after: "UPDATE OF is_pinned ON conversation", values: "16, NEW.id, NEW.id, 3, 0"),
        .marking("sync_conversation_gone", after: "DELETE ON conversation", values: "16, OLD.id, OLD.id, 0, 1"),
        .marking("sync_message_new", after: "INSERT ON message", values: "17, NEW.id, NEW.conversation, 0, 0"),
        .marking("sync_message_changed", after: "UPDATE ON message", values: "17, NEW.id, NEW.conversation, 0, 0"),
        .marking("sync_message_gone", after: "DELETE ON message", values: "17, OLD.id, OLD.conversation, 0, 1"),
    ]
}
