// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Persistence

extension PracticeDatabase {
    /// Gives what was practised while nobody was signed in to an account, and puts it into the account's queue. All or
    /// nothing; the first account that signs in gets it.
    ///
    /// - Parameters:
    ///   - account: Who signs in.
    ///   - queue: The account's queue; `nil` when nothing is sent.
    /// - Returns: How many results and recordings there were.
    public func adopt(by account: String, queue: OutboxSyncQueue?) async throws -> (results: Int, recordings: Int) {
        try await write { connection in
            let recordings = try connection.query("SELECT id FROM recording WHERE owner = '' ORDER BY number") { row in
                try row.string(0)
            }
            let results = try connection.query(
                "SELECT id, recording FROM practice_result WHERE owner = '' ORDER BY number"
            ) { row in (id: try row.string(0), recording: try row.optionalString(1)) }
            for table: SQL in ["recording", "practice_result", "evaluation", "practice_change"] {
                // A row that the account has already stays the account's; the other one goes.
                try connection.execute("UPDATE OR IGNORE \(sql: table) SET owner = \(account) WHERE owner = ''")
                try connection.execute("DELETE FROM \(sql: table) WHERE owner = ''")
            }
            if let queue {
                for id in recordings.compactMap(Identifier<Recording>.init) {
                    try queue.enqueue(.uploadRecording(id), on: connection)
                }
                for (id, recording) in results {
                    guard let id = Identifier<PracticeResult>(id) else { continue }
                    try queue.enqueue(
                        .sendResult(id), after: recording.flatMap(Identifier<Recording>.init), on: connection)
                }
            }
            return (results.count, recordings.count)
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
            let tables: [(String, SQL)] = [
                ("results", "practice_result"), ("recordings", "recording"), ("evaluations", "evaluation"),
            ]
            for (name, table) in tables {
                try connection.execute("DELETE FROM \(sql: table) WHERE owner = \(owner)")
                counts[name] = connection.changes
            }
            for table: SQL in ["practice_change", "evaluation_awaited"] {
                try connection.execute("DELETE FROM \(sql: table) WHERE owner = \(owner)")
            }
            try connection.execute("DELETE FROM pulled WHERE account = \(owner)")
            try connection.execute("DELETE FROM runtime_config WHERE account = \(owner)")
            if let queue { counts["waiting"] = try queue.outbox.removeAll(lane: queue.account, on: connection) }
            return counts
        }
    }
}
