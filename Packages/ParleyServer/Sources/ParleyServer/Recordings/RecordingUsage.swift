// SPDX-License-Identifier: MIT

import Persistence

/// The number and the bytes of each account's recordings, and of its uploads that are not finished.
///
/// A row an account, which every transaction changes that adds or removes such rows: no sum grows with what an account
/// has, and uploads of two accounts read nothing that the other writes.
enum RecordingUsage {
    /// Counts all accounts anew; for a copy that lacks some of the rows.
    static var recountAll: [SQL] {
        ["DELETE FROM recording_usage", "\(sql: insertion) \(sql: counted("GROUP BY account"))"]
    }

    private static let insertion: SQL = "INSERT INTO recording_usage (account, recordings, uploads, bytes)"

    /// - Returns: Zeros for an account without a row.
    nonisolated(nonsending) static func of(
        _ account: String, _ rows: any SQLReader
    ) async throws -> (count: Int, bytes: Int) {
        try await rows.first(
            "SELECT recordings + uploads AS count, bytes FROM recording_usage WHERE account = \(account)"
        ) { (try $0["count", as: Int.self], try $0["bytes", as: Int.self]) } ?? (0, 0)
    }

    /// Adds to an account's numbers, or takes from them.
    nonisolated(nonsending) static func add(
        recordings: Int = 0, uploads: Int = 0, bytes: Int, to account: String, _ writer: any SQLWriter
    ) async throws {
        try await writer.execute(
            """
            \(sql: insertion) VALUES (\(account), \(recordings), \(uploads), \(bytes))
            ON CONFLICT (account) DO UPDATE SET recordings = recording_usage.recordings + excluded.recordings,
                uploads = recording_usage.uploads + excluded.uploads, bytes = recording_usage.bytes + excluded.bytes
            """)
    }

    /// Counts an account's rows, and stores their number; an account without any keeps no row.
    nonisolated(nonsending) static func recount(_ account: String, _ writer: any SQLWriter) async throws {
        try await writer.execute("DELETE FROM recording_usage WHERE account = \(account)")
        try await writer.execute(
            "\(sql: insertion) \(sql: counted("WHERE account = \(account) GROUP BY account"))")
    }

    /// The numbers of all accounts together.
    nonisolated(nonsending) static func totals(
        _ rows: any SQLReader
    ) async throws -> (recordings: Int, uploads: Int, bytes: Int) {
        try await rows.first(
            """
            SELECT CAST(coalesce(sum(recordings), 0) AS BIGINT) AS recordings,
                CAST(coalesce(sum(uploads), 0) AS BIGINT) AS uploads,
                CAST(coalesce(sum(bytes), 0) AS BIGINT) AS bytes FROM recording_usage
            """
        ) {
            (
                try $0["recordings", as: Int.self], try $0["uploads", as: Int.self], try $0["bytes", as: Int.self]
            )
        } ?? (0, 0, 0)
    }

    private static func counted(_ end: SQL) -> SQL {
        """
        SELECT account, CAST(sum(recordings) AS BIGINT), CAST(sum(uploads) AS BIGINT), CAST(sum(byte_count) AS BIGINT)
        FROM (
            SELECT account, 1 AS recordings, 0 AS uploads, byte_count FROM recording
            UNION ALL SELECT account, 0 AS recordings, 1 AS uploads, byte_count FROM upload) AS sound
        \(sql: end)
        """
    }
}
