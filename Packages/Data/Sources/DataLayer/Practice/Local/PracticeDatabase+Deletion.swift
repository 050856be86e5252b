// SPDX-License-Identifier: MIT

public import FoundationEssentials
import Persistence

/// How much of an owner's results there is at a moment.
public struct PracticeExtent: Hashable, Sendable {
    /// The number of the last change; what is stored later gets a higher one.
    public let lastChange: Int64
    /// How many results there are up to it.
    public let results: Int
}

extension PracticeDatabase {
    /// All results that an owner has now.
    public func extent(of owner: String) async throws -> PracticeExtent {
        try await read { connection in
            try Self.extent(of: owner, through: .max, connection)
        }
    }

    /// The results that were stored before the first one which was practised after a time.
    public func extent(of owner: String, practisedBefore time: Date) async throws -> PracticeExtent {
        try await read { connection in
            let later = try connection.first(
                """
                SELECT min(change.number) FROM practice_change AS change
                JOIN practice_result AS result ON result.owner = change.owner AND result.id = change.id
                WHERE change.owner = \(owner) AND result.practised_at > \(time)
                """, as: Int64?.self)
            return try Self.extent(of: owner, through: ((later ?? nil) ?? .max) - 1, connection)
        }
    }

    /// Removes an owner's results, in one transaction; what was stored after `lastChange` stays.
    ///
    /// - Returns: How many there were.
    @discardableResult
    public func deleteResults(of owner: String, through lastChange: Int64) async throws -> Int {
        try await write { connection in
            try connection.execute(
                """
                DELETE FROM practice_result WHERE owner = \(owner) AND id IN (
                    SELECT id FROM practice_change WHERE owner = \(owner) AND number <= \(lastChange))
                """)
            let count = connection.changes
            try connection.execute(
                "DELETE FROM practice_change WHERE owner = \(owner) AND number <= \(lastChange)")
            return count
        }
    }

    /// Lets the numbers of changes go on at a time, in microseconds since 1970, if they are behind it.
    ///
    /// Called at each start of a server: after a backup was put back, new changes get numbers that are higher than all which
    /// were given out before, so that no device's cursor passes over them.
    public func beginChanges(at time: Date) async throws {
        let number = Int64(time.timeIntervalSince1970 * 1_000_000)
        try await write { connection in
            let last = try connection.first(
                "SELECT seq FROM sqlite_sequence WHERE name = 'practice_change'", as: Int64.self)
            guard number > last ?? 0 else { return }
            // A row that is gone again leaves its number behind (AUTOINCREMENT).
            try connection.execute(
                "INSERT INTO practice_change (number, owner, id, is_deleted) VALUES (\(number), '', '', 0)")
            try connection.execute("DELETE FROM practice_change WHERE number = \(number)")
        }
    }

    private static func extent(of owner: String, through limit: Int64, _ connection: Connection) throws
        -> PracticeExtent
    {
        let last = try connection.first("SELECT max(number) FROM practice_change", as: Int64?.self)
        let number = min(limit, (last ?? nil) ?? 0)
        let count = try connection.first(
            """
            SELECT count(*) FROM practice_change
            WHERE owner = \(owner) AND number <= \(number) AND NOT is_deleted
            """, as: Int.self)
        return PracticeExtent(lastChange: number, results: count ?? 0)
    }
}
