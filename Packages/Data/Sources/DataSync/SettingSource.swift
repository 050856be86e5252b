// SPDX-License-Identifier: MIT

public import DataLayer
import Digests
import Persistence
import Sync

/// The settings of a person that all devices have.
public struct SyncedSettings: Sendable {
    let database: Database
    let names: Set<String>
    let accepts: @Sendable (_ name: String, _ text: String) -> Bool

    /// Settings in a store that the caller opens and closes.
    ///
    /// - Parameters:
    ///   - names: The settings that travel; others stay on their machine.
    ///   - accepts: True for a value that a person could have given to the setting. Another one, say a newer program's,
    ///     is passed over.
    public init(
        _ file: OpenKeyValueFile, names: Set<String>,
        accepts: @escaping @Sendable (_ name: String, _ text: String) -> Bool
    ) {
        (database, self.names, self.accepts) = (file.database, names, accepts)
    }
}

/// The settings: a record each, whose last value wins. Its id is made from the name, so that two devices that store the
/// same setting for the first time have one record. ``VoiceProfileRecords`` are in the same database.
struct SettingSource: SyncSource {
    private static let name = SyncField(1, .first)
    /// Null for a setting that was removed.
    private static let value = SyncField(2, .last)

    private let settings: SyncedSettings

    init(_ settings: SyncedSettings) { self.settings = settings }

    var database: Database { settings.database }

    /// Changes with the names, so that a value of a newer program is taken over after the update, and the triggers.
    var version: Int64 {
        let names = (settings.names.sorted() + ["voice profiles by field"]).joined(separator: "\n")
        // Without libcrypto nothing of sync works; this number is as good as another then.
        let hash = (try? MessageDigest.hash(names.utf8, .sha256)) ?? [1]
        return hash.prefix(7).reduce(0) { $0 << 8 | Int64($1) }
    }

    let triggers =
        [
            trigger("sync_setting_new", "INSERT", "NEW"), trigger("sync_setting_changed", "UPDATE", "NEW"),
            trigger("sync_setting_gone", "DELETE", "OLD"),
        ] + VoiceProfileRecords.triggers

    private static func trigger(_ name: StaticString, _ event: StaticString, _ row: StaticString) -> SyncTrigger {
        SyncTrigger(
            name: name,
            body: """
                AFTER \(literal: event) ON key_value WHEN \(literal: row).namespace = 'settings' BEGIN
                    DELETE FROM sync_mark WHERE kind = 19 AND id = \(literal: row).name;
                    INSERT INTO sync_mark (kind, id, container, field, is_deletion)
                    VALUES (19, \(literal: row).name, \(literal: row).name, 0, 0);
                END
                """)
    }

    var marksOfAll: [SQL] {
        [
            """
            INSERT OR IGNORE INTO sync_mark (kind, id, container, field, is_deletion)
            SELECT 19, name, name, \(Int64(SyncMarks.found)), 0 FROM key_value
            WHERE namespace = 'settings'
            """,
            VoiceProfileRecords.marksOfAll,
        ]
    }

    private static func key(_ name: String) throws -> SyncRecordKey {
        let hash = try MessageDigest.hash("parley setting \(name)".utf8, .sha256)
        return SyncRecordKey(kind: SyncKind.setting, id: Array(hash.prefix(16)))
    }

    func change(_ mark: SyncMarks.Mark, on connection: Connection) throws -> OutgoingChange {
        if mark.kind == SyncKind.voiceProfile { return try VoiceProfileRecords.change(mark, on: connection) }
        guard settings.names.contains(mark.id) else { return .nothing }
        let text = try KeyValueTransaction(connection).value(for: .setting(mark.id))
        return .changes([
            SyncChange(
                try Self.key(mark.id),
                [
                    Self.name: ColumnValue.bytes(.text(mark.id)),
                    Self.value: ColumnValue.bytes(text.map { .text($0) } ?? .null),
                ])
        ])
    }

    func apply(_ changes: [SyncRecordChange], on connection: WritableConnection) throws -> Bool {
        try SyncMarks.withoutMarks(on: connection) {
            var isChanged = false
            for change in changes {
                if change.key.kind == SyncKind.setting, let record = change.record {
                    isChanged = try store(record, on: connection) || isChanged
                } else {
                    isChanged = try VoiceProfileRecords.apply(change, on: connection) || isChanged
                }
            }
            return isChanged
        }
    }

    private func store(_ record: SyncRecord, on connection: WritableConnection) throws -> Bool {
        guard case .text(let name)? = record[Self.name].flatMap(ColumnValue.value), settings.names.contains(name),
            try Self.key(name) == record.key, let value = record[Self.value].flatMap(ColumnValue.value),
            try SyncMarks.fields(of: SyncKind.setting, name, on: connection).isEmpty
        else { return false }
        let store = KeyValueTransaction(connection)
        let new: String?
        switch value {
        case .null: new = nil
        case .text(let text) where settings.accepts(name, text): new = text
        default: return false
        }
        guard (try? store.value(for: .setting(name))) != new else { return false }
        try store.set(new, for: .setting(name))
        return true
    }
}
