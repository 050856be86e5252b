// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import Persistence

@Suite(.timeLimit(.minutes(5))) struct RecoveryTests {
    private static let pageSize = 4_096
    private static let rows = 3_000
    private static let migrations = [
        Migration(
            name: "all kinds",
            sql: """
                CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, bytes BLOB) STRICT;
                CREATE TABLE part (item INTEGER NOT NULL REFERENCES item(id), "an ""odd"" name" TEXT) STRICT;
                CREATE TABLE pair (a TEXT PRIMARY KEY, b INTEGER) STRICT, WITHOUT ROWID;
                CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, twice INTEGER AS (id * 2)) STRICT;
                CREATE VIRTUAL TABLE words USING fts5(body);
                CREATE INDEX item_name ON item (length(name));
                CREATE VIEW names AS SELECT name FROM item;
                CREATE TRIGGER item_gone AFTER DELETE ON item BEGIN DELETE FROM part WHERE item = old.id; END;
                """)
    ]
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func name(_ id: Int) -> String { "the item with the number \(id)" }

    /// A closed file with all kinds of tables.
    private func make() async throws -> [UInt8] {
        let database = try await Database(at: folder.database)
        try await database.migrate(Self.migrations)
        try await database.write { connection in
            for id in 1...Self.rows {
                let bytes = [UInt8](repeating: UInt8(id % 251), count: id % 100 == 0 ? 9_000 : 50)
                try connection.execute("INSERT INTO item VALUES (\(id), \(name(id)), \(bytes))")
                try connection.execute("INSERT INTO part VALUES (\(id), \(name(id)))")
                try connection.execute("INSERT INTO pair VALUES (\(name(id)), \(id))")
            }
            for _ in 0..<10 { try connection.execute("INSERT INTO counted DEFAULT VALUES") }
            for id in 1...100 { try connection.execute("INSERT INTO words VALUES (\(name(id)))") }
        }
        await database.close()
        return try folder.bytes("test.sqlite")
    }

    @Test func aSoundFileIsSavedWhole() async throws {
        let bytes = try await make()
        let report = try await Database.recover(folder.database)
        #expect(report.isComplete, "\(report)")
        #expect(report.tables.map(\.name) == ["schema_migration", "item", "part", "pair", "counted", "words"])
        #expect(report.tables.map(\.rows) == [1, Self.rows, Self.rows, Self.rows, 10, 100])
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: report.setAside))) == bytes)
        let database = try await Database(at: folder.database)
        #expect(try await database.integrityCheck().isEmpty)
        // The migrations are known, so that the program goes on where it was.
        #expect(try await database.migrate(Self.migrations).isEmpty)
        let found = try await database.read { connection in
            (
                try connection.first("SELECT rowid FROM words WHERE words MATCH '77'", as: Int.self),
                try connection.first("SELECT twice FROM counted WHERE id = 10", as: Int.self),
                try connection.first("SELECT count(*) FROM names", as: Int.self)
            )
        }
        #expect(found == (77, 20, Self.rows))
        try await database.write { try $0.execute("DELETE FROM item WHERE id = 5") }
        #expect(try await database.read { try $0.first("SELECT 1 FROM part WHERE item = 5", as: Int.self) } == nil)
    }

    @Test func whatIsInTheLogIsSavedAndTheFilesStayAsTheyAre() async throws {
        let database = try await Database(at: folder.database)
        try await database.write { connection in
            try connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT) STRICT")
            try connection.execute("INSERT INTO item VALUES (1, 'only in the log')")
        }
        let (bytes, log) = (try folder.bytes("test.sqlite"), try folder.bytes("test.sqlite-wal"))
        await database.close()
        try folder.write(bytes, to: "test.sqlite")
        try folder.write(log, to: "test.sqlite-wal")
        let report = try await Database.recover(folder.database)
        #expect(report.isComplete && report.tables.map(\.rows) == [1], "\(report)")
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: report.setAside))) == bytes)
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: report.setAside + "-wal"))) == log)
    }

    /// Pages of zeros: what is read is what was written, and everything but what was on the pages is read.
    @Test(arguments: 0..<12)
    func rowsAroundLostPagesAreSaved(round: UInt64) async throws {
        let whole = try await make()
        let seed = round &+ UInt64.random(in: 0..<1_000_000) * 100
        var generator = SeededGenerator(seed: seed)
        var bytes = whole
        // Not the first page, which has the list of tables, nor the few after it.
        let lost = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
            Int.random(in: 10..<whole.count / Self.pageSize, using: &generator)
        }
        for page in lost {
            bytes.replaceSubrange(
                page * Self.pageSize..<(page + 1) * Self.pageSize, with: repeatElement(0, count: Self.pageSize))
        }
        try folder.write(bytes, to: "test.sqlite")
        let report = try await Database.recover(folder.database)
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: report.setAside))) == bytes, "seed \(seed)")
        let database = try await Database(at: folder.database)
        let items = try await database.read { connection in
            try connection.query("SELECT id, name, bytes FROM item") { row in
                let (id, bytes) = (try row["id", as: Int.self], try row["bytes", as: [UInt8].self])
                // Zeros on an overflow page of a large blob are as good as any other bytes; nobody can notice.
                let isSame = id % 100 == 0 || bytes == [UInt8](repeating: UInt8(id % 251), count: 50)
                return try isSame && row["name"] == name(id)
            }
        }
        #expect(items.allSatisfy { $0 }, "seed \(seed)")
        let counts = Dictionary(uniqueKeysWithValues: report.tables.map { ($0.name, $0.rows) })
        #expect(counts["item"] == items.count, "seed \(seed)")
        // A page holds about 40 rows; a lost page inside the tree takes those below it along.
        for table in ["item", "part"] {
            let least = Self.rows - lost.count * 60
            let count = counts[table] ?? 0
            #expect(count >= least || report.tables.contains { $0.name == table && $0.gaps > 0 }, "seed \(seed)")
        }
        let problems = try await database.integrityCheck().filter { !$0.contains("refers to nothing") }
        #expect(problems.isEmpty, "seed \(seed)")
    }

    @Test(arguments: 0..<10)
    func anyDamageEndsInASoundFile(round: UInt64) async throws {
        let whole = try await make()
        let seed = round &+ UInt64.random(in: 0..<1_000_000) * 100
        var generator = SeededGenerator(seed: seed)
        var bytes = whole
        for _ in 0..<Int.random(in: 1...40, using: &generator) {
            let start = Int.random(in: 0..<bytes.count, using: &generator)
            for index in start..<min(bytes.count, start + Int.random(in: 1...300, using: &generator)) {
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
        }
        if Bool.random(using: &generator) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator)) }
        try folder.write(bytes, to: "test.sqlite")
        let report = try await Database.recover(folder.database)
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: report.setAside))) == bytes, "seed \(seed)")
        let database = try await Database(at: folder.database)
        let problems = try await database.integrityCheck().filter { !$0.contains("refers to nothing") }
        #expect(problems.isEmpty, "seed \(seed)")
        #expect(!report.description.isEmpty)
    }

    @Test func aRecoveryThatEndsEarlyChangesNothing() async throws {
        var bytes = try await make()
        bytes.replaceSubrange(12 * Self.pageSize..<13 * Self.pageSize, with: repeatElement(0, count: Self.pageSize))
        try folder.write(bytes, to: "test.sqlite")
        struct Stopped: Error {}
        await #expect(throws: Stopped.self) {
            try await Database.recoverIfDamaged(folder.database) { _ in throw Stopped() }
        }
        await #expect(throws: CancellationError.self) {
            try await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await Database.recover(folder.database)
            }.value
        }
        #expect(try folder.bytes("test.sqlite") == bytes)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.allSatisfy { !$0.contains("damaged") && !$0.contains("recovered") }, "\(names)")
        // One that was killed left this.
        try folder.write([1], to: "test.sqlite.recovered-1-2")
        let report = try #require(try await Database.recoverIfDamaged(folder.database))
        #expect(report.tables.reduce(0) { $0 + $1.rows } > 2 * Self.rows)
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: report.setAside))) == bytes)
        #expect(!FileManager.default.fileExists(atPath: folder.file("test.sqlite.recovered-1-2")))
    }

    @Test func theNewFileIsCompletedBeforeItTakesItsPlace() async throws {
        _ = try await make()
        _ = try await Database.recover(folder.database) { database in
            #expect(FileManager.default.fileExists(atPath: folder.database))
            try await database.write { try $0.execute("INSERT INTO words VALUES ('completed')") }
        }
        let database = try await Database(at: folder.database)
        let found = try await database.read { connection in
            try connection.first("SELECT 1 FROM words WHERE words MATCH 'completed'", as: Int.self)
        }
        #expect(found == 1)
    }

    @Test func `a lost list of migrations is made anew from the tables`() async throws {
        var bytes = try await make()
        // The list is the first table of the file.
        bytes.replaceSubrange(Self.pageSize..<2 * Self.pageSize, with: repeatElement(0xA5, count: Self.pageSize))
        try folder.write(bytes, to: "test.sqlite")
        let later = [
            Migration(name: "more", sql: "CREATE INDEX item_bytes ON item (bytes)"),
            Migration(name: "most", sql: "CREATE TABLE most (id INTEGER) STRICT"),
        ]
        let report = try await Database.recover(folder.database) { database in
            try await database.restoreMigrationList(Self.migrations + later)
            #expect(try await database.migrate(Self.migrations + later) == ["more", "most"])
        }
        #expect(report.tables.map(\.rows) == [0, Self.rows, Self.rows, Self.rows, 10, 100], "\(report)")
        let database = try await Database(at: folder.database)
        let list: SQL = "SELECT position || ' ' || name FROM schema_migration ORDER BY position"
        #expect(try await database.read { try $0.query(list, as: String.self) } == ["0 all kinds", "1 more", "2 most"])
        // A whole list stays as it is, and one of a newer program is refused.
        try await database.restoreMigrationList(Self.migrations + later)
        try await database.restoreMigrationList(Self.migrations)
        #expect(try await database.migrate(Self.migrations + later).isEmpty)
        #expect(await code { try await database.migrate(Self.migrations) } == .newer)
    }

    /// - Parameter left: The part of the damaged file that was not set aside yet.
    @Test(arguments: [nil, "-wal", "-shm"])
    func `a recovery that is killed between its renames is ended by the next program`(left: String?) async throws {
        struct Killed: Error {}
        try folder.write(try await make(), to: "test.sqlite.recovered-1-2")
        let (file, copy) = (try DatabaseFile(path: folder.database), folder.file("test.sqlite.recovered-1-2"))
        for suffix in ["", "-wal", "-shm"] { try folder.write([1], to: "test.sqlite" + suffix) }
        #expect(throws: Killed.self) {
            _ = try Database.replace(file, by: DatabaseFile(path: copy), now: Date()) { throw Killed() }
        }
        #expect(try DatabaseFile.size(of: file.path) == nil)
        if let left { try folder.write([1], to: "test.sqlite" + left) }
        if left == "-wal" {
            #expect(await code { _ = try await Database(at: folder.database) } == .damaged)
            #expect(try await Database.recoverIfDamaged(folder.database) == nil)
        }
        let database = try await Database(at: folder.database)
        #expect(try await database.read { try $0.first("SELECT count(*) FROM item", as: Int.self) } == Self.rows)
        #expect(try await database.integrityCheck().isEmpty)
        await database.close()
        #expect(try await Database.recoverIfDamaged(folder.database) == nil)
        #expect(try !folder.names().contains { $0.contains("recovered") })
    }

    @Test func `a copy that awaits its place is found by a recovery, and goes beside the file`() async throws {
        try folder.write(try await make(), to: "test.sqlite.recovered")
        try FileManager.default.removeItem(atPath: folder.database)
        #expect(try await Database.recoverIfDamaged(folder.database) == nil)
        let names = try folder.names()
        #expect(names.contains("test.sqlite") && !names.contains("test.sqlite.recovered"))
        // The program was killed before the first rename: the file may have changed since.
        try folder.write([1], to: "test.sqlite.recovered")
        try await Database.removeCopies(of: folder.database)
        #expect(try folder.names() == names)
    }

    @Test func noFileIsNotFoundAndRubbishIsKept() async throws {
        #expect(await code { _ = try await Database.recover(folder.database) } == .notFound)
        try folder.write([UInt8](repeating: 7, count: 10_000), to: "test.sqlite")
        let report = try await Database.recover(folder.database)
        #expect(!report.isComplete && report.tables.isEmpty)
        #expect(try Data(contentsOf: URL(fileURLWithPath: report.setAside)).count == 10_000)
        #expect(try await Database(at: folder.database).schema().isEmpty)
    }
}
