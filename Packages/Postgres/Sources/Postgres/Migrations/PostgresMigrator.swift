// SPDX-License-Identifier: MIT

import Diagnostics

/// Compares a program's migrations with a database's and runs the missing ones.
struct PostgresMigrator {
    private struct Applied {
        let name: String
        let checksum: String
    }

    let migrations: [PostgresMigration]

    /// The words that begin or end a transaction; one inside a migration would leave half of it.
    private static let refused: Set<String> = [
        "ABORT", "BEGIN", "COMMIT", "END", "PREPARE", "RELEASE", "ROLLBACK", "SAVEPOINT", "START",
    ]

    /// Runs the missing migrations, oldest first, and returns their names.
    func run(on database: PostgresDatabase) async throws -> [String] {
        for migration in migrations { try check(migration) }
        // The common case is a database that is up to date: it is read once and never locked.
        if try await missing(in: database).isEmpty { return [] }
        try await makeTable(in: database)
        var names: [String] = []
        while let name = try await database.write(
            isolation: .readCommitted, { connection in try await applyNext(on: connection) })
        {
            database.logger.notice("applied the migration \(name, privacy: .public)")
            names.append(name)
        }
        return names
    }

    /// The names of the migrations that a database lacks.
    func missing(in database: PostgresDatabase) async throws -> [String] {
        try requireUniqueNames()
        return try await database.read { connection in
            let exists = try await connection.first(
                "SELECT to_regclass('schema_migration') IS NOT NULL", as: Bool.self)
            return try missing(after: exists == true ? await applied(on: connection) : []).map(\.name)
        }
    }

    /// The table, an entry of the system's tables, or the type of its rows is there already.
    private static let ofAnotherMaker: Set<String?> = ["42P07", "23505", "42710"]

    /// Makes the table of migrations. Two programs that do so at once may both get an error of the system's tables.
    private func makeTable(in database: PostgresDatabase) async throws {
        for attempt in 1... {
            do {
                return try await database.write(isolation: .readCommitted) { connection in
                    try await connection.execute(
                        """
                        CREATE TABLE IF NOT EXISTS schema_migration (
                            position BIGINT PRIMARY KEY,
                            name TEXT NOT NULL UNIQUE,
                            checksum TEXT NOT NULL,
                            applied_at TIMESTAMPTZ NOT NULL DEFAULT now()
                        )
                        """)
                }
            } catch let error as PostgresError
                where attempt < 5 && Self.ofAnotherMaker.contains(error.sqlState)
            {}
        }
    }

    /// Runs the next migration inside a transaction. It is determined here, under the lock: another process may have run
    /// it in the meantime.
    private func applyNext(on connection: PostgresConnection) async throws -> String? {
        try await connection.execute("LOCK TABLE schema_migration IN SHARE ROW EXCLUSIVE MODE")
        let applied = try await applied(on: connection)
        guard let migration = try missing(after: applied).first else { return nil }
        do {
            for script in migration.scripts {
                try await connection.runOnce(
                    ScriptSplitter.statements(of: script).map { PostgresStatement(text: $0) })
            }
        } catch let error as PostgresError where error.isOfTheMigration {
            throw PostgresError(
                code: .migrationFailed,
                message: "The migration “\(migration.name)” failed and was undone: \(error.message)",
                sqlState: error.sqlState)
        }
        try await connection.execute(
            """
            INSERT INTO schema_migration (position, name, checksum)
            VALUES (\(applied.count), \(migration.name), \(migration.checksum))
            """)
        return migration.name
    }

    private func applied(on connection: PostgresConnection) async throws -> [Applied] {
        try await connection.query("SELECT name, checksum FROM schema_migration ORDER BY position") { row in
            Applied(name: try row["name"], checksum: try row["checksum"])
        }
    }

    /// The migrations that a database lacks.
    private func missing(after applied: [Applied]) throws(PostgresError) -> ArraySlice<PostgresMigration> {
        let known = Set(migrations.map(\.name))
        if let unknown = applied.first(where: { !known.contains($0.name) }) {
            throw PostgresError(
                code: .newer,
                message: "The database was made by a newer version of this program: it has the migration "
                    + "“\(unknown.name)”, which this version does not know. Update the program; nothing was changed.")
        }
        for (migration, applied) in zip(migrations, applied) {
            guard migration.name == applied.name else {
                throw PostgresError(
                    code: .migrationChanged,
                    message: "The database has had the migration “\(applied.name)” where the program has "
                        + "“\(migration.name)”. Add new migrations at the end; nothing was changed.")
            }
            guard migration.checksum == applied.checksum else {
                throw PostgresError(
                    code: .migrationChanged,
                    message:
                        "The migration “\(migration.name)” is not the one that the database has had. Restore it and "
                        + "make the change in a new migration; nothing was changed.")
            }
        }
        return migrations.dropFirst(applied.count)
    }

    private func requireUniqueNames() throws(PostgresError) {
        var names: Set<String> = []
        for migration in migrations where !names.insert(migration.name).inserted {
            throw PostgresError(
                code: .migrationChanged, message: "Two migrations are called “\(migration.name)”; rename one.")
        }
    }

    private func check(_ migration: PostgresMigration) throws(PostgresError) {
        for statement in migration.scripts.flatMap({ ScriptSplitter.statements(of: $0) }) {
            let word = ScriptSplitter.firstWord(of: statement)
            guard !Self.refused.contains(word) else {
                throw PostgresError(
                    code: .migrationFailed,
                    message:
                        "The migration “\(migration.name)” has a statement \(word). Leave it out: each migration is "
                        + "one transaction. Nothing was changed.")
            }
        }
    }
}

extension PostgresError {
    /// True if an error shows that a migration is wrong, and not, for example, that the disk is full.
    fileprivate var isOfTheMigration: Bool {
        !isConflict
            && [
                .constraint, .invalidSQL, .invalidValue, .tooLarge, .undefinedTable, .permission, .transactionEnded,
                .other,
            ].contains(code)
    }
}

extension PostgresDatabase {
    /// Brings the schema up to date: runs the migrations that the database lacks, each in a transaction of its own.
    ///
    /// Two processes may do so at once; each migration runs once. A database that is up to date is only read.
    ///
    /// - Parameter migrations: All migrations of the program, oldest first; new ones are added at the end.
    /// - Returns: The names of the migrations that ran now.
    /// - Throws: ``PostgresError`` with `newer`, `migrationChanged` or `migrationFailed`, besides the errors of `write`.
    ///   A failed migration leaves the database as it was before that migration.
    @discardableResult
    public func migrate(_ migrations: [PostgresMigration]) async throws -> [String] {
        try await PostgresMigrator(migrations: migrations).run(on: self)
    }

    /// The names of the migrations that ``migrate(_:)`` would run; changes nothing.
    public func pendingMigrations(_ migrations: [PostgresMigration]) async throws -> [String] {
        try await PostgresMigrator(migrations: migrations).missing(in: self)
    }
}
