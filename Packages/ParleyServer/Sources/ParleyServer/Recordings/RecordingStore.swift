// SPDX-License-Identifier: MIT

import AuthServer
import Domain
import FoundationEssentials
import Persistence

/// The rows of recordings, in SQLite; the sound is in ``SoundFolder``. Each write is on the disk before it returns.
struct RecordingStore: Sendable {
    let database: Database

    func recording(_ id: Identifier<Recording>, of account: String) async throws -> Recording? {
        try await database.read { try Self.recording(id, of: account, $0) }
    }

    /// Recordings, the newest first; of the same millisecond, the greatest id first.
    func page(of account: String, after cursor: RecordingCursor?, limit: Int) async throws -> [Recording] {
        let (time, name) = cursor.map { ($0.time, $0.id.description) } ?? (.max, "~")
        return try await database.read { connection in
            try connection.query(
                """
                SELECT \(sql: RecordingRow.columns) FROM recording
                WHERE account = \(account) AND (created_at, id) < (\(time), \(name))
                ORDER BY created_at DESC, id DESC LIMIT \(limit)
                """, RecordingRow.recording)
        }
    }

    /// The number of an account's recordings, and the bytes of all of them, uploads included.
    func usage(of account: String) async throws -> (count: Int, bytes: Int) {
        try await database.read { try Self.usage(of: account, $0) }
    }

    /// Removes a recording with its evaluation.
    ///
    /// - Returns: True if it existed.
    func remove(_ id: Identifier<Recording>, of account: String) async throws -> Bool {
        try await database.write(durability: .full) { connection in
            try connection.execute("DELETE FROM recording WHERE account = \(account) AND id = \(id.description)")
            let wasThere = connection.changes > 0
            try connection.execute(
                "DELETE FROM evaluation_job WHERE account = \(account) AND recording = \(id.description)")
            return wasThere
        }
    }

    /// Removes recordings that arrived before a time, with their evaluations; at most 500.
    func removeOldest(before time: AuthTime) async throws -> [(account: String, id: Identifier<Recording>)] {
        try await database.write(durability: .full) { connection in
            let rows = try connection.query(
                "SELECT account, id FROM recording WHERE received_at < \(time.milliseconds) ORDER BY received_at LIMIT 500"
            ) { (account: try $0["account", as: String.self], name: try $0["id", as: String.self]) }
            var removed: [(account: String, id: Identifier<Recording>)] = []
            for (account, name) in rows {
                try connection.execute("DELETE FROM recording WHERE account = \(account) AND id = \(name)")
                try connection.execute("DELETE FROM evaluation_job WHERE account = \(account) AND recording = \(name)")
                if let id = Identifier<Recording>(name) { removed.append((account: account, id: id)) }
            }
            return removed
        }
    }

    /// Removes a file, unless a row has its id: in a write transaction, so that no upload can begin between the check
    /// and the removal.
    ///
    /// - Returns: True if it was removed.
    func removeFile(_ name: String, of account: String, in folder: SoundFolder) async throws -> Bool {
        try await database.write(durability: .normal) { connection in
            let isKnown = try connection.first(
                """
                SELECT 1 FROM recording WHERE account = \(account) AND id = \(name)
                UNION ALL SELECT 1 FROM upload WHERE account = \(account) AND id = \(name)
                """
            ) { _ in true }
            guard isKnown == nil else { return false }
            try folder.remove(name, of: account)
            return true
        }
    }

    /// Removes an account's folder if it is empty and no row needs it.
    func removeEmptyFolder(of account: String, in folder: SoundFolder) async throws {
        try await database.write(durability: .normal) { connection in
            guard try Self.usage(of: account, connection).count == 0 else { return }
            folder.removeFolder(of: account)
        }
    }

    /// Every file with a row, as account and name.
    func knownFiles() async throws -> Set<String> {
        try await database.read { connection in
            Set(
                try connection.query(
                    "SELECT account || '/' || id FROM recording UNION SELECT account || '/' || id FROM upload",
                    as: String.self))
        }
    }

    /// The bytes of all recordings and uploads of all accounts.
    func totalBytes() async throws -> Int {
        try await database.read { connection in
            try connection.first(
                """
                SELECT (SELECT coalesce(sum(byte_count), 0) FROM recording)
                    + (SELECT coalesce(sum(byte_count), 0) FROM upload)
                """, as: Int.self) ?? 0
        }
    }

    static func recording(
        _ id: Identifier<Recording>, of account: String, _ connection: Connection
    ) throws -> Recording? {
        try connection.first(
            """
            SELECT \(sql: RecordingRow.columns) FROM recording
            WHERE account = \(account) AND id = \(id.description)
            """, RecordingRow.recording)
    }

    static func usage(of account: String, _ connection: Connection) throws -> (count: Int, bytes: Int) {
        try connection.first(
            """
            SELECT count(*) AS count, coalesce(sum(byte_count), 0) AS bytes FROM (
                SELECT byte_count FROM recording WHERE account = \(account)
                UNION ALL SELECT byte_count FROM upload WHERE account = \(account))
            """
        ) { (try $0["count", as: Int.self], try $0["bytes", as: Int.self]) } ?? (0, 0)
    }
}
