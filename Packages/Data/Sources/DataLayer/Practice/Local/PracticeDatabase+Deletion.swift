// SPDX-License-Identifier: MIT

public import FoundationEssentials
import Persistence

/// The extent of an owner's results at a moment.
public struct PracticeExtent: Hashable, Sendable {
    /// The number of the last change; later changes get higher ones.
    public let lastChange: Int64
    /// The number of results up to that change.
    public let results: Int

    /// An extent as a store has counted it.
    public init(lastChange: Int64, results: Int) {
        (self.lastChange, self.results) = (lastChange, results)
    }
}

extension PracticeDatabase {
    /// The extent of all results that an owner has now.
    public func extent(of owner: String) async throws -> PracticeExtent {
        try await read { connection in
            try Self.extent(of: owner, through: .max, connection)
        }
    }

    /// The extent of the results that were stored before the first result that was practised after a time.
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

    /// Deletes an owner's results, in one transaction; results stored after `lastChange` stay.
    ///
    /// - Returns: The number of deleted results.
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

    /// Moves the numbers of changes up to a time, in microseconds since 1970, if they are below it.
    ///
    /// Called at each start of a server: after a backup was restored, new changes get higher numbers than all earlier
    /// ones, so that no device's cursor skips them.
    public func beginChanges(at time: Date) async throws {
        let number = Int64(time.timeIntervalSince1970 * 1_000_000)
        try await write { connection in
            let last = try connection.first(
                "SELECT seq FROM sqlite_sequence WHERE name = 'practice_change'", as: Int64.self)
            guard number > last ?? 0 else { return }
            // A deleted row leaves its number behind (AUTOINCREMENT).
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
