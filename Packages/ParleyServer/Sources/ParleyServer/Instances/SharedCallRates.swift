// SPDX-License-Identifier: MIT

import AuthServer
import Persistence

/// The counts of accounts' calls on a shared database: `RateBucket`'s algorithm in a row, one statement a time.
struct SharedCallRates: Sendable {
    let database: any ServerDatabase
    /// Separates counts of different calls.
    let kind: String
    let perMinute: Int

    /// Times are in microseconds, since a thousand calls a second are less than a millisecond apart.
    private static let window: Int64 = 60_000_000

    /// Counts calls, all or none.
    ///
    /// - Parameter calls: At most the limit of a minute.
    /// - Returns: Nil if they are within the limit; else the milliseconds to wait for them.
    func take(_ calls: Int, of account: String) async throws -> Int64? {
        let cost = Self.window * Int64(calls) / Int64(max(1, perMinute))
        return try await database.write(durability: .normal) { writer in
            let now: SQL = "\(sql: writer.now) * 1000"
            // A later time is of a database whose clock was ahead, and counts as empty.
            let latest: SQL = "\(sql: now) + \(2 * Self.window)"
            let counted = try await writer.execute(
                """
                INSERT INTO call_rate (account, kind, empty_at) VALUES (\(account), \(kind), \(sql: now) + \(cost))
                ON CONFLICT (account, kind) DO UPDATE SET empty_at = \(cost) + CASE
                    WHEN call_rate.empty_at BETWEEN \(sql: now) AND \(sql: latest) THEN call_rate.empty_at
                    ELSE \(sql: now) END
                WHERE call_rate.empty_at + \(cost) <= \(sql: now) + \(Self.window)
                    OR call_rate.empty_at > \(sql: latest)
                """)
            if counted == 1 { return nil }
            let wait = try await writer.first(
                """
                SELECT empty_at + \(cost) - \(Self.window) - \(sql: now) AS wait FROM call_rate
                WHERE account = \(account) AND kind = \(kind)
                """, as: Int64.self)
            return max(wait ?? 0, 0) / 1_000
        }
    }

    /// Deletes the counts that no longer limit anything.
    static func deleteExpired(_ database: any ServerDatabase) async throws {
        guard database.isShared else { return }
        try await database.write { writer in
            try await writer.execute("DELETE FROM call_rate WHERE empty_at < \(sql: writer.now) * 1000")
        }
    }
}
