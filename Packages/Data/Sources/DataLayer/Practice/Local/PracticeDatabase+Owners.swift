// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Persistence

extension PracticeDatabase {
    /// Gives the results and recordings from before the sign-in to an account, and puts them into the account's queue.
    /// All or nothing. Only the person can ask for it: earlier practice does not belong to the account by itself.
    ///
    /// - Parameters:
    ///   - account: The account that is signed in.
    ///   - queue: The account's queue; `nil` if nothing is sent.
    /// - Returns: The numbers of adopted results and recordings. A row that the account already has is not adopted: the
    ///   account's stays, and the other one is deleted.
    public func adopt(by account: String, queue: OutboxSyncQueue?) async throws -> (results: Int, recordings: Int) {
        try await write { try Self.adopt(by: account, queue: queue, on: $0) }
    }

    /// Does the same in the caller's transaction.
    static func adopt(
        by account: String, queue: OutboxSyncQueue?, on connection: WritableConnection
    ) throws -> (results: Int, recordings: Int) {
        // A row that the account already has is left behind by the update.
        func adopt(_ table: SQL) throws {
            try connection.execute("UPDATE OR IGNORE \(sql: table) SET owner = \(account) WHERE owner = ''")
        }
        func deleteRest(_ table: SQL) throws {
            try connection.execute("DELETE FROM \(sql: table) WHERE owner = ''")
        }
        let adopted = try SyncedKind.all.flatMap { kind in
            let works = try kind.works(of: "", on: connection)
            try adopt(kind.table)
            let rest = Set(try kind.works(of: "", on: connection).map(\.work.id))
            try deleteRest(kind.table)
            return works.filter { !rest.contains($0.work.id) }
        }
        for table: SQL in ["evaluation", "practice_change"] {
            try adopt(table)
            try deleteRest(table)
        }
        if let queue {
            for (work, recording) in adopted { try queue.enqueue(work, after: recording, on: connection) }
        }
        func count(_ kind: SyncItem.Kind) -> Int { adopted.count { $0.work.kind == kind } }
        return (count(.result), count(.recording))
    }

    /// Notes that the server has no data of an account any more: the data here is held back, and offered again.
    public func withdrawSent(_ account: String) async throws {
        let queue = OutboxSyncQueue(self, account: account)
        try await write { connection in
            try connection.execute("UPDATE recording SET sent_at = NULL WHERE owner = \(account)")
            try connection.execute("DELETE FROM evaluation_awaited WHERE owner = \(account)")
            for kind in SyncedKind.all {
                try connection.execute(
                    """
                    DELETE FROM outbox_done WHERE idempotency_key IN (
                        SELECT \(kind.kind.rawValue + ":") || id FROM \(sql: kind.table) WHERE owner = \(account))
                    """)
                for (work, recording) in try kind.works(of: account, on: connection) {
                    try queue.hold(work, after: recording, on: connection)
                }
            }
        }
    }

    /// Deletes all rows of an owner, and on a device the waiting items. Cues stay: they have no owner. The caller
    /// deletes the sound of recordings.
    ///
    /// - Parameters:
    ///   - owner: The account; `nil` for no account.
    ///   - queue: The account's queue on this device.
    /// - Returns: The numbers of `results`, `recordings`, `evaluations` and `waiting` items.
    public func erase(owner: String?, queue: OutboxSyncQueue? = nil) async throws -> [String: Int] {
        let owner = owner ?? ""
        return try await write { connection in
            var counts: [String: Int] = [:]
            let tables = SyncedKind.all.map { ($0.plural, $0.table) } + [("evaluations", "evaluation")]
            for (name, table) in tables {
                try connection.execute("DELETE FROM \(sql: table) WHERE owner = \(owner)")
                counts[name] = connection.changes
            }
            for table: SQL in ["practice_change", "evaluation_awaited"] {
                try connection.execute("DELETE FROM \(sql: table) WHERE owner = \(owner)")
            }
            try connection.execute("DELETE FROM pulled WHERE account = \(owner)")
            try connection.execute("DELETE FROM runtime_config WHERE account = \(owner)")
            for table: SQL in ["upload_consent", "upload_held", "pull_skipped"] {
                try connection.execute("DELETE FROM \(sql: table) WHERE account = \(owner)")
            }
            if let queue { counts["waiting"] = try queue.removeAll(on: connection) }
            return counts
        }
    }
}
