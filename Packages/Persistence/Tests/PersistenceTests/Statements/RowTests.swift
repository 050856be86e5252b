// SPDX-License-Identifier: MIT

import Foundation
import Persistence
import Testing

/// A type that reads itself from a column.
private struct Celsius: SQLReadable, Equatable {
    var degrees: Double

    init(_ degrees: Double) {
        self.degrees = degrees
    }

    init(column: borrowing Row.Column) throws {
        degrees = try Double(column: column)
    }
}

@Suite struct RowTests {
    /// The error of reading the one row of a query.
    private func failure(
        in sql: SQL = "SELECT 42 AS answer, 'text' AS word, NULL AS absent, 1.5 AS real, x'00' AS bytes",
        _ reading: @Sendable @escaping (borrowing Row) throws -> Void
    ) async throws -> DatabaseError? {
        do {
            _ = try await Database.inMemory().read { try $0.first(sql, reading) }
            return nil
        } catch let error as DatabaseError {
            return error
        }
    }

    @Test func `another type than the stored one is refused`() async throws {
        let readings: [@Sendable (borrowing Row) throws -> Void] = [
            { _ = try $0["word", as: Int.self] }, { _ = try $0["answer", as: String.self] },
            { _ = try $0["word", as: Double.self] }, { _ = try $0["word", as: [UInt8].self] },
            { _ = try $0["answer", as: Bool.self] }, { _ = try $0["absent", as: Int.self] },
            { _ = try $0["absent", as: String.self] }, { _ = try $0["real", as: Int.self] },
            { _ = try $0["word", as: Date.self] }, { _ = try $0["bytes", as: String.self] },
            { _ = try $0["word", as: Int?.self] }, { try $0.withText("answer") { _ in } },
        ]
        for (index, reading) in readings.enumerated() {
            #expect(try await failure(reading)?.code == .typeMismatch, "reading \(index)")
        }
        #expect(
            try await failure(in: "SELECT CAST(x'FF' AS TEXT) AS word") { _ = try $0["word", as: String.self] }?.code
                == .typeMismatch)
        let message = try await failure { _ = try $0["word", as: Int.self] }?.message
        #expect(message == "Column “word” holds text where an integer is wanted.")
    }

    @Test func `a missing column is named beside those there are`() async throws {
        let error = try await failure(in: "SELECT 1 AS id, 2 AS created_at") { _ = try $0["createdAt", as: Int?.self] }
        #expect(error?.code == .missingColumn)
        #expect(error?.message.contains("no column “createdAt” in the row, which has id, created_at:") == true)
    }

    @Test func `two columns of one name are ambiguous`() async throws {
        #expect(
            try await failure(in: "SELECT 1 AS id, 2 AS id") { _ = try $0["id", as: Int.self] }?.code == .missingColumn)
    }

    @Test func `the order of reading may change from row to row`() async throws {
        let rows = try await Database.inMemory().read { connection in
            try connection.query(
                "SELECT value AS one, value + 1 AS two, value + 2 AS three FROM json_each('[1,2,3,4]')"
            ) {
                row -> [Int] in
                switch try row["one", as: Int.self] {
                case 1: [try row["one"], try row["two"], try row["three"]]
                case 2: [try row["three"], try row["two"], try row["two"], try row["one"]]
                case 3: [try row["two"]]
                default: [try row["one"], try row["one"], try row["three"]]
                }
            }
        }
        #expect(rows == [[1, 2, 3], [4, 3, 3, 2], [4], [4, 4, 6]])
    }

    @Test func `more names than there is room for at first`() async throws {
        let sum = try await Database.inMemory().read { connection in
            try connection.query(
                "SELECT value a, 2 b, 3 c, 4 d, 5 e, 6 f, 7 g, 8 h, 9 i, 10 j FROM json_each('[1,1]')"
            ) { row in
                let first: [Int] = [try row["a"], try row["b"], try row["c"], try row["d"], try row["e"]]
                return (first + [try row["f"], try row["g"], try row["h"], try row["i"], try row["j"]]).reduce(0, +)
            }
        }
        #expect(sum == [55, 55])
    }

    @Test func `a changed schema moves the columns`() async throws {
        let database = try await Database.inMemory()
        let read: @Sendable () async throws -> [String] = {
            try await database.write { connection in
                try connection.query("SELECT * FROM item") {
                    "\(try $0["id", as: Int.self]) \(try $0["name", as: String.self])"
                }
            }
        }
        try await database.write { connection in
            try connection.execute("CREATE TABLE item (id INTEGER, name TEXT) STRICT")
            try connection.execute("INSERT INTO item VALUES (1, 'a'), (2, 'b')")
        }
        #expect(try await read() == ["1 a", "2 b"])
        try await database.write { connection in
            try connection.execute("DROP TABLE item")
            try connection.execute("CREATE TABLE item (name TEXT, id INTEGER) STRICT")
            try connection.execute("INSERT INTO item VALUES ('c', 3), ('d', 4)")
        }
        #expect(try await read() == ["3 c", "4 d"])
    }

    @Test func `a query of one column needs no names`() async throws {
        let database = try await Database.inMemory()
        let found = try await database.read { connection in
            (
                numbers: try connection.query("SELECT value FROM json_each('[1,2]')", as: Int.self),
                time: try connection.first("SELECT 1500", as: Date.self),
                null: try connection.first("SELECT NULL", as: Int?.self),
                none: try connection.first("SELECT 1 WHERE 0", as: Int.self),
                own: try connection.first("SELECT 21.5", as: Celsius.self)
            )
        }
        #expect(found.numbers == [1, 2])
        #expect(found.time == Date(timeIntervalSince1970: 1.5))
        #expect(found.null == .some(nil))
        #expect(found.none == nil)
        #expect(found.own == Celsius(21.5))
        let two = await code { try await Database.inMemory().read { _ = try $0.first("SELECT 1, 2", as: Int.self) } }
        #expect(two == .typeMismatch)
    }
}
