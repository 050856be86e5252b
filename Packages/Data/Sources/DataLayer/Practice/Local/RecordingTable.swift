// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Persistence

/// One owner's recordings without their sound, inside one transaction.
struct RecordingTable<Access: Connection> {
    let connection: Access
    let owner: String

    private static var columns: SQL { "id, cue, created_at, duration, format, sample_rate, byte_count, sha256" }

    /// Stores a recording, unless its id exists; true if it was new.
    func store(_ recording: Recording) throws -> Bool where Access == WritableConnection {
        try connection.execute(
            """
            INSERT OR IGNORE INTO recording
                (owner, id, cue, created_at, duration, format, sample_rate, byte_count, sha256)
            VALUES (\(owner), \(recording.id.description), \(recording.cue.description), \(recording.createdAt),
                \(recording.duration), \(recording.format.rawValue), \(recording.sampleRate), \(recording.byteCount),
                \(recording.contentHash))
            """)
        return connection.changes == 1
    }

    func recording(_ id: Identifier<Recording>) throws -> Recording? {
        try connection.first(
            "SELECT \(sql: Self.columns) FROM recording WHERE owner = \(owner) AND id = \(id.description)",
            Self.recording)
    }

    func recording(hash: String) throws -> Recording? {
        try connection.first(
            """
            SELECT \(sql: Self.columns) FROM recording WHERE owner = \(owner) AND sha256 = \(hash)
            ORDER BY number LIMIT 1
            """, Self.recording)
    }

    func list(after cursor: RecordingCursor?, limit: Int) throws -> [Recording] {
        var filter: SQL = "owner = \(owner)"
        if let cursor {
            filter = "\(sql: filter) AND (created_at, id) < (\(cursor.time), \(cursor.id.description))"
        }
        return try connection.query(
            """
            SELECT \(sql: Self.columns) FROM recording WHERE \(sql: filter)
            ORDER BY created_at DESC, id DESC LIMIT \(max(0, limit))
            """, Self.recording)
    }

    /// All recordings; `isSent` is true if the server has the recording.
    func listWithSent() throws -> [(recording: Recording, isSent: Bool)] {
        try connection.query(
            """
            SELECT \(sql: Self.columns), sent_at IS NOT NULL AS is_sent FROM recording WHERE owner = \(owner)
            ORDER BY created_at, id
            """
        ) { row in (recording: try Self.recording(row), isSent: try row["is_sent"]) }
    }

    /// Notes that the server has a recording.
    func noteSent(_ id: Identifier<Recording>) throws where Access == WritableConnection {
        try connection.execute(
            """
            UPDATE recording SET sent_at = unixepoch() * 1000 WHERE owner = \(owner) AND id = \(id.description)
                AND sent_at IS NULL
            """)
    }

    /// Deletes a recording only; its evaluations and results stay. True if it existed.
    func expire(_ id: Identifier<Recording>) throws -> Bool where Access == WritableConnection {
        try connection.execute("DELETE FROM recording WHERE owner = \(owner) AND id = \(id.description)")
        return connection.changes > 0
    }

    /// Deletes a recording and its evaluations; true if it existed.
    func delete(_ id: Identifier<Recording>) throws -> Bool where Access == WritableConnection {
        try connection.execute(
            "DELETE FROM evaluation WHERE owner = \(owner) AND recording = \(id.description)")
        try AwaitedEvaluations(connection: connection, owner: owner).remove(id)
        try connection.execute("DELETE FROM recording WHERE owner = \(owner) AND id = \(id.description)")
        return connection.changes > 0
    }

    private static func recording(_ row: borrowing Row) throws -> Recording {
        guard let id = Identifier<Recording>(try row["id"]), let cue = Identifier<Cue>(try row["cue"]),
            let format = Recording.Format(rawValue: try row["format"])
        else { throw DomainError.unusable(.row("recording")) }
        return Recording(
            id: id, cue: cue, createdAt: try row["created_at"], duration: try row["duration"], format: format,
            sampleRate: try row["sample_rate"], byteCount: try row["byte_count"], contentHash: try row["sha256"])
    }
}
