// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Persistence

extension PracticeDatabase {
    /// Gives what was practised while nobody was signed in to an account, and puts it into the account's queue. All or
    /// nothing. Only the person asks for it: what they practised before signing in is not the account's by itself.
    ///
    /// - Parameters:
    ///   - account: Who signs in.
    ///   - queue: The account's queue; `nil` when nothing is sent.
    /// - Returns: How many results and recordings there were.
    public func adopt(by account: String, queue: OutboxSyncQueue?) async throws -> (results: Int, recordings: Int) {
        try await write { try Self.adopt(by: account, queue: queue, on: $0) }
    }

    /// The same in a transaction of the caller's.
    static func adopt(
        by account: String, queue: OutboxSyncQueue?, on connection: WritableConnection
    ) throws -> (results: Int, recordings: Int) {
        let works = try SyncedKind.all.map { try $0.works(of: "", on: connection) }
        for table in SyncedKind.all.map(\.table) + ["evaluation", "practice_change"] {
            // A row that the account has already stays the account's; the other one goes.
            try connection.execute("UPDATE OR IGNORE \(sql: table) SET owner = \(account) WHERE owner = ''")
            try connection.execute("DELETE FROM \(sql: table) WHERE owner = ''")
        }
        if let queue {
            for (work, recording) in works.joined() { try queue.enqueue(work, after: recording, on: connection) }
        }
        func count(_ kind: SyncItem.Kind) -> Int { works.joined().count { $0.work.kind == kind } }
        return (count(.result), count(.recording))
    }

    /// Notes that the server has nothing of an account any more: what is here is held back, and offered again.
    public func forgetSent(_ account: String) async throws {
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

    /// Deletes all rows of an owner, and on a device what waits to be sent. Cues stay: they are nobody's. The sound of
    /// recordings is with whoever keeps it.
    ///
    /// - Parameters:
    ///   - owner: The account; `nil` for nobody.
    ///   - queue: The account's queue on this device.
    /// - Returns: How many `results`, `recordings` and `evaluations` there were, and how many items `waiting`.
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
