// SPDX-License-Identifier: MIT

import Diagnostics
import FoundationEssentials

/// Compares a program's migrations with a file's and runs the missing ones.
struct Migrator {
    private struct Applied {
        let name: String
        let checksum: String
    }

    let migrations: [Migration]
    let now: Date
    let logger: Logger

    /// Runs the missing migrations, oldest first, and returns their names.
    func run(on connection: WritableConnection) throws -> [String] {
        try requireUniqueNames()
        // The common case is a file that is up to date: it is read once and never locked.
        if try connection.reading({ try missing(after: applied(on: $0), on: $0).isEmpty }) { return [] }
        var names: [String] = []
        while let name = try connection.writing(durability: .full, { try applyNext(on: $0) }) {
            logger.notice("applied the migration \(name, privacy: .public)")
            names.append(name)
        }
        return names
    }

    /// Writes the list of a recovered file anew if rows of it were lost: the first migrations, as many as made the
    /// tables, indexes and triggers that the file has.
    func restoreList(on connection: WritableConnection) throws {
        let (listed, objects) = try connection.reading { (try applied(on: $0), try Self.objects(on: $0)) }
        let known = Set(migrations.map(\.name))
        guard listed.allSatisfy({ known.contains($0.name) }) else { return }
        let model = try Connection.open(nil, role: .writer, configuration: .init(), logger: .disabled)
        var (count, made): (Int, Set<String>) = (0, [])
        for (index, migration) in migrations.enumerated() {
            try model.writing(durability: .normal, migration.apply)
            let all = try model.reading(Self.objects)
            if all != made, all.isSubset(of: objects) { (count, made) = (index + 1, all) }
        }
        guard count > listed.count else { return }
        try connection.writing(durability: .full) { connection in
            try Self.makeList(on: connection)
            try connection.execute("DELETE FROM schema_migration")
            for (position, migration) in migrations.prefix(count).enumerated() {
                try note(migration, at: position, on: connection)
            }
        }
        logger.notice("restored the list of \(count) migrations")
    }

    /// The definitions in a file, but for SQLite's own and the list of migrations.
    private static func objects(on connection: Connection) throws -> Set<String> {
        Set(
            try connection.query(
                """
                SELECT type || ' ' || name || ' ' || sql FROM sqlite_schema
                WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' AND name != 'schema_migration'
                """, as: String.self))
    }

    /// Runs the next migration inside a transaction. It is determined again here, under the lock: another process may
    /// have run it in the meantime.
    private func applyNext(on connection: WritableConnection) throws -> String? {
        try Self.makeList(on: connection)
        let applied = try applied(on: connection)
        guard let migration = try missing(after: applied, on: connection).first else { return nil }
        do {
            try migration.apply(connection)
        } catch let error as DatabaseError where Self.isOfTheMigration(error) {
            throw DatabaseError(
                code: .migrationFailed,
                message: "The migration “\(migration.name)” failed and was undone: \(error.message)",
                underlying: error.underlying)
        }
        try note(migration, at: applied.count, on: connection)
        return migration.name
    }

    private static func makeList(on connection: WritableConnection) throws {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS schema_migration (
                position INTEGER PRIMARY KEY,
                name TEXT NOT NULL UNIQUE,
                checksum TEXT NOT NULL,
                applied_at INTEGER NOT NULL
            ) STRICT
            """)
    }

    private func note(_ migration: Migration, at position: Int, on connection: WritableConnection) throws {
        try connection.execute(
            """
            INSERT INTO schema_migration (position, name, checksum, applied_at)
            VALUES (\(position), \(migration.name), \(migration.checksum), \(now))
            """)
    }

    /// The migrations that a file lacks.
    private func missing(after applied: [Applied], on connection: Connection) throws -> ArraySlice<Migration> {
        let known = Set(migrations.map(\.name))
        if let unknown = applied.first(where: { !known.contains($0.name) }) {
            throw DatabaseError(
                code: .newer,
                message: "\(connection.name) was made by a newer version of this program: it has the migration "
                    + "“\(unknown.name)”, which this version does not know. Update the program; nothing was changed.")
        }
        for (migration, applied) in zip(migrations, applied) {
            guard migration.name == applied.name else {
                throw DatabaseError(
                    code: .migrationChanged,
                    message: "\(connection.name) has had the migration “\(applied.name)” where the program has "
                        + "“\(migration.name)”. Add new migrations at the end; nothing was changed.")
            }
            guard migration.checksum == applied.checksum else {
                throw DatabaseError(
                    code: .migrationChanged,
                    message:
                        "The migration “\(migration.name)” is not the one that \(connection.name) has had. Restore it "
                        + "and make the change in a new migration; nothing was changed.")
            }
        }
        return migrations.dropFirst(applied.count)
    }

    private func applied(on connection: Connection) throws -> [Applied] {
        let exists = try connection.first(
            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migration'", as: Bool.self)
        guard exists == true else { return [] }
        return try connection.query("SELECT name, checksum FROM schema_migration ORDER BY position") { row in
            Applied(name: try row["name"], checksum: try row["checksum"])
        }
    }

    private func requireUniqueNames() throws {
        var names: Set<String> = []
        for migration in migrations where !names.insert(migration.name).inserted {
            throw DatabaseError(
                code: .migrationChanged, message: "Two migrations are called “\(migration.name)”; rename one.")
        }
    }

    /// True if an error shows that the migration is wrong, and not, for example, that the disk is full.
    private static func isOfTheMigration(_ error: DatabaseError) -> Bool {
        [.constraint, .typeMismatch, .missingColumn, .invalidValue, .invalidSQL, .tooLarge, .transactionEnded, .other]
            .contains(error.code)
    }
}
