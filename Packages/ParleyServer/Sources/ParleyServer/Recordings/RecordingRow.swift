// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Persistence

/// A recording as a row, which an upload's begins with, too.
enum RecordingRow {
    static let columns: SQL = "id, cue, created_at, duration, format, sample_rate, byte_count, hash"

    static func recording(_ row: borrowing Row) throws -> Recording {
        guard let id = Identifier<Recording>(try row.string(0)), let cue = Identifier<Cue>(try row.string(1)),
            let format = Recording.Format(rawValue: try row.string(4))
        else {
            throw DatabaseError(code: .invalidValue, message: "A stored recording cannot be read. Restore a backup.")
        }
        return Recording(
            id: id, cue: cue, createdAt: date(try row.int64(2)), duration: try row.double(3), format: format,
            sampleRate: try row.int(5), byteCount: try row.int(6), contentHash: try row.string(7))
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
