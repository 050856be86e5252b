// SPDX-License-Identifier: MIT

import Foundation
import Persistence
import Testing

private enum Kind: String, Codable {
    case spoken, typed
}

private enum Level: Int, Codable {
    case low = 1
    case high = 2
}

private struct Message: Codable, Equatable {
    var id: Int?
    var body: String
    var kind: Kind
    var level: Level?
    var score: Double
    var ratio: Float?
    var isRead: Bool
    var sound: Data
    var hash: [UInt8]?
    var sentAt: Date
    var readAt: Date?
    var owner: UUID?
    var small: Int8
    var large: UInt64?
}

private class Named: Codable {
    var name = "n"
}

private final class Numbered: Named {
    var number = 7

    override init() { super.init() }

    required init(from decoder: any Decoder) throws {
        number = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .number)
        try super.init(from: decoder.container(keyedBy: Keys.self).superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(number, forKey: .number)
        try super.encode(to: container.superEncoder())
    }

    enum Keys: CodingKey { case number }
}

/// Keeps its decoder beyond the query.
private struct Keeper: Decodable {
    let decoder: any Decoder

    init(from decoder: any Decoder) throws {
        self.decoder = decoder
    }
}

/// The error's code and message, or nil.
private func failure(_ body: () throws -> Void) -> DatabaseError? {
    do {
        try body()
        return nil
    } catch {
        return error as? DatabaseError
    }
}

@Suite struct CodableTests {
    private let database: Database

    init() async throws {
        database = try await Database.inMemory()
        try await database.write { connection in
            try connection.execute(
                """
                CREATE TABLE message (
                    id INTEGER PRIMARY KEY, body TEXT NOT NULL, kind TEXT NOT NULL, level INTEGER DEFAULT 1,
                    score REAL NOT NULL, ratio REAL, isRead INTEGER NOT NULL, sound BLOB NOT NULL, hash BLOB,
                    sentAt INTEGER NOT NULL, readAt INTEGER, owner TEXT, small INTEGER NOT NULL, large INTEGER
                ) STRICT
                """)
        }
    }

    private static let full = Message(
        id: 5, body: "größer '; DROP TABLE message; --", kind: .typed, level: .high, score: 0.1, ratio: 1.5,
        isRead: true, sound: Data([0, 255]), hash: [], sentAt: Date(timeIntervalSince1970: 1_700_000_000.123),
        readAt: Date(timeIntervalSince1970: -1), owner: UUID(), small: -128, large: UInt64(Int64.max))
    private static let sparse = Message(
        id: 6, body: "", kind: .spoken, level: nil, score: 3, ratio: nil, isRead: false, sound: Data(), hash: nil,
        sentAt: Date(timeIntervalSince1970: 0), readAt: nil, owner: nil, small: 0, large: nil)

    @Test func whatIsInsertedComesBack() async throws {
        let read = try await database.write { connection in
            try connection.insert(Self.full, into: "message")
            try connection.insert(Self.sparse, into: "message")
            return try connection.query("SELECT * FROM message ORDER BY id", as: Message.self)
        }
        #expect(read.count == 2)
        #expect(read.last == Self.sparse)
        // Milliseconds are what is stored.
        var first = try #require(read.first)
        #expect(abs(first.sentAt.timeIntervalSince(Self.full.sentAt)) < 0.000_5)
        first.sentAt = Self.full.sentAt
        #expect(first == Self.full)
        // NULL, not the column's default.
        let level = try await database.read { connection in
            try connection.first("SELECT level FROM message WHERE id = 6") { try $0.optionalInt(0) }
        }
        #expect(level == .some(nil))
    }

    @Test func anAbsentKeyIsMadeAndTheStorageIsWhatTheTypedWayReads() async throws {
        var message = Self.full
        message.id = nil
        let isTyped = try await database.write { [message] connection in
            try connection.insert(message, into: "message")
            return try connection.first("SELECT id, isRead, sound, hash, sentAt, kind FROM message") { row in
                let numbers = try row.int(0) == connection.lastInsertedRowID && row.bool(1)
                let bytes = try row.blob(2) == [0, 255] && row.blob(3).isEmpty
                return try numbers && bytes && row.int64(4) == 1_700_000_000_123 && row.string(5) == "typed"
            }
        }
        #expect(isTyped == true)
    }

    @Test func oneValueAndADictionaryAreReadToo() async throws {
        try await database.read { (connection: Connection) throws in
            #expect(try connection.query("SELECT value FROM json_each('[1,2]')", as: Int.self) == [1, 2])
            #expect(try connection.first("SELECT NULL", as: Int?.self) == .some(nil))
            #expect(try connection.first("SELECT 1500", as: Date.self) == Date(timeIntervalSince1970: 1.5))
            #expect(try connection.first("SELECT 1500", as: Date?.self) == Date(timeIntervalSince1970: 1.5))
            #expect(try connection.first("SELECT x'01ff'", as: [UInt8].self) == [1, 255])
            #expect(try connection.first("SELECT 'typed'", as: Kind.self) == .typed)
            #expect(try connection.first("SELECT 1 AS a, 2 AS b", as: [String: Int].self) == ["a": 1, "b": 2])
            #expect(try connection.first("SELECT 1 WHERE 0", as: Int.self) == nil)
            #expect(try connection.query("SELECT 1 WHERE 0", as: Message.self).isEmpty)
        }
    }

