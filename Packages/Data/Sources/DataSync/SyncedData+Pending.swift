// SPDX-License-Identifier: MIT

import DataLayer
import FoundationEssentials
public import Persistence

extension SyncedData {
    /// For each database, the number of its newest noted change, now and after each commit of this program or another one
    /// that touches the notes. It falls to 0 when sync is left.
    public func newestChanges() -> [DatabaseObservation<Int64>] {
        sources.map { source in
            source.database.observe { connection in
                guard try SyncMarks.isEnabled(on: connection) else { return 0 }
                return try connection.first("SELECT coalesce(max(number), 0) FROM sync_mark", as: Int64.self) ?? 0
            }
        }
    }

    /// The changes that sync has not taken over yet.
    public func pending() async throws -> PendingChanges {
        try await domainErrors {
            var all = PendingChanges()
            for source in sources {
                let pending = try await source.database.read { try Self.pending(on: $0) }
                all.count += pending.count
                all.oldest = [all.oldest, pending.oldest].compactMap(\.self).min()
            }
            return all
        }
    }

    private static func pending(on connection: Connection) throws -> PendingChanges {
        var pending = PendingChanges()
        guard try SyncMarks.isEnabled(on: connection) else { return pending }
        pending.count = try connection.first("SELECT count(*) FROM sync_mark", as: Int.self) ?? 0
        let oldest = try connection.first("SELECT min(noted_at) FROM sync_mark", as: Int64?.self)
        pending.oldest = (oldest ?? nil).map { Date(timeIntervalSince1970: TimeInterval($0)) }
        return pending
    }
}
