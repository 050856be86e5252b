// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import Persistence
@testable import PersistenceCrashTestSupport

@Suite(.timeLimit(.minutes(5))) struct SealedDatabaseTests {
    private static let sentence = "the planted sentence of ada"
    private let folder: TemporaryFolder
    private let sealed = Database.Configuration(seal: ScrambledPages.seal(key: 1))

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Rows with the sentence in a table, an index and a text index.
    private func fill(_ database: Database, rows: Int = 300) async throws {
        try await database.write { connection in
            try connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT")
            try connection.execute("CREATE INDEX item_body ON item (body)")
            try connection.execute("CREATE VIRTUAL TABLE words USING fts5 (body)")
        }
        for start in stride(from: 1, through: rows, by: 50) {
            try await database.write { connection in
                for id in start..<min(start + 50, rows + 1) {
                    try connection.execute("INSERT INTO item VALUES (\(id), \("\(Self.sentence) \(id)"))")
                    try connection.execute(
                        "INSERT INTO words (rowid, body) VALUES (\(id), \("\(Self.sentence) \(id)"))")
                }
            }
        }
    }

    private func bodies(_ database: Database) async throws -> [String] {
        try await database.read { try $0.query("SELECT body FROM item ORDER BY id", as: String.self) }
    }

    /// The files that have a word of the sentence in them; FTS5 keeps words apart.
    private func leaks() throws -> [String] {
        try folder.names().filter { name in
            let bytes = Data(try folder.bytes(name))
            return ["planted", "sentence", "CREATE TABLE"].contains { bytes.range(of: Data($0.utf8)) != nil }
        }
    }

    @Test func `no file, log or backup has a planted word`() async throws {
        let database = try await Database(at: folder.database, configuration: sealed)
        try await fill(database)
        #expect(try folder.size("test.sqlite-wal") > 0)
        #expect(try leaks() == [])
        try await database.backUp(to: folder.file("backup.sqlite"))
        #expect(try leaks() == [])
        await database.close()
        #expect(try leaks() == [])
        let report = try await Database.recover(folder.database, configuration: sealed)
        #expect(report.isComplete, "\(report)")
        #expect(try leaks() == [])
        for name in ["test.sqlite", "backup.sqlite"] {
            let again = try await Database(at: folder.file(name), configuration: sealed)
            #expect(try await bodies(again).count == 300)
            #expect(try await again.integrityCheck().isEmpty)
            await again.close()
        }
        // The same without a seal is found: the search can fail.
        let plain = try await Database(at: folder.file("plain.sqlite"))
        try await fill(plain, rows: 10)
        #expect(try leaks().contains("plain.sqlite-wal"))
        await plain.close()
    }

    @Test func `another key, no key and a plain file are named`() async throws {
        let database = try await Database(at: folder.database, configuration: sealed)
        try await fill(database, rows: 1)
        await database.close()
        let bytes = try folder.bytes("test.sqlite")
        let other = Database.Configuration(seal: ScrambledPages.seal(key: 2))
        #expect(await code { _ = try await Database(at: folder.database, configuration: other) } == .wrongKey)
        #expect(await code { _ = try await Database(at: folder.database) } == .sealed)
        #expect(await code { _ = try await Database.recoverIfDamaged(folder.database) } == .sealed)
        #expect(
            await code { _ = try await Database.recoverIfDamaged(folder.database, configuration: other) } == .wrongKey)
        #expect(try folder.bytes("test.sqlite") == bytes && folder.names() == ["test.sqlite"])
        let plain = try await Database(at: folder.file("plain.sqlite"))
        try await fill(plain, rows: 1)
        await plain.close()
        #expect(
            await code { _ = try await Database(at: folder.file("plain.sqlite"), configuration: sealed) } == .notSealed)
    }

    @Test func `a file is sealed and unsealed whole, log included`() async throws {
        let database = try await Database(at: folder.database)
        try await fill(database)
        let before = try await bodies(database)
        #expect(await code { try await Database.reseal(folder.database, from: nil, to: sealed.seal) } == .busy)
        await database.close()
        for (from, to) in [
            (nil, sealed.seal), (sealed.seal, ScrambledPages.seal(key: 9)), (ScrambledPages.seal(key: 9), nil),
        ] {
            try await Database.reseal(folder.database, from: from, to: to)
            #expect(try folder.names() == ["test.sqlite"])
            #expect(try leaks().isEmpty == (to != nil))
            let again = try await Database(at: folder.database, configuration: .init(seal: to))
            #expect(try await bodies(again) == before)
            #expect(try await again.integrityCheck().isEmpty)
            let found = try await again.read {
                try $0.query("SELECT rowid FROM words WHERE words MATCH '299'", as: Int.self)
            }
            #expect(found == [299])
            await again.close()
        }
    }

    @Test func `a file says whether it is sealed, also while it is open`() async throws {
        #expect(try await Database.isSealed(folder.database) == nil)
        let database = try await Database(at: folder.database)
        #expect(try await Database.isSealed(folder.database) == false)
        try await fill(database, rows: 1)
        await database.close()
        try await Database.reseal(folder.database, from: nil, to: sealed.seal)
        #expect(try await Database.isSealed(folder.database) == true)
        try folder.write([UInt8](repeating: 9, count: 8_192), to: "rubbish.sqlite")
        #expect(try await Database.isSealed(folder.file("rubbish.sqlite")) == false)
    }

    @Test func `copies that a killed program left go with the next change`() async throws {
        let database = try await Database(at: folder.database)
        try await fill(database, rows: 1)
        await database.close()
        try folder.write([1, 2, 3], to: "test.sqlite.resealed-1-2")
        try folder.write([1, 2, 3], to: "other.sqlite.resealed-1-2")
        try await Database.reseal(folder.database, from: nil, to: sealed.seal)
        #expect(try folder.names() == ["other.sqlite.resealed-1-2", "test.sqlite"])
    }

    @Test(arguments: 0..<20)
    func `a changed or moved block is never another value`(round: Int) async throws {
        let database = try await Database(at: folder.database, configuration: sealed)
        try await fill(database)
        let before = try await bodies(database)
        await database.close()
        let seed = UInt64(round) &+ UInt64.random(in: 0..<1_000_000) * 100
        var generator = SeededGenerator(seed: seed)
        var bytes = try folder.bytes("test.sqlite")
        let block = 4_096 + DatabaseSeal.overhead
        let count = (bytes.count - SealedHeader.byteCount) / block
        func range(_ index: Int) -> Range<Int> {
            let start = SealedHeader.byteCount + index * block
            return start..<start + block
        }
        if round.isMultiple(of: 2) {
            // Round 0 changes the last byte.
            let place = range(Int.random(in: 0..<count, using: &generator)).randomElement(using: &generator)
            bytes[round == 0 ? bytes.count - 1 : place ?? 64] ^= 1
        } else {
            let (one, two) = (Int.random(in: 0..<count - 1, using: &generator), count - 1)
            let (first, second) = (Array(bytes[range(one)]), Array(bytes[range(two)]))
            bytes.replaceSubrange(range(one), with: second)
            bytes.replaceSubrange(range(two), with: first)
        }
        try folder.write(bytes, to: "test.sqlite")
        let result = await code {
            let again = try await Database(at: folder.database, configuration: sealed)
            let damage = try await again.integrityCheck()
            let found = try await bodies(again)
            await again.close()
            #expect(Set(found).isSubset(of: before), "seed \(seed)")
            if !damage.isEmpty { throw DatabaseError(code: .damaged, message: "") }
        }
        #expect(result == .damaged, "seed \(seed)")
    }

    @Test func `rolled back transactions and a shrunk log do no harm`() async throws {
        let database = try await Database(at: folder.database, configuration: sealed)
        try await fill(database, rows: 50)
        for round in 0..<5 {
            _ = try? await database.write { connection in
                for id in 1_000..<1_400 {
                    try connection.execute("INSERT INTO item VALUES (\(id), \(String(repeating: "x", count: 500)))")
                }
                try connection.execute("DELETE FROM item")
                throw CancellationError()
            }
            try await database.write { try $0.execute("UPDATE item SET body = body || \("\(round)") WHERE id = 1") }
        }
        #expect(try await bodies(database).count == 50)
        #expect(try await database.integrityCheck().isEmpty)
        await database.close()
        let again = try await Database(at: folder.database, configuration: sealed)
        #expect(try await bodies(again).first == Self.sentence + " 101234")
        #expect(try await again.integrityCheck().isEmpty)
        await again.close()
    }
}
