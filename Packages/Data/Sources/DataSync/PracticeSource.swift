// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import Persistence
import PracticeWire
import Sync

/// The results of practice without an account. Those of an account go through its server (ADR 0054), and recordings stay
/// on the device that made them.
///
/// A result never changes, so its record has one field with the form that the server's interface has, which also checks
/// what arrives.
struct PracticeSource: SyncSource {
    private static let content = SyncField(1, .first)

    let database: Database

    var version: Int64 { 1 }

    /// The table of changes has a row for each result and for each deletion that a person asked for; a result that is
    /// moved to an account is neither.
    let triggers = [
        SyncTrigger(
            name: "sync_result_changed",
            body: """
                AFTER INSERT ON practice_change WHEN NEW.owner = '' BEGIN
                    DELETE FROM sync_mark WHERE kind = 18 AND id = NEW.id AND is_deletion = NEW.is_deleted;
                    INSERT INTO sync_mark (kind, id, container, field, is_deletion)
                    VALUES (18, NEW.id, NEW.id, 0, NEW.is_deleted);
                END
                """)
    ]

    var marksOfAll: [SQL] {
        [
            """
            INSERT OR IGNORE INTO sync_mark (kind, id, container, field, is_deletion)
            SELECT 18, id, id, \(Int64(SyncMarks.found)), 0 FROM practice_change
            WHERE owner = '' AND NOT is_deleted ORDER BY number
            """
        ]
    }

    func change(_ mark: SyncMarks.Mark, on connection: Connection) throws -> OutgoingChange {
        guard let id = RecordID.bytes(mark.id) else { return .nothing }
        if mark.isDeletion { return .changes([.erasing(id)]) }
        guard let result = try UnownedResults.result(mark.id, on: connection) else { return .nothing }
        let bytes = try WireJSON.encode(PracticeResultDTO(result))
        return .changes([SyncChange(SyncRecordKey(kind: SyncKind.result, id: id), [Self.content: bytes])])
    }

    func apply(_ changes: [SyncRecordChange], on connection: WritableConnection) throws -> Bool {
        try SyncMarks.withoutMarks(on: connection) {
            var isChanged = false
            for change in changes {
                if let container = change.erasedContainer {
                    guard let id = RecordID.text(container) else { continue }
                    isChanged = try UnownedResults.delete(id, on: connection) || isChanged
                } else if change.key.kind == SyncKind.result, let result = Self.result(change) {
                    isChanged = try UnownedResults.store(result, on: connection) || isChanged
                }
            }
            return isChanged
        }
    }

    /// The result of a record; nil for one that this program cannot read.
    private static func result(_ change: SyncRecordChange) -> PracticeResult? {
        guard let bytes = change.record?[content],
            let result = try? WireJSON.decode(PracticeResultDTO.self, from: bytes).result(),
            RecordID.bytes(result.id.description) == change.key.id
        else { return nil }
        return result
    }
}
