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
        try await database.read { try await RecordingUsage.of(account, $0) }
    }

    /// Removes a recording with its evaluation.
    ///
    /// - Returns: True if it existed.
    func remove(_ id: Identifier<Recording>, of account: String) async throws -> Bool {
        try await database.write(durability: .full) { writer in
            let bytes = try await Self.remove(id.description, of: account, writer)
            if let bytes { try await RecordingUsage.add(recordings: -1, bytes: -bytes, to: account, writer) }
            return bytes != nil
        }
    }

    /// Removes recordings that arrived before a time, with their evaluations; at most 500.
    func removeOldest(before time: AuthTime) async throws -> [(account: String, id: Identifier<Recording>)] {
        try await database.write(durability: .full) { writer in
            let rows = try await writer.query(
                "SELECT account, id FROM recording WHERE received_at < \(time.milliseconds) ORDER BY received_at LIMIT 500"
            ) { (account: try $0["account", as: String.self], name: try $0["id", as: String.self]) }
            var removed: [(account: String, id: Identifier<Recording>)] = []
            var usage: [String: (count: Int, bytes: Int)] = [:]
            for (account, name) in rows {
                guard let bytes = try await Self.remove(name, of: account, writer) else { continue }
                usage[account, default: (0, 0)].count += 1
                usage[account, default: (0, 0)].bytes += bytes
                if let id = Identifier<Recording>(name) { removed.append((account: account, id: id)) }
            }
            for (account, gone) in usage.sorted(by: { $0.key < $1.key }) {
                try await RecordingUsage.add(recordings: -gone.count, bytes: -gone.bytes, to: account, writer)
            }
            return removed
        }
    }

    /// The numbers and the bytes of the recordings and uploads of all accounts.
    func totals() async throws -> (recordings: Int, uploads: Int, bytes: Int) {
        try await database.read { try await RecordingUsage.totals($0) }
    }

    /// Removes a row with its evaluation; the caller counts it.
    ///
    /// - Returns: The bytes; nil if there is no such recording.
    nonisolated(nonsending) private static func remove(
        _ name: String, of account: String, _ writer: any SQLWriter
    ) async throws -> Int? {
        let bytes = try await writer.first(
            "DELETE FROM recording WHERE account = \(account) AND id = \(name) RETURNING byte_count", as: Int.self)
        try await writer.execute("DELETE FROM evaluation_job WHERE account = \(account) AND recording = \(name)")
        return bytes
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
}
