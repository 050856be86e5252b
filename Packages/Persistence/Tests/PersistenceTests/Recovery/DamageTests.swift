// SPDX-License-Identifier: MIT

import Diagnostics
import Foundation
import TestKit
import Testing

@testable import Persistence

@Suite struct DamageTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A closed, checkpointed file with a few hundred rows, an index and foreign keys.
    private func makeSoundFile() async throws -> [UInt8] {
        let database = try await Database(at: folder.database)
        try await database.write { connection in
            try connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT")
            for index in 0..<500 {
                try connection.execute("INSERT INTO item VALUES (\(index), \("item number \(index)"))")
            }
        }
        await database.close()
        return try folder.bytes("test.sqlite")
    }

    @Test(arguments: [1, 10, 99, 100, 511, 512, 4_096, 100_000])
    func randomBytesAreDamageAndStayAsTheyAre(size: Int) async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
        try folder.write(bytes, to: "test.sqlite")
        do {
            _ = try await Database(at: folder.database)
            Issue.record("size \(size), seed \(seed): opened")
        } catch let error as DatabaseError {
            #expect(error.code == .damaged, "size \(size), seed \(seed)")
            #expect(error.message.contains(folder.database))
            #expect(error.message.contains("Nothing was deleted"))
        }
        #expect(try folder.bytes("test.sqlite") == bytes, "seed \(seed)")
        #expect(try folder.names() == ["test.sqlite"])
    }

    @Test func aFileThatIsCutShortIsDamage() async throws {
        let whole = try await makeSoundFile()
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let length = Int.random(in: 1..<whole.count - 4_096, using: &generator)
            try folder.write(Array(whole.prefix(length)), to: "test.sqlite")
            #expect(
                await code { _ = try await Database(at: folder.database) } == .damaged,
                "seed \(seed), length \(length)")
            #expect(try folder.bytes("test.sqlite") == Array(whole.prefix(length)))
        }
    }

    @Test func damageInsideIsFoundOrThrownAndNeverCrashes() async throws {
        let whole = try await makeSoundFile()
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        var noticed = 0
        for _ in 0..<40 {
            var bytes = whole
            let start = Int.random(in: 0..<bytes.count - 600, using: &generator)
            for index in start..<start + 600 { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
            try folder.write(bytes, to: "test.sqlite")
            do {
                let database = try await Database(at: folder.database)
                let problems = try await database.integrityCheck()
                if !problems.isEmpty { noticed += 1 }
                await database.close()
            } catch let error as DatabaseError {
                #expect([.damaged, .invalidSQL, .typeMismatch].contains(error.code), "seed \(seed): \(error)")
                noticed += 1
            }
        }
        // 600 bytes in a row always hit a page's content or its free space; the latter changes nothing.
        // Seven of ten are noticed on average, so that fewer than ten of 40 are as good as impossible.
        #expect(noticed >= 10, "seed \(seed): \(noticed) of 40")
    }

    @Test func aLogWithoutItsDatabaseIsNotDeleted() async throws {
        let database = try await Database(at: folder.database)
        try await database.write { try $0.execute("CREATE TABLE a (id INTEGER)") }
        let log = try folder.bytes("test.sqlite-wal")
        await database.close()
        for remaining in [[UInt8]?.none, []] {
            unlink(folder.database)
            if let remaining { try folder.write(remaining, to: "test.sqlite") }
            try folder.write(log, to: "test.sqlite-wal")
            #expect(await code { _ = try await Database(at: folder.database) } == .damaged)
            #expect(try folder.bytes("test.sqlite-wal") == log)
        }
    }

    @Test func aRefusedFileKeepsItsLogAsItIs() async throws {
        _ = try await makeSoundFile()
        let database = try await Database(at: folder.database)
        try await database.write { try $0.execute("UPDATE item SET name = 'other' WHERE id = 3") }
        var bytes = try folder.bytes("test.sqlite")
        let log = try folder.bytes("test.sqlite-wal")
        await database.close()
        let definition = Array("CREATE TABLE item".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: definition) })
        bytes[place] = UInt8(ascii: "X")
        try folder.write(bytes, to: "test.sqlite")
        try folder.write(log, to: "test.sqlite-wal")
        #expect(await code { _ = try await Database(at: folder.database) } == .damaged)
        // Closing the connection must not copy the log into the file and delete it, as SQLite would.
        #expect(try folder.bytes("test.sqlite") == bytes)
        #expect(try folder.bytes("test.sqlite-wal") == log)
    }

    @Test func whatIsSetAsideKeepsItsLogAndTheAppGoesOn() async throws {
        let time = Date(timeIntervalSince1970: 1_700_000_000)
        var paths: [String] = []
        for round in 1...3 {
            try folder.write([UInt8(round)], to: "test.sqlite")
            try folder.write([UInt8(round), 1], to: "test.sqlite-wal")
            #expect(await code { _ = try await Database(at: folder.database) } == .damaged)
            let path = try Database.setAside(folder.database, now: time)
            paths.append(path)
            #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == [UInt8(round)])
            #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path + "-wal"))) == [UInt8(round), 1])
        }
        let base = folder.database + ".damaged-20231114T221320Z"
        #expect(paths == [base, base + "-2", base + "-3"])
        let database = try await Database(at: folder.database)
        try await database.write { try $0.execute("CREATE TABLE a (id INTEGER)") }
        #expect(try await database.integrityCheck().isEmpty)
    }

    @Test func aLogAloneIsSetAsideAndNothingIsNotFound() async throws {
        try folder.write([1], to: "test.sqlite-wal")
        // Another database's log under the name that would be next: it must not be joined.
        try folder.write([9], to: "test.sqlite.damaged-19700101T000000Z-shm")
        let path = try Database.setAside(folder.database, now: Date(timeIntervalSince1970: 0))
        #expect(path == folder.database + ".damaged-19700101T000000Z-2")
        #expect(
            try folder.names() == [
                "test.sqlite.damaged-19700101T000000Z-2-wal", "test.sqlite.damaged-19700101T000000Z-shm",
            ])
        #expect(await code { _ = try Database.setAside(folder.database) } == .notFound)
    }

    @Test func orphansAreFoundByTheCheck() async throws {
        // Another program, which does not enforce foreign keys, has written the file.
        let other = try Connection.open(
            DatabaseFile(path: folder.database), role: .writer, configuration: .init(), logger: .disabled)
        try other.internally("PRAGMA foreign_keys = OFF")
        try other.execute("CREATE TABLE item (id INTEGER PRIMARY KEY) STRICT")
        try other.execute("CREATE TABLE part (item INTEGER NOT NULL REFERENCES item(id)) STRICT")
        try other.execute("INSERT INTO part VALUES (5)")
        let database = try await Database(at: folder.database)
        #expect(try await database.integrityCheck() == ["row 1 of part refers to nothing in item"])
        try await database.write { try $0.execute("INSERT INTO item VALUES (5)") }
        #expect(try await database.integrityCheck().isEmpty)
    }
}
