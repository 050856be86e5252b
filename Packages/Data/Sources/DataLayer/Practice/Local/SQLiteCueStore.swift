// SPDX-License-Identifier: MIT

public import Domain
public import FoundationEssentials
import Persistence
import PracticeWire

/// Cues in an SQLite database: a device's copy of the catalogue, or a server's catalogue itself.
public struct SQLiteCueStore: CueStore {
    /// The most refreshed pages that are noted; the oldest is deleted, and counts as never refreshed.
    private static let refreshLimit = 1_000

    private let database: PracticeDatabase

    /// Makes a store in a database.
    public init(_ database: PracticeDatabase) { self.database = database }

    /// Adds cues, or replaces those with the same ids; all or none.
    public func add(_ cues: [Cue]) async throws {
        try await database.write { connection in
            let table = CueTable(connection: connection)
            for cue in cues { try table.store(cue) }
        }
    }

    /// Deletes cues; a missing one is no error.
    public func remove(_ ids: [Identifier<Cue>]) async throws {
        try await database.write { connection in
            let table = CueTable(connection: connection)
            for id in ids { try table.remove(id) }
        }
    }

    /// The number of cues.
    public func count() async throws -> Int {
        try await database.read { try $0.first("SELECT count(*) FROM cue", as: Int.self) ?? 0 }
    }

    /// See `CueRepository`.
    public func page(_ query: CueQuery, after cursor: CueCursor?) async throws -> CuePage {
        let listed = try await database.read { try CueTable(connection: $0).list(query, after: cursor) }
        let cues = Array(listed.prefix(query.limit))
        let next = listed.count > cues.count ? cues.last.map { CueCursor(after: $0, in: query.order) } : nil
        return CuePage(cues: cues, next: next)
    }

    /// See `CueRepository`.
    public func cue(_ id: Identifier<Cue>) async throws -> Cue? {
        try await database.read { try CueTable(connection: $0).cue(id) }
    }

    /// See `CueStore`.
    public func takeOver(
        _ page: CuePage, of query: CueQuery, after cursor: CueCursor?, at time: Date
    ) async throws {
        let kept = Set(page.cues.map(\.id))
        // The page can be fetched again: no need to wait for the disk.
        try await database.write(durability: .normal) { connection in
            let table = CueTable(connection: connection)
            if page.skipped.isEmpty {
                for (number, id) in try table.stretch(query, after: cursor, upTo: page.next) where !kept.contains(id) {
                    try table.remove(number: number)
                }
            }
            for cue in page.cues { try table.store(cue) }
            try connection.execute(
                """
                INSERT INTO cue_refresh (stretch, refreshed_at) VALUES (\(Self.stretch(query, cursor)), \(time))
                ON CONFLICT (stretch) DO UPDATE SET refreshed_at = excluded.refreshed_at
                """)
            try connection.execute(
                """
                DELETE FROM cue_refresh WHERE stretch IN (
                    SELECT stretch FROM cue_refresh ORDER BY refreshed_at DESC LIMIT -1 OFFSET \(Self.refreshLimit))
                """)
        }
    }

    /// See `CueStore`.
    public func refreshedAt(_ query: CueQuery, after cursor: CueCursor?) async throws -> Date? {
        try await database.read { connection in
            try connection.first(
                "SELECT refreshed_at FROM cue_refresh WHERE stretch = \(Self.stretch(query, cursor))", as: Date.self)
        }
    }

    /// A text that differs for each query and cursor; lengths keep one value from running into the next.
    private static func stretch(_ query: CueQuery, _ cursor: CueCursor?) -> String {
        QueryParameters(query, after: cursor).items
            .map { "\($0.name)=\($0.value.utf8.count):\($0.value)" }.joined(separator: "&")
    }
}
