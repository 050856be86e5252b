// SPDX-License-Identifier: MIT

import AuthServer
import Domain
import FoundationEssentials
import Persistence

/// What was asked to be deleted and what was, in SQLite. A receipt says how much of what, and nothing of what it was.
struct DeletionStore: Sendable {
    let database: Database

    /// Writes down that an account's data is to be deleted, so that it will be, whatever happens to the process.
    func ask(_ id: String, of account: String, at now: AuthTime) async throws {
        try await database.write(durability: .full) { connection in
            try connection.execute(
                """
                INSERT INTO deletion (id, account, asked_at, counts)
                VALUES (\(id), \(account), \(now.milliseconds), '{}')
                """)
        }
    }

    /// Those that were asked for and not carried out.
    func open() async throws -> [(id: String, account: String)] {
        try await database.read { connection in
            try connection.query("SELECT id, account FROM deletion WHERE deleted_at IS NULL ORDER BY asked_at") { row in
                (id: try row.string(0), account: try row.string(1))
            }
        }
    }

    /// Removes the rows of an account's recordings and whatever hangs on them, and adds to the receipt how many of what.
    ///
    /// - Parameter results: How many results were removed elsewhere.
    func removeRows(_ id: String, of account: String, results: Int) async throws -> [String: Int] {
        try await database.write(durability: .full) { connection in
            var counts = try Self.counts(id, connection)
            func remove(_ sql: SQL, _ name: String) throws {
                try connection.execute(sql)
                counts[name, default: 0] += connection.changes
            }
            try remove("DELETE FROM recording WHERE account = \(account)", "recordings")
            try remove("DELETE FROM upload WHERE account = \(account)", "uploads")
            try remove("DELETE FROM evaluation_job WHERE account = \(account)", "evaluations")
            try connection.execute("DELETE FROM presence WHERE account = \(account)")
            counts["results", default: 0] += results
            let text = String(decoding: try JSONEncoder().encode(counts), as: UTF8.self)
            try connection.execute("UPDATE deletion SET counts = \(text) WHERE id = \(id)")
            return counts
        }
    }

    /// Writes down that all of it is gone.
    func close(_ id: String, at now: AuthTime) async throws {
        try await database.write(durability: .full) { connection in
            try connection.execute("UPDATE deletion SET deleted_at = \(now.milliseconds) WHERE id = \(id)")
        }
    }

    /// An account's receipts, the oldest first.
    func receipts(of account: String) async throws -> [DeletionReceipt] {
        try await database.read { connection in
            try connection.query(
                """
                SELECT id, deleted_at FROM deletion
                WHERE account = \(account) AND deleted_at IS NOT NULL ORDER BY deleted_at, id
                """
            ) { row in
                DeletionReceipt(
                    id: try row.string(0), place: .server, deletedAt: RecordingRow.date(try row.int64(1)),
                    counts: try Self.counts(try row.string(0), connection))
            }
        }
    }

    private static func counts(_ id: String, _ connection: Connection) throws -> [String: Int] {
        let text = try connection.first("SELECT counts FROM deletion WHERE id = \(id)") { try $0.string(0) }
        return try JSONDecoder().decode([String: Int].self, from: Data((text ?? "{}").utf8))
    }
}
