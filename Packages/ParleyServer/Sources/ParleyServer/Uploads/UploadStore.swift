// SPDX-License-Identifier: MIT

import AuthServer
import Domain
import FoundationEssentials
import Persistence

/// An upload that is not finished.
struct Upload: Sendable, Hashable {
    /// The recording that it will become.
    let recording: Recording
    /// The time at which bytes last arrived.
    let touchedAt: AuthTime
    /// The offset from which the file holds an unchecked part; `nil` if all of it is checked.
    let unverifiedFrom: Int?

    func touched(at time: AuthTime) -> Upload {
        Upload(recording: recording, touchedAt: time, unverifiedFrom: unverifiedFrom)
    }
}

/// The outcome of a request to create an upload.
enum UploadAdmission: Sendable, Hashable {
    case new
    case begun(Upload)
    /// The recording exists.
    case finished(Recording)
    /// The id belongs to another sound.
    case taken
    case tooMany
    case overQuota(free: Int)
}

/// Uploads that are not finished, in SQLite.
struct UploadStore: Sendable {
    let database: Database
    let policy: UploadPolicy

    /// Creates an upload, unless it or its recording exists. The transaction that adds it also checks quota and
    /// existence.
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

    /// Stores the offset of unchecked bytes and the time of an arrival. It survives the end of the process; after a
    /// power failure the hash of the whole file finds a fault.
    ///
    /// - Returns: True if the upload still exists.
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

    /// Makes a recording of an upload, and queues its evaluation.
    ///
    /// - Returns: True if the upload still existed.
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

    /// Removes an upload.
    ///
    /// - Returns: True if it existed.
    func remove(_ id: Identifier<Recording>, of account: String) async throws -> Bool {
        try await database.write(durability: .full) { connection in
            try connection.execute("DELETE FROM upload WHERE account = \(account) AND id = \(id.description)")
            return connection.changes > 0
        }
    }

    /// The uploads without new bytes since a time.
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
    /// True if the bytes are the same; other metadata may differ.
    func isSameSound(as other: Recording) -> Bool {
        byteCount == other.byteCount && contentHash == other.contentHash
    }
}
