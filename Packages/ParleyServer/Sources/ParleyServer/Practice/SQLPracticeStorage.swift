// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import FoundationEssentials
import Persistence

/// The catalogue and the results in a shared database. A home's file has tables of its own, which it shares with the
/// devices' program.
struct SQLPracticeStorage: PracticeStorage {
    let database: any ServerDatabase

    var cues: any CueCatalogueStore { SQLCueCatalogue(database: database) }

    func results(of account: String, _ quota: PracticeQuota) -> any AccountResults {
        SQLAccountResults(database: database, account: account, quota: quota)
    }

    func extent(of account: String) async throws -> PracticeExtent {
        try await database.read { try await Self.extent(of: account, through: .max, $0) }
    }

    func extent(of account: String, practisedBefore time: Date) async throws -> PracticeExtent {
        try await database.read { rows in
            let later = try await rows.first(
                """
                SELECT min(change.number) AS number FROM practice_change AS change
                JOIN practice_result AS result ON result.account = change.account AND result.id = change.id
                WHERE change.account = \(account) AND result.practised_at > \(time)
                """, as: Int64?.self)
            return try await Self.extent(of: account, through: ((later ?? nil) ?? .max) - 1, rows)
        }
    }

    func deleteResults(of account: String, through lastChange: Int64) async throws {
        try await database.write { writer in
            let chosen: SQL = """
                FROM practice_result WHERE account = \(account) AND id IN (
                    SELECT id FROM practice_change WHERE account = \(account) AND number <= \(lastChange))
                """
            let gone = try await writer.first(
                "SELECT count(*) AS results, CAST(coalesce(sum(size), 0) AS BIGINT) AS bytes \(sql: chosen)"
            ) { row in (results: try row["results", as: Int.self], bytes: try row["bytes", as: Int.self]) }
            try await writer.execute("DELETE \(sql: chosen)")
            try await writer.execute(
                "DELETE FROM practice_change WHERE account = \(account) AND number <= \(lastChange)")
            try await writer.execute(
                """
                UPDATE practice_account SET results = results - \(gone?.results ?? 0),
                    bytes = bytes - \(gone?.bytes ?? 0)
                WHERE account = \(account)
                """)
        }
    }

    func erase(_ account: String) async throws {
        try await database.write { writer in
            for table: SQL in ["practice_result", "practice_change", "practice_account"] {
                try await writer.execute("DELETE FROM \(sql: table) WHERE account = \(account)")
            }
        }
    }

    /// Nothing to do: a change's number is never below its time.
    func beginChanges(at time: Date) async throws {}

    /// The database is closed by its owner.
    func close() async {}

    nonisolated(nonsending) private static func extent(
        of account: String, through limit: Int64, _ rows: any SQLReader
    ) async throws -> PracticeExtent {
        let last = try await rows.first(
            "SELECT last_change FROM practice_account WHERE account = \(account)", as: Int64.self)
        let number = min(limit, last ?? 0)
        let count = try await rows.first(
            """
            SELECT count(*) AS number FROM practice_change
            WHERE account = \(account) AND number <= \(number) AND is_deleted = 0
            """, as: Int.self)
        return PracticeExtent(lastChange: number, results: count ?? 0)
    }
}
