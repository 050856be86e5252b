// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import FoundationEssentials
import Persistence
import Sync

/// Voice profiles: a record each, whose fields are merged one by one, so that a speed and a voice that two devices change
/// at the same time both hold. They live in the database of the settings, whose source hands them on.
enum VoiceProfileRecords {
    private static let (name, engine, voice) = (SyncField(1, .last), SyncField(2, .last), SyncField(3, .last))
    private static let (rate, pitch) = (SyncField(4, .last), SyncField(5, .last))
    private static let (stability, similarity) = (SyncField(6, .last), SyncField(7, .last))

    /// The field of a mark whose container is the profile before the change. Fields that did not change are not handed
    /// over: the log may have newer values. Several changes have one mark: the newest number, the oldest profile.
    private static let changed: UInt32 = 1

    static let triggers = [
        trigger(
            "sync_voice_new", "INSERT", "NEW",
            """
            DELETE FROM sync_mark WHERE kind = 20 AND id = NEW.name;
            INSERT INTO sync_mark (kind, id, container, field, is_deletion) VALUES (20, NEW.name, NEW.name, 0, 0);
            """),
        trigger(
            "sync_voice_changed", "UPDATE", "NEW",
            """
            UPDATE sync_mark SET field = 2 WHERE kind = 20 AND id = NEW.name AND field = 1;
            INSERT INTO sync_mark (kind, id, container, field, is_deletion)
            VALUES (20, NEW.name, coalesce(
                (SELECT container FROM sync_mark WHERE kind = 20 AND id = NEW.name AND field = 2),
                CAST(OLD.bytes AS TEXT)), 1, 0);
            DELETE FROM sync_mark WHERE kind = 20 AND id = NEW.name AND field = 2;
            """),
        trigger(
            "sync_voice_gone", "DELETE", "OLD",
            """
            DELETE FROM sync_mark WHERE kind = 20 AND id = OLD.name;
            INSERT INTO sync_mark (kind, id, container, field, is_deletion) VALUES (20, OLD.name, OLD.name, 0, 1);
            """),
    ]

    private static func trigger(
        _ name: StaticString, _ event: StaticString, _ row: StaticString, _ statements: SQL
    ) -> SyncTrigger {
        SyncTrigger(
            name: name,
            body: """
                AFTER \(literal: event) ON key_value WHEN \(literal: row).namespace = 'voice profiles' BEGIN
                \(sql: statements)
                END
                """)
    }

    static let marksOfAll: SQL = """
        INSERT OR IGNORE INTO sync_mark (kind, id, container, field, is_deletion)
        SELECT 20, name, name, \(Int64(SyncMarks.found)), 0 FROM key_value
        WHERE namespace = 'voice profiles'
        """

    static func change(_ mark: SyncMarks.Mark, on connection: Connection) throws -> OutgoingChange {
        guard let id = Identifier<VoiceProfile>(mark.id), let bytes = RecordID.bytes(mark.id) else { return .nothing }
        if mark.isDeletion { return .changes([.erasing(bytes)]) }
        guard let stored = try KeyValueTransaction(connection).value(for: .voiceProfile(id)) else { return .nothing }
        let before = mark.field == changed ? Self.stored(mark.container).map(values) : nil
        let fields = values(of: stored).filter { before?[$0] != $1 }.map { ($0, ColumnValue.bytes($1)) }
        return .changes([
            SyncChange(SyncRecordKey(kind: SyncKind.voiceProfile, id: bytes), Dictionary(uniqueKeysWithValues: fields))
        ])
    }

    private static func stored(_ text: String) -> StoredVoiceProfile? {
        try? JSONDecoder().decode(StoredVoiceProfile.self, from: Data(text.utf8))
    }

    private static func values(of stored: StoredVoiceProfile) -> [SyncField: SQLValue] {
        [
            name: .text(stored.name), engine: .text(stored.engine), voice: .text(stored.voice),
            rate: .real(stored.rate), pitch: .real(stored.pitch), stability: .real(stored.stability),
            similarity: .real(stored.similarity),
        ]
    }

    /// Stores what another device changed.
    ///
    /// - Returns: True if anything is different now.
    static func apply(_ change: SyncRecordChange, on connection: WritableConnection) throws -> Bool {
        let store = KeyValueTransaction(connection)
        if let container = change.erasedContainer {
            guard let id = RecordID.text(container).flatMap(Identifier<VoiceProfile>.init),
                try store.value(for: .voiceProfile(id)) != nil
            else { return false }
            try store.set(nil, for: .voiceProfile(id))
            if try store.value(for: .activeVoiceProfile) == id.description {
                try store.set(nil, for: .activeVoiceProfile)
            }
            return true
        }
        guard change.key.kind == SyncKind.voiceProfile, let record = change.record,
            let id = RecordID.text(record.key.id).flatMap(Identifier<VoiceProfile>.init),
            try SyncMarks.fields(of: SyncKind.voiceProfile, id.description, on: connection).isEmpty,
            let new = profile(id, record).map(StoredVoiceProfile.init),
            (try? store.value(for: .voiceProfile(id))) != new
        else { return false }
        try store.set(new, for: .voiceProfile(id))
        return true
    }

    /// The profile of a record; nil for one that this program does not take.
    private static func profile(_ id: Identifier<VoiceProfile>, _ record: SyncRecord) -> VoiceProfile? {
        func text(_ field: SyncField) -> String? {
            guard case .text(let text)? = record[field].flatMap(ColumnValue.value) else { return nil }
            return text
        }
        func number(_ field: SyncField) -> Double? {
            guard case .real(let number)? = record[field].flatMap(ColumnValue.value) else { return nil }
            return number
        }
        guard let name = text(name), let engine = text(engine), let voice = text(voice), let rate = number(rate),
            let pitch = number(pitch), let stability = number(stability), let similarity = number(similarity)
        else { return nil }
        return try? VoiceProfile(
            id: id, name: name, engine: engine, voice: voice, rate: rate, pitch: pitch, stability: stability,
            similarity: similarity)
    }
}