    @Test func aSuperclassSharesTheRow() async throws {
        try await database.write { connection in
            try connection.execute("CREATE TABLE thing (number INTEGER, name TEXT) STRICT")
            try connection.insert(Numbered(), into: "thing")
            let thing = try connection.first("SELECT * FROM thing", as: Numbered.self)
            #expect(thing?.name == "n" && thing?.number == 7)
        }
    }

    private struct One<Value: Decodable>: Decodable {
        var wanted: Value
    }

    @Test func anErrorNamesItsColumn() async throws {
        try await database.read { (connection: Connection) throws in
            func check<Value: Decodable>(_ sql: SQL, _ type: Value.Type) {
                let error = failure { _ = try connection.first(sql, as: One<Value>.self) }
                #expect(error?.code == .typeMismatch, "\(sql.text), \(type)")
                #expect(error?.message.contains("wanted") == true, "\(sql.text), \(type): \(error?.message ?? "")")
                #expect(error?.message.contains("secret") != true, "\(error?.message ?? "")")
            }
            check("SELECT 1 AS other", Int.self)
            check("SELECT 1 AS other", Int?.self)
            check("SELECT 1 AS other", String?.self)
            check("SELECT 1 AS other", Date?.self)
            check("SELECT NULL AS wanted", Int.self)
            check("SELECT NULL AS wanted", Kind.self)
            check("SELECT 'secret' AS wanted", Int.self)
            check("SELECT 'secret' AS wanted", Int?.self)
            check("SELECT 'secret' AS wanted", Kind.self)
            check("SELECT 'secret' AS wanted", UUID.self)
            check("SELECT 3 AS wanted", Level?.self)
            check("SELECT 2 AS wanted", Bool.self)
            check("SELECT 128 AS wanted", Int8.self)
            check("SELECT -1 AS wanted", UInt64.self)
            check("SELECT 1.5 AS wanted", Int.self)
            check("SELECT 1 AS wanted", String.self)
            check("SELECT 1 AS wanted", Data.self)
            check("SELECT 'secret' AS wanted", [UInt8].self)
            check("SELECT 'secret' AS wanted", Date.self)
            check("SELECT 'secret' AS wanted", [String].self)
            check("SELECT 'secret' AS wanted", One<Int>.self)
            check("SELECT 1 AS wanted, 2 AS wanted", Int.self)
            check("SELECT x'ff' AS wanted", String.self)
            #expect(failure { _ = try connection.first("SELECT 1, 2", as: Int.self) }?.code == .typeMismatch)
            #expect(failure { _ = try connection.first("SELECT 1", as: [Int].self) }?.code == .typeMismatch)
        }
    }

    private struct Wrong<Value: Encodable>: Encodable {
        var body: Value
    }

    @Test func whatIsNoRowIsNotInserted() async throws {
        try await database.write { connection in
            func check(_ value: some Encodable, _ code: DatabaseError.Code, _ name: String) {
                let error = failure { try connection.insert(value, into: "message") }
                #expect(error?.code == code, "\(value)")
                #expect(error?.message.contains(name) == true, "\(value): \(error?.message ?? "")")
            }
            check(Wrong(body: ["a"]), .invalidValue, "body")
            check(Wrong(body: [String]()), .invalidValue, "body")
            check(Wrong(body: ["a": 1]), .invalidValue, "body")
            check(Wrong(body: Wrong(body: 1)), .invalidValue, "body")
            check(Wrong(body: UInt64.max), .invalidValue, "body")
            check(Wrong(body: Double.nan), .invalidValue, "not a number")
            check([1, 2], .invalidValue, "row")
            check(5, .invalidValue, "row")
            check([String: Int](), .invalidValue, "message")
            check(["nothing": 1], .invalidSQL, "nothing")
            check(["body\") VALUES (1); DROP TABLE message; --": 1], .invalidSQL, "body")
            check(Wrong(body: "only"), .constraint, "NOT NULL")
            let count = try connection.first("SELECT count(*) FROM message", as: Int.self)
            #expect(count == 0)
        }
    }

    @Test func aDecoderThatIsKeptReadsNothingLater() async throws {
        try await database.read { (connection: Connection) throws in
            let keeper = try #require(try connection.first("SELECT 1 AS a", as: Keeper.self))
            _ = try connection.first("SELECT 'secret' AS a", as: String.self)
            #expect(failure { _ = try [String: Int](from: keeper.decoder) }?.code == .transactionEnded)
        }
    }
}
