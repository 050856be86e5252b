// SPDX-License-Identifier: MIT

import Persistence
import Sync

/// A table of conversations whose rows all devices of a person have.
struct SyncedTable: Sendable {
    struct Column: Sendable {
        /// The number of the field. It is never given to another column.
        let field: UInt32
        let name: StaticString

        var syncField: SyncField { SyncField(field, .last) }
    }

    /// The kind of record. It is never given to another table.
    let kind: UInt32
    let name: StaticString
    /// The column with the id of the record that a row belongs to, which is erased with all of them; nil for a table of
    /// such records.
    let parent: StaticString?
    let columns: [Column]
    /// The condition of a row that is finished; others wait.
    let isReady: SQL
    /// The index of the words: its name and the indexed column.
    let words: (table: StaticString, column: StaticString)?

    /// All columns but the ids, in a list.
    var columnList: SQL {
        columns.dropFirst().reduce("\(literal: columns[0].name)") { "\(sql: $0), \(literal: $1.name)" }
    }

    static let all = [conversations, messages]

    static let conversations = SyncedTable(
        kind: SyncKind.conversation, name: "conversation", parent: nil,
        columns: [
            Column(field: 1, name: "started_at"), Column(field: 2, name: "title"), Column(field: 3, name: "is_pinned"),
        ],
        isReady: "1", words: nil)

    static let messages = SyncedTable(
        kind: SyncKind.message, name: "message", parent: "conversation",
        columns: [
            Column(field: 1, name: "turn"), Column(field: 2, name: "role"), Column(field: 3, name: "modality"),
            Column(field: 4, name: "text"), Column(field: 5, name: "created_at"), Column(field: 6, name: "ordered_at"),
            Column(field: 7, name: "state"), Column(field: 8, name: "heard"), Column(field: 9, name: "source"),
            Column(field: 10, name: "device"), Column(field: 11, name: "input_tokens"),
            Column(field: 12, name: "output_tokens"), Column(field: 13, name: "cost"),
            Column(field: 14, name: "call_id"), Column(field: 15, name: "call_name"),
            Column(field: 16, name: "call_arguments"), Column(field: 17, name: "call_is_error"),
        ],
        // An answer that is still growing waits, unless the program that wrote it must have ended.
        isReady: "(state != 'partial' OR created_at < (unixepoch() - 600) * 1000)",
        words: ("message_text", "text"))

    /// The key of a row.
    func key(_ id: String, in container: String) -> SyncRecordKey? {
        guard let own = RecordID.bytes(id) else { return nil }
        guard parent != nil else { return SyncRecordKey(kind: kind, id: own) }
        return RecordID.bytes(container).map { SyncRecordKey(kind: kind, id: $0 + own) }
    }

    /// The row of a key.
    func row(_ key: SyncRecordKey) -> (id: String, container: String)? {
        guard key.id.count == (parent == nil ? 16 : 32), let container = RecordID.text(key.id.prefix(16)),
            let id = RecordID.text(key.id.suffix(16))
        else { return nil }
        return (id, container)
    }
}
