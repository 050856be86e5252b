// SPDX-License-Identifier: MIT

import Persistence
import TestKit
import Testing

@Suite struct ConstraintTests {
    private let database: Database

    init() async throws {
        database = try await Database.inMemory()
        try await database.migrate([
            Migration(
                name: "tables",
                sql: """
                    CREATE TABLE person (
                        id INTEGER PRIMARY KEY, name TEXT NOT NULL, team TEXT, age INTEGER CHECK (age >= 0),
                        UNIQUE (name, team)
                    ) STRICT;
                    CREATE UNIQUE INDEX person_twice ON person (age * 2);
                    CREATE TABLE part (person INTEGER NOT NULL REFERENCES person (id), note TEXT) STRICT;
                    CREATE TABLE late (
                        person INTEGER REFERENCES person (id) DEFERRABLE INITIALLY DEFERRED,
                        other INTEGER REFERENCES person (id)
                    ) STRICT;
                    CREATE TRIGGER kept BEFORE DELETE ON part BEGIN SELECT RAISE(ABORT, 'parts are kept'); END;
                    INSERT INTO person VALUES (1, 'Ada', 'red', 36);
                    INSERT INTO part VALUES (1, NULL);
                    """)
        ])
    }

    private func violated(_ sql: SQL) async throws -> DatabaseError? {
        do {
            try await database.write { try $0.execute(sql) }
            return nil
        } catch let error as DatabaseError {
            return error
        }
    }

    @Test(
        arguments: [
            ("INSERT INTO person VALUES (2, 'Ada', 'red', 1)", .unique, "person", ["name", "team"], nil),
            ("INSERT INTO person VALUES (2, 'Bo', 'blue', 36)", .unique, nil, [], "index 'person_twice'"),
            ("INSERT INTO person VALUES (1, 'Bo', NULL, 1)", .primaryKey, "person", ["id"], nil),
            ("UPDATE person SET name = NULL", .notNull, "person", ["name"], nil),
            ("UPDATE person SET age = -1", .check, "person", [], "age >= 0"),
            ("INSERT INTO part VALUES (9, NULL)", .foreignKey, "part", ["person"], nil),
            ("INSERT INTO late VALUES (NULL, 9)", .foreignKey, "late", [], nil),
            ("INSERT INTO late VALUES (9, NULL)", .foreignKey, nil, [], nil),
            ("DELETE FROM person", .foreignKey, "person", [], nil),
            ("UPDATE person SET age = 'old'", .type, "person", ["age"], nil),
            ("DELETE FROM part", .trigger, nil, [], nil),
        ] as [(SQL, DatabaseError.Constraint.Kind, String?, [String], String?)])
    func `a violated constraint has its kind, table and columns`(
        sql: SQL, kind: DatabaseError.Constraint.Kind, table: String?, columns: [String], rule: String?
    ) async throws {
        let error = try #require(try await violated(sql))
        #expect(error.code == .constraint)
        let constraint = try #require(error.constraint)
        #expect(constraint.kind == kind)
        #expect(constraint.table == table)
        #expect(constraint.columns == columns)
        #expect(constraint.rule == rule)
    }

    @Test(
        arguments: [
            (
                "INSERT INTO person VALUES (2, 'Ada', 'red', 1)",
                "Another row has this value of person.name, person.team already. Choose another one, or write ON CONFLICT "
                    + "into the INSERT."
            ),
            ("UPDATE person SET name = NULL", "person.name must not be NULL. Give it a value."),
            ("UPDATE person SET age = -1", "A value of “person” breaks the rule “age >= 0”. Correct it."),
            (
                "INSERT INTO part VALUES (9, NULL)",
                "part.person refers to a row that does not exist. Insert that one first."
            ),
            ("DELETE FROM person", "Other rows refer to this one of “person”. Delete or change those first."),
        ] as [(SQL, String)])
    func `its message says what to do`(sql: SQL, message: String) async throws {
        #expect(try await violated(sql)?.message == message)
    }

    @Test func `another error has no constraint`() async throws {
        let error = try #require(try await violated("SELECT nonsense"))
        #expect(error.code == .invalidSQL)
        #expect(error.constraint == nil)
    }
}
