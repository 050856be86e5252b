// SPDX-License-Identifier: MIT

import Concurrency
import TestKit
import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(5))) struct MigrationTests {
    private static let first = PostgresMigration(
        name: "1 accounts",
        sql: """
            -- Accounts; with a comment; and quotes '
            CREATE TABLE account (id bigint PRIMARY KEY, name text DEFAULT 'a;''b');
            CREATE FUNCTION one() RETURNS int LANGUAGE plpgsql AS $body$ BEGIN RETURN 1; END; $body$;
            /* ; /* nested; */ */
            """)
    private static let second = PostgresMigration(
        name: "2 devices", sql: "CREATE TABLE device (id bigint)", "CREATE INDEX device_id ON device (id)")

    @Test func `missing migrations run once and in order`() async throws {
        try await withDatabase { database in
            #expect(try await database.pendingMigrations([Self.first, Self.second]) == ["1 accounts", "2 devices"])
            #expect(try await database.migrate([Self.first]) == ["1 accounts"])
            #expect(try await database.pendingMigrations([Self.first, Self.second]) == ["2 devices"])
            #expect(try await database.migrate([Self.first, Self.second]) == ["2 devices"])
            #expect(try await database.migrate([Self.first, Self.second]) == [])
            try await database.write { try await $0.execute("INSERT INTO account (id) VALUES (1)") }
            let (name, one) = try await database.read { connection in
                (
                    try await connection.first("SELECT name FROM account", as: String.self),
                    try await connection.first("SELECT one()", as: Int.self)
                )
            }
            #expect(name == "a;'b" && one == 1)
        }
    }

    @Test func `programs that migrate at once share the work`() async throws {
        try await withDatabase({ $0.maximumConnections = 6 }) { database in
            let ran = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<6 { group.addTask { try await database.migrate([Self.first, Self.second]) } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(ran.sorted() == ["1 accounts", "2 devices"])
        }
    }

    @Test func `a failed migration leaves nothing of itself`() async throws {
        let broken = PostgresMigration(name: "3 broken", sql: "CREATE TABLE half (x int); CREATE TABLE account (x int)")
        try await withDatabase { database in
            let error = await expect(.migrationFailed) {
                try await database.migrate([Self.first, Self.second, broken])
            }
            #expect(error?.message.contains("3 broken") == true && error?.sqlState == "42P07")
            await expect(.undefinedTable) { try await database.read { try await $0.rows("SELECT 1 FROM half") } }
            let rest = try await database.migrate([Self.first, Self.second])
            #expect(rest == [])
        }
    }

    @Test(arguments: ["COMMIT", "/* x */ begin", "-- x\n  Rollback", "SAVEPOINT a", "CREATE TABLE a (); END"])
    func `a migration cannot end its transaction`(script: String) async throws {
        let migration = PostgresMigration(name: "x", scripts: ["CREATE TABLE before ()", script])
        try await withDatabase { database in
            await expect(.migrationFailed) { try await database.migrate([migration]) }
            await expect(.undefinedTable) { try await database.read { try await $0.rows("SELECT 1 FROM before") } }
        }
    }

    @Test func `a changed or newer database is refused`() async throws {
        try await withDatabase { database in
            try await database.migrate([Self.first, Self.second])
            await expect(.newer) { try await database.migrate([Self.first]) }
            let changed = PostgresMigration(name: "1 accounts", sql: "CREATE TABLE account ()")
            await expect(.migrationChanged) { try await database.migrate([changed, Self.second]) }
            await expect(.migrationChanged) { try await database.migrate([Self.second, Self.first]) }
            await expect(.migrationChanged) { try await database.migrate([Self.first, Self.first]) }
            #expect(try await database.pendingMigrations([Self.first, Self.second]) == [])
        }
    }

    // MARK: Splitting

    @Test(arguments: [
        ("", []), (";;  ; -- x", []), ("a;b", ["a", "b"]), ("a;b;", ["a", "b"]),
        ("'a;b';c", ["'a;b'", "c"]), ("'a'';b';c", ["'a'';b'", "c"]), ("E'\\';';c", ["E'\\';'", "c"]),
        ("\"a;\"\";\";c", ["\"a;\"\";\"", "c"]), ("$$a;$x$;$$;c", ["$$a;$x$;$$", "c"]),
        ("$x$a;$$;$x$;c", ["$x$a;$$;$x$", "c"]), ("a$1;c", ["a$1", "c"]), ("$1;c", ["$1", "c"]),
        ("-- a;\nb;c", ["-- a;\nb", "c"]), ("/* ; /* ; */ ; */b;c", ["/* ; /* ; */ ; */b", "c"]),
        ("(a;b);c", ["(a;b)", "c"]), ("'open;c", ["'open;c"]), ("$$open;c", ["$$open;c"]), ("tale'x;'", ["tale'x;'"]),
    ])
    func `a script is split at its own semicolons`(script: String, statements: [String]) {
        #expect(ScriptSplitter.statements(of: script) == statements)
    }

    @Test(arguments: 0..<30 as Range<UInt64>) func `any bytes can be split`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = ["'", "\"", "$$", "$a$", "--", "/*", "*/", ";", "\n", "x", "\\", "E", "(", ")", "$", "é"]
        for _ in 0..<200 {
            let script = (0..<12).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let joined = ScriptSplitter.statements(of: script).joined()
            #expect(joined.utf8.count <= script.utf8.count, "seed \(seed): \(script)")
        }
    }
}
