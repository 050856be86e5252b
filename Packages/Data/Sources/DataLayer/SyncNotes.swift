// SPDX-License-Identifier: MIT

package import Persistence

/// The tables in which triggers note what changed for sync. `DataSync` has the triggers.
package enum SyncNotes {
    /// Makes the tables that are missing.
    package static func makeTables(on connection: WritableConnection) throws {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS sync_mark (
                number INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, id TEXT NOT NULL,
                container TEXT NOT NULL, field INTEGER NOT NULL, is_deletion INTEGER NOT NULL,
                noted_at INTEGER NOT NULL DEFAULT (unixepoch()),
                UNIQUE (kind, id, field, is_deletion)
            ) STRICT
            """)
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS sync_state (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID"
        )
    }

    /// Calls `body`, which completes a salvaged file, and keeps no notes of what it does. Sync takes over everything
    /// anew then: lost rows come back from the other devices. Notes of what a person changed stay.
    static func afterSalvage(on connection: WritableConnection, _ body: () throws -> Void) throws {
        let traces = try connection.first(
            """
            SELECT count(*) FROM sqlite_schema
            WHERE name IN ('sync_mark', 'sync_state') OR type = 'trigger' AND sql LIKE '%sync_mark%'
            """, as: Int.self)
        guard traces ?? 0 > 0 else { return try body() }
        // Triggers without their tables would refuse every change.
        try makeTables(on: connection)
        let newest = try connection.first("SELECT coalesce(max(number), 0) FROM sync_mark", as: Int64.self) ?? 0
        try body()
        try connection.execute("DELETE FROM sync_mark WHERE number > \(newest)")
        // Without its version, sync makes everything anew when it is opened.
        try connection.execute("DELETE FROM sync_state")
    }
}
