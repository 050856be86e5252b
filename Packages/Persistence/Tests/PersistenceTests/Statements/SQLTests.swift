// SPDX-License-Identifier: MIT

import Foundation
import Persistence
import Testing

@Suite struct SQLTests {
    @Test func valuesBecomeBindings() {
        let name: String? = nil
        let sql: SQL = "SELECT \(1), \("it's"), \(name), \(true), \(2.5), \([UInt8]([1])) FROM \(literal: "message")"
        #expect(sql.text == "SELECT ?, ?, ?, ?, ?, ? FROM message")
        #expect(sql.bindings == [.integer(1), .text("it's"), .null, .integer(1), .real(2.5), .blob([1])])
    }

    @Test func statementsAndListsCompose() {
        let filter: SQL = "kind = \("user")"
        let sql: SQL = "SELECT 1 WHERE \(sql: filter) AND id IN \(list: [3, 4]) OR id IN \(list: [Int]())"
        #expect(sql.text == "SELECT 1 WHERE kind = ? AND id IN (?,?) OR id IN ()")
        #expect(sql.bindings == [.text("user"), .integer(3), .integer(4)])
    }

    @Test func `places of values are numbered outside quotes`() {
        let (part, id): (SQL, Int) = ("kind = \("user")", 7)
        let sql: SQL = "SELECT '?', \"a?\", 'it''s ?' WHERE \(sql: part) AND id IN \(list: [id, 8]) LIMIT \(9)"
        #expect(sql.numberedText == "SELECT '?', \"a?\", 'it''s ?' WHERE kind = $1 AND id IN ($2,$3) LIMIT $4")
        #expect(sql.bindings.count == 4)
        #expect(("SELECT 1" as SQL).numberedText == "SELECT 1")
        let many: SQL = "SELECT \(list: 0..<11)"
        #expect(many.numberedText.hasSuffix(",$10,$11)"))
    }

    @Test func datesAreMilliseconds() {
        #expect(Date(timeIntervalSince1970: 1.2346).sqlValue == .integer(1_235))
        #expect(Date(timeIntervalSince1970: -0.001).sqlValue == .integer(-1))
        #expect(Data([1, 2]).sqlValue == .blob([1, 2]))
    }

    @Test(arguments: [
        "'; DROP TABLE message; --", "\" OR 1=1 --", "a\u{0}b", "?1", ":name", "\\", "%_", "🇩🇪 größer", "", "NULL",
    ])
    func hostileTextIsOnlyText(hostile: String) async throws {
        let database = try await Database.inMemory()
        let (stored, count) = try await database.write { connection in
            try connection.execute("CREATE TABLE message (body TEXT NOT NULL) STRICT")
            try connection.execute("INSERT INTO message VALUES ('kept')")
            try connection.execute("INSERT INTO message VALUES (\(hostile))")
            let stored = try connection.query("SELECT body FROM message WHERE body = \(hostile)", as: String.self)
            return (stored, try connection.first("SELECT count(*) FROM message", as: Int.self))
        }
        #expect(stored == [hostile])
        #expect(count == 2)
    }

    @Test(arguments: [
        Double.leastNonzeroMagnitude, -0.0, .greatestFiniteMagnitude, .infinity, -.infinity, 0.1,
    ])
    func realNumbersKeepEveryBit(value: Double) async throws {
        let read = try await Database.inMemory().read { connection in
            try connection.first("SELECT \(value)", as: Double.self)
        }
        #expect(read?.bitPattern == value.bitPattern)
    }

    @Test func everyTypeComesBack() async throws {
        let database = try await Database.inMemory()
        let date = Date(timeIntervalSince1970: 1_700_000_000.123)
        let intact = try await database.read { connection in
            let none: String? = nil
            let some: Int? = 7
            return try connection.first(
                """
                SELECT \(Int.min) AS least, \(Int64.max) AS most, \(false) AS flag, \([UInt8]()) AS empty,
                    \(Data([0, 255])) AS data, \(date) AS time, \(none) AS absent, \(some) AS some
                """
            ) { row in
                let isWhole = try row["least"] == Int.min && row["most"] == Int64.max && row["flag"] == false
                let areBytes = try row["empty"] == [UInt8]() && row["data"] == Data([0, 255])
                let isTime = try abs(row["time", as: Date.self].timeIntervalSince(date)) < 0.000_5
                let areOptional = try row["absent"] == String?.none && row["some"] == Int?(7)
                let values = try row.values()
                return isWhole && areBytes && isTime && areOptional && values.count == 8 && values[6] == .null
            }
        }
        #expect(intact == true)
    }

    @Test func whatCannotBeStoredIsRefused() async throws {
        let database = try await Database.inMemory()
        for sql in ["SELECT \(Double.nan)", "SELECT \(Date(timeIntervalSince1970: .infinity))"] as [SQL] {
            let found = await code { try await database.read { try $0.forEach(sql) { _ in } } }
            #expect(found == .invalidValue)
        }
    }

    @Test func oneStatementAtATime() async throws {
        let database = try await Database.inMemory()
        let refused: [SQL] = [
            "SELECT 1; SELECT 2", "SELECT 1; nonsense", "", "-- only a comment", "SELEC 1", "SELECT ?", "SELECT :name",
            "SELECT \"no such column\"",
        ]
        for sql in refused {
            let found = await code { try await database.read { try $0.forEach(sql) { _ in } } }
            #expect(found == .invalidSQL, "\(sql.text)")
        }
        let taken = try await database.read { connection in
            try connection.first("SELECT 1; -- a comment may follow\n /* this too */ ;", as: Int.self)
        }
        #expect(taken == 1)
    }

    @Test func aStatementInsideItselfHasItsOwnRows() async throws {
        let pairs = try await Database.inMemory().read { connection in
            let sql: SQL = "SELECT value FROM json_each('[1,2,3]')"
            return try connection.query(sql) { outer in
                let first = try outer["value", as: Int.self]
                return try connection.query(sql) { first * 10 + (try $0["value"]) }
            }
        }
        #expect(pairs == [[11, 12, 13], [21, 22, 23], [31, 32, 33]])
    }

    @Test func moreStatementsThanTheCacheHolds() async throws {
        let database = try await Database.inMemory(configuration: .init().with { $0.statementCacheCapacity = 2 })
        let texts: [SQL] = ["SELECT 1", "SELECT 2", "SELECT 3", "SELECT 4", "SELECT 1", "SELECT 4"]
        let values = try await database.read { connection in
            try (0..<3).flatMap { _ in try texts.map { try connection.first($0, as: Int.self) } }
        }
        #expect(values == [1, 2, 3, 4, 1, 4, 1, 2, 3, 4, 1, 4, 1, 2, 3, 4, 1, 4])
    }
}
