// SPDX-License-Identifier: MIT

import FoundationEssentials
import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(5))) struct StatementTests {
    // MARK: Text

    @Test func `values become numbered parameters`() {
        let statement: PostgresStatement = "SELECT \(1), \("a") WHERE \(nil as Int?) IS NULL"
        #expect(statement.text == "SELECT $1, $2 WHERE $3 IS NULL")
        #expect(statement.values == [.integer(1), .text("a"), .null])
    }

    @Test func `a part is numbered anew`() {
        let name = "x'; DROP TABLE t; --"
        let part: PostgresStatement = "name = \(name) OR größe = \(2)"
        let whole: PostgresStatement = "SELECT \(true) WHERE \(sql: part) AND \(sql: part) LIMIT \(3)"
        #expect(
            whole.text == "SELECT $1 WHERE name = $2 OR größe = $3 AND name = $4 OR größe = $5 LIMIT $6")
        #expect(whole.values == [.bool(true), .text(name), .integer(2), .text(name), .integer(2), .integer(3)])
        let nested: PostgresStatement = "(\(sql: whole)) \(literal: "UNION") \(0)"
        #expect(nested.text.hasSuffix("LIMIT $6) UNION $7"))
    }

    @Test func `a list is a parameter for each value`() {
        let statement: PostgresStatement = "SELECT 1 WHERE 1 IN \(list: [1, 2]) AND 2 IN \(list: [Int]())"
        #expect(statement.text == "SELECT 1 WHERE 1 IN ($1,$2) AND 2 IN (NULL)")
    }

    @Test func `a text with values cannot be a part`() async throws {
        let text = PostgresStatement(text: "SELECT $1", values: [.integer(1)])
        let constant: PostgresStatement = "SELECT 1 AS one"
        try await withDatabase { database in
            let one = try await database.read { try await $0.first(text, as: Int.self) }
            #expect(one == 1)
            let parts: PostgresStatement = "SELECT * FROM (\(sql: constant)) AS part"
            #expect(try await database.read { try await $0.first(parts, as: Int.self) } == 1)
            await expect(.invalidSQL) { try await database.read { try await $0.rows("(\(sql: text))") } }
            // The connection is as good as before.
            #expect(try await database.read { try await $0.first(text, as: Int.self) } == 1)
        }
    }

    // MARK: Round trips

    @Test func `values come back as they were sent`() async throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000.123456)
        let bytes: [UInt8] = [0, 255, 1, 92]
        try await withDatabase { database in
            let row = try #require(
                try await database.read { connection in
                    try await connection.rows(
                        """
                        SELECT \(true) AS yes, \(Int.min) AS least, \(Int64.max) AS most, \(-0.1) AS real,
                            \("Grüße\u{1F44B} \\ ' \"") AS text, \("") AS empty, \(bytes) AS bytes,
                            \([UInt8]()) AS none, \(date) AS date, \(nil as String?) AS nothing
                        """)
                }.first)
            #expect(try row["yes"] == true)
            #expect(try row["least"] == Int.min)
            #expect(try row["most"] == Int64.max)
            #expect(try row["real"] == -0.1)
            #expect(try row["text"] == "Grüße\u{1F44B} \\ ' \"")
            #expect(try row["empty"] == "")
            #expect(try row["bytes"] == bytes)
            #expect(try row["bytes"] == Data(bytes))
            #expect(try row["none"] == [UInt8]())
            #expect(abs(try row["date", as: Date.self].timeIntervalSince(date)) < 0.000_001)
            #expect(try row["nothing"] == String?.none)
            #expect(try row.values().count == 10)
        }
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
    func `every real number passes`(real: Double) async throws {
        try await withDatabase { database in
            let back = try await database.read { try await $0.first("SELECT \(real)", as: Double.self) }
            #expect(back?.bitPattern == real.bitPattern || (back?.isNaN == true && real.isNaN))
        }
    }

    @Test func `columns of many types are read`() async throws {
        try await withDatabase { database in
            let row = try #require(
                try await database.write { connection in
                    try await connection.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')")
                    return try await connection.rows(
                        """
                        SELECT 7::smallint AS small, 8::integer AS middle, 9.5::real AS single, sum(x) AS sum,
                            avg(x) AS average, 12345678901234567890.50::numeric AS long, 'x'::varchar(3) AS limited,
                            'ok'::mood AS mood, '{"a": 1}'::jsonb AS jsonb, '{"a": 1}'::json AS json,
                            'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid AS id, '2000-01-02'::date AS day,
                            'a'::"char" AS letter, 'ab'::char(3) AS padded
                        FROM (VALUES (1::bigint), (2)) AS v (x)
                        """)
                }.first)
            #expect(try row["small"] == 7 && row["middle"] == 8 && row["single"] == 9.5)
            #expect(try row["sum"] == 3 && row["average"] == 1.5)
            #expect(try row["long"] == "12345678901234567890.50")
            #expect(try row["limited"] == "x" && row["mood"] == "ok" && row["letter"] == "a" && row["padded"] == "ab ")
            #expect(try row["jsonb"] == #"{"a": 1}"# && row["json"] == #"{"a": 1}"#)
            #expect(try row["id"] == "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")
            #expect(try row["day"] == Date(timeIntervalSince1970: 946_771_200))
            #expect(try row["sum"] == PostgresValue.integer(3) && row["average"] == PostgresValue.real(1.5))
        }
    }

    @Test func `text is what its place wants`() async throws {
        try await withDatabase { database in
            try await database.write { connection in
                try await connection.execute("CREATE TABLE t (id uuid, at timestamptz, doc jsonb)")
                try await connection.execute(
                    """
                    INSERT INTO t VALUES (\("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"), \("2026-01-01T00:00:00Z"),
                        \(#"{"a": [1]}"#))
                    """)
            }
            let date = try await database.read { try await $0.first("SELECT at FROM t", as: Date.self) }
            #expect(date == Date(timeIntervalSince1970: 1_767_225_600))
        }
    }

    @Test func `a null and a value share a prepared statement`() async throws {
        try await withDatabase { database in
            try await database.write { connection in
                try await connection.execute("CREATE TABLE t (x integer, y text)")
                for (x, y): (Int?, String?) in [(1, "a"), (nil, nil), (2, nil), (nil, "b")] {
                    try await connection.execute("INSERT INTO t VALUES (\(x), \(y))")
                }
                let count = try await connection.first(
                    "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'INSERT%'", as: Int.self)
                #expect(count == 1)
            }
        }
    }

    @Test func `two connections never give statements the same name`() {
        var (one, other) = (PreparedStatements(capacity: 2), PreparedStatements(capacity: 2))
        #expect(one.add("SELECT 1", types: []).added.name != other.add("SELECT 2", types: []).added.name)
    }

    // MARK: Errors of columns

    @Test func `a wrong type and a missing column name the column`() async throws {
        try await withDatabase { database in
            let row = try #require(
                try await database.read { try await $0.rows("SELECT 'a' AS word, NULL AS nothing, 1 AS n, 2 AS n") }
                    .first)
            for (code, name, body): (PostgresError.Code, String, () throws -> Void) in [
                (.typeMismatch, "word", { _ = try row["word", as: Int.self] }),
                (.typeMismatch, "nothing", { _ = try row["nothing", as: String.self] }),
                (.typeMismatch, "word", { _ = try row["word", as: Int?.self] }),
                (.missingColumn, "other", { _ = try row["other", as: Int.self] }),
                (.missingColumn, "Word", { _ = try row["Word", as: String?.self] }),
                (.missingColumn, "n", { _ = try row["n", as: Int.self] }),
            ] {
                let error = #expect(throws: PostgresError.self) { try body() }
                #expect(error?.code == code && error?.message.contains("“\(name)”") == true)
            }
        }
    }

    @Test func `an array is refused and can be cast`() async throws {
        try await withDatabase { database in
            let row = try #require(
                try await database.read { try await $0.rows("SELECT ARRAY[1,2] AS a, ARRAY[1,2]::text AS b") }.first)
            #expect(throws: PostgresError.self) { _ = try row["a", as: String.self] }
            #expect(try row["b"] == "{1,2}")
        }
    }

    @Test func `a text with a NUL is refused before it is sent`() async throws {
        try await withDatabase { database in
            await expect(.invalidValue) { try await database.read { try await $0.rows("SELECT \("a\0b")") } }
            await expect(.invalidValue) {
                try await database.read { try await $0.rows("SELECT \(Date.distantFuture + 1e13)") }
            }
        }
    }
}
