// SPDX-License-Identifier: MIT

import AuthServer
import Domain
import FoundationEssentials
import Persistence

/// The rows of recordings; the sound is in ``SoundStore``. Each write is on the disk before it returns.
struct RecordingStore: Sendable {
    let database: any ServerDatabase

    func recording(_ id: Identifier<Recording>, of account: String) async throws -> Recording? {
        try await database.read { try await Self.recording(id, of: account, $0) }
    }

    /// Recordings, the newest first; of the same millisecond, the greatest id first.
    func page(of account: String, after cursor: RecordingCursor?, limit: Int) async throws -> [Recording] {
        let (time, name) = cursor.map { ($0.time, $0.id.description) } ?? (.max, "~")
        return try await database.read { rows in
            try await rows.query(
                """
                SELECT \(sql: RecordingRow.columns) FROM recording
                WHERE account = \(account) AND (created_at, id) < (\(time), \(name))
                ORDER BY created_at DESC, id DESC LIMIT \(limit)
                """, RecordingRow.recording)
        }
    }

    /// The number of an account's recordings, and the bytes of all of them, uploads included.
    func usage(of account: String) async throws -> (count: Int, bytes: Int) {
        try await database.read { try await Self.usage(of: account, $0) }
    }

    /// Removes a recording with its evaluation.
    ///
    /// - Returns: True if it existed.
    func remove(_ id: Identifier<Recording>, of account: String) async throws -> Bool {
        try await database.write(durability: .full) { writer in
            let count = try await writer.execute(
                "DELETE FROM recording WHERE account = \(account) AND id = \(id.description)")
            try await writer.execute(
                "DELETE FROM evaluation_job WHERE account = \(account) AND recording = \(id.description)")
            return count > 0
        }
    }

    /// Removes recordings that arrived before a time, with their evaluations; at most 500.
    func removeOldest(before time: AuthTime) async throws -> [(account: String, id: Identifier<Recording>)] {
        try await database.write(durability: .full) { writer in
            let rows = try await writer.query(
                "SELECT account, id FROM recording WHERE received_at < \(time.milliseconds) ORDER BY received_at LIMIT 500"
            ) { (account: try $0["account", as: String.self], name: try $0["id", as: String.self]) }
            var removed: [(account: String, id: Identifier<Recording>)] = []
            for (account, name) in rows {
                try await writer.execute("DELETE FROM recording WHERE account = \(account) AND id = \(name)")
                try await writer.execute(
                    "DELETE FROM evaluation_job WHERE account = \(account) AND recording = \(name)")
                if let id = Identifier<Recording>(name) { removed.append((account: account, id: id)) }
            }
            return removed
        }
    }

    /// The bytes of all recordings and uploads of all accounts.
    func totalBytes() async throws -> Int {
        try await database.read { rows in
            try await rows.first(
                """
                SELECT CAST((SELECT coalesce(sum(byte_count), 0) FROM recording)
                    + (SELECT coalesce(sum(byte_count), 0) FROM upload) AS BIGINT)
                """, as: Int.self) ?? 0
        }
    }

    nonisolated(nonsending) static func recording(
        _ id: Identifier<Recording>, of account: String, _ rows: any SQLReader
    ) async throws -> Recording? {
        try await rows.first(
            """
            SELECT \(sql: RecordingRow.columns) FROM recording
            WHERE account = \(account) AND id = \(id.description)
            """, RecordingRow.recording)
    }

    nonisolated(nonsending) static func usage(
        of account: String, _ rows: any SQLReader
    ) async throws -> (count: Int, bytes: Int) {
        try await rows.first(
            """
            SELECT count(*) AS count, CAST(coalesce(sum(byte_count), 0) AS BIGINT) AS bytes FROM (
                SELECT byte_count FROM recording WHERE account = \(account)
                UNION ALL SELECT byte_count FROM upload WHERE account = \(account)) AS sound
            """
        ) { (try $0["count", as: Int.self], try $0["bytes", as: Int.self]) } ?? (0, 0)
    }
}
