// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import Persistence
import Sync

/// Voice profiles: a record each, whose fields are merged one by one, so that a speed and a voice that two devices change
/// at the same time both hold. They live in the database of the settings, whose source hands them on.
enum VoiceProfileRecords {
    private static let (name, engine, voice) = (SyncField(1, .last), SyncField(2, .last), SyncField(3, .last))
    private static let (rate, pitch) = (SyncField(4, .last), SyncField(5, .last))
    private static let (stability, similarity) = (SyncField(6, .last), SyncField(7, .last))

    static let triggers = [
        trigger("sync_voice_new", "INSERT", "NEW", isDeletion: "0"),
        trigger("sync_voice_changed", "UPDATE", "NEW", isDeletion: "0"),
        trigger("sync_voice_gone", "DELETE", "OLD", isDeletion: "1"),
    ]

    private static func trigger(
        _ name: StaticString, _ event: StaticString, _ row: StaticString, isDeletion: StaticString
    ) -> SyncTrigger {
        SyncTrigger(
            name: name,
            body: """
                AFTER \(literal: event) ON key_value WHEN \(literal: row).namespace = 'voice profiles' BEGIN
                    DELETE FROM sync_mark WHERE kind = 20 AND id = \(literal: row).name;
                    INSERT INTO sync_mark (kind, id, container, field, is_deletion)
                    VALUES (20, \(literal: row).name, \(literal: row).name, 0, \(literal: isDeletion));
                END
                """)
    }

    static let marksOfAll: SQL = """
        INSERT OR IGNORE INTO sync_mark (kind, id, container, field, is_deletion)
        SELECT 20, name, name, 0, 0 FROM key_value WHERE namespace = 'voice profiles'
        """

    static func change(_ mark: SyncMarks.Mark, on connection: Connection) throws -> OutgoingChange {
        guard let id = Identifier<VoiceProfile>(mark.id), let bytes = RecordID.bytes(mark.id) else { return .nothing }
        if mark.isDeletion { return .changes([.erasing(bytes)]) }
        guard let stored = try KeyValueTransaction(connection).value(for: .voiceProfile(id)) else { return .nothing }
        let values: [(SyncField, SQLValue)] = [
            (name, .text(stored.name)), (engine, .text(stored.engine)), (voice, .text(stored.voice)),
            (rate, .real(stored.rate)), (pitch, .real(stored.pitch)), (stability, .real(stored.stability)),
            (similarity, .real(stored.similarity)),
        ]
        let fields = values.map { ($0, ColumnValue.bytes($1)) }
        return .changes([
            SyncChange(SyncRecordKey(kind: SyncKind.voiceProfile, id: bytes), Dictionary(uniqueKeysWithValues: fields))
        ])
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
