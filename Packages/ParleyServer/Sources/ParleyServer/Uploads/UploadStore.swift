// SPDX-License-Identifier: MIT

import AuthServer
import Domain
import FoundationEssentials
import Persistence

/// An upload that is not finished.
struct Upload: Sendable, Hashable {
    /// What it will be.
    let recording: Recording
    /// When something last came.
    let touchedAt: AuthTime
    /// From where on the file holds a piece whose checksum nobody has looked at; `nil` when all of it is good.
    let unverifiedFrom: Int?

    func touched(at time: AuthTime) -> Upload {
        Upload(recording: recording, touchedAt: time, unverifiedFrom: unverifiedFrom)
    }
}

/// What came of asking for a place.
enum UploadAdmission: Sendable, Hashable {
    case new
    case begun(Upload)
    /// The recording is there.
    case finished(Recording)
    /// The name belongs to another sound.
    case taken
    case tooMany
    case overQuota(free: Int)
}

/// Uploads that are not finished, in SQLite.
struct UploadStore: Sendable {
    let database: Database
    let policy: UploadPolicy

    /// Makes an upload, unless there is one or its recording. Quota and existence are looked at in the transaction that adds it.
    func admit(_ recording: Recording, of account: String, at now: AuthTime) async throws -> UploadAdmission {
        try await database.write(durability: .full) { [policy] connection in
            if let found = try RecordingStore.recording(recording.id, of: account, connection) {
                return found.isSameSound(as: recording) ? .finished(found) : .taken
            }
            if let found = try Self.upload(recording.id, of: account, connection) {
                return found.recording.isSameSound(as: recording) ? .begun(found) : .taken
            }
            let usage = try RecordingStore.usage(of: account, connection)
            guard usage.count < policy.maximumCount else { return .tooMany }
            guard recording.byteCount <= policy.quotaBytes - usage.bytes else {
                return .overQuota(free: max(0, policy.quotaBytes - usage.bytes))
            }
            try connection.execute(
                """
                INSERT INTO upload (\(sql: RecordingRow.columns), account, touched_at)
                VALUES (\(sql: RecordingRow.values(recording)), \(account), \(now.milliseconds))
                """)
            return .new
        }
    }

    func upload(_ id: Identifier<Recording>, of account: String) async throws -> Upload? {
        try await database.read { try Self.upload(id, of: account, $0) }
    }

    /// Writes down from where on the file may hold what was not checked, and that something came. It survives the end of the
    /// process; after the loss of power the hash of the whole finds what is wrong.
    ///
    /// - Returns: Whether the upload is still there.
    @discardableResult
    func mark(
        _ id: Identifier<Recording>, of account: String, unverifiedFrom offset: Int?, at now: AuthTime
    ) async throws -> Bool {
        try await database.write(durability: .normal) { connection in
            try connection.execute(
                """
                UPDATE upload SET unverified_from = \(offset), touched_at = \(now.milliseconds)
                WHERE account = \(account) AND id = \(id.description)
                """)
            return connection.changes > 0
        }
    }

    /// Makes a recording of an upload, and asks for its evaluation.
    ///
    /// - Returns: Whether the upload was still there.
    @discardableResult
    func finish(_ recording: Recording, of account: String, at now: AuthTime) async throws -> Bool {
        let id = recording.id.description
        return try await database.write(durability: .full) { connection in
            try connection.execute("DELETE FROM upload WHERE account = \(account) AND id = \(id)")
            guard connection.changes == 1 else { return false }
            try connection.execute(
                """
                INSERT INTO recording (\(sql: RecordingRow.columns), account, received_at)
                VALUES (\(sql: RecordingRow.values(recording)), \(account), \(now.milliseconds))
                """)
            try connection.execute(
                """
                INSERT OR IGNORE INTO evaluation_job (account, recording, state, attempts)
                VALUES (\(account), \(id), 'waiting', 0)
                """)
            return true
        }
    }

    /// Removes an upload; whether it was there.
    func remove(_ id: Identifier<Recording>, of account: String) async throws -> Bool {
        try await database.write(durability: .full) { connection in
            try connection.execute("DELETE FROM upload WHERE account = \(account) AND id = \(id.description)")
            return connection.changes > 0
        }
    }

    /// Those that nothing has come to since a time.
    func untouched(since time: AuthTime) async throws -> [(account: String, id: Identifier<Recording>)] {
        try await database.read { connection in
            let rows = try connection.query("SELECT account, id FROM upload WHERE touched_at < \(time.milliseconds)") {
                (account: try $0["account", as: String.self], id: Identifier<Recording>(try $0["id", as: String.self]))
            }
            return rows.compactMap { row in row.id.map { (account: row.account, id: $0) } }
        }
    }

    private static func upload(
        _ id: Identifier<Recording>, of account: String, _ connection: Connection
    ) throws -> Upload? {
        try connection.first(
            """
            SELECT \(sql: RecordingRow.columns), touched_at, unverified_from FROM upload
            WHERE account = \(account) AND id = \(id.description)
            """
        ) { row in
            Upload(
                recording: try RecordingRow.recording(row), touchedAt: AuthTime(milliseconds: try row["touched_at"]),
                unverifiedFrom: try row["unverified_from"])
        }
    }
}

extension Recording {
    /// Whether the bytes are the same; the rest is what is said of them.
    func isSameSound(as other: Recording) -> Bool {
        byteCount == other.byteCount && contentHash == other.contentHash
    }
}
