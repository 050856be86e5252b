// SPDX-License-Identifier: MIT

public import DataLayer
import FoundationEssentials
public import Persistence

extension ConversationSync {
    /// The number of the newest noted change, now and after each commit of this program or another one that touches the
    /// notes. It falls to 0 when sync is left.
    public func newestChanges() -> DatabaseObservation<Int64> {
        database.observe { connection in
            guard try SyncMarks.isEnabled(on: connection) else { return 0 }
            return try connection.first("SELECT coalesce(max(number), 0) FROM sync_mark", as: Int64.self) ?? 0
        }
    }

    /// The changes that sync has not taken over yet.
    public func pending() async throws -> PendingChanges { try await Self.pending(in: database) }

    /// The same without the device.
    public static func pending(in repository: SQLiteConversationRepository) async throws -> PendingChanges {
        try await pending(in: repository.database)
    }

    private static func pending(in database: Database) async throws -> PendingChanges {
        try await domainErrors {
            try await database.read { connection in
                var pending = PendingChanges()
                guard try SyncMarks.isEnabled(on: connection) else { return pending }
                pending.count = try connection.first("SELECT count(*) FROM sync_mark", as: Int.self) ?? 0
                let oldest = try connection.first("SELECT min(noted_at) FROM sync_mark", as: Int64?.self)
                pending.oldest = (oldest ?? nil).map { Date(timeIntervalSince1970: TimeInterval($0)) }
                return pending
            }
        }
    }
}
