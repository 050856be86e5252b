// SPDX-License-Identifier: MIT

import Diagnostics
import Postgres

/// Brings the tables of a server's PostgreSQL database up to date, before the first instance of a new version starts.
public enum ServerMigration {
    /// Runs the missing migrations.
    ///
    /// - Parameter isDryRun: True to change nothing.
    /// - Returns: The names of the migrations that ran, or that would run.
    /// - Throws: `DatabaseError`, with `newer` for the tables of a newer version.
    public static func run(database url: String, isDryRun: Bool) async throws -> [String] {
        try await PostgresServerDatabase.translatingErrors {
            let database = try PostgresDatabase(PostgresConfiguration(url: url), logger: .disabled)
            do {
                let names =
                    isDryRun
                    ? try await database.pendingMigrations(PostgresSchema.migrations)
                    : try await database.migrate(PostgresSchema.migrations)
                await database.close()
                return names
            } catch {
                await database.close()
                throw error
            }
        }
    }
}
