// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Persistence

/// The columns of a recording, with which an upload's row begins, too.
enum RecordingRow {
    static let columns: SQL = "id, cue, created_at, duration, format, sample_rate, byte_count, hash"

    static func recording(_ row: SQLRow) throws -> Recording {
        guard let id = Identifier<Recording>(try row["id"]), let cue = Identifier<Cue>(try row["cue"]),
            let format = Recording.Format(rawValue: try row["format"])
        else {
            throw DatabaseError(code: .invalidValue, message: "A stored recording cannot be read. Restore a backup.")
        }
        return Recording(
            id: id, cue: cue, createdAt: date(try row["created_at"]), duration: try row["duration"], format: format,
            sampleRate: try row["sample_rate"], byteCount: try row["byte_count"], contentHash: try row["hash"])
    }

    /// The values of ``columns``.
    static func values(_ recording: Recording) -> SQL {
        """
        \(recording.id.description), \(recording.cue.description), \(milliseconds(recording.createdAt)),
        \(recording.duration), \(recording.format.rawValue), \(recording.sampleRate), \(recording.byteCount),
        \(recording.contentHash)
        """
    }

    static func milliseconds(_ date: Date) -> Int64 { Int64((date.timeIntervalSince1970 * 1_000).rounded()) }
    static func date(_ milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
