// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import Persistence

@Suite struct DatabaseFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func newFilesAndFoldersBelongToTheirOwnerAlone() async throws {
        let database = try await Database(at: folder.file("a/b/test.sqlite"))
        try await database.write { try $0.execute("CREATE TABLE a (id INTEGER)") }
        #expect(try folder.mode("a") == 0o700)
        #expect(try folder.mode("a/b") == 0o700)
        for suffix in ["", "-wal", "-shm"] { #expect(try folder.mode("a/b/test.sqlite" + suffix) == 0o600) }
    }

    @Test func `an existing file and its log are closed to others`() async throws {
        try folder.write([], to: "test.sqlite")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.database)
        let database = try await Database(at: folder.database)
        try await database.write { try $0.execute("CREATE TABLE a (id INTEGER)") }
        for suffix in ["", "-wal", "-shm"] { #expect(try folder.mode("test.sqlite" + suffix) == 0o600) }
    }

    @Test func `a database that another program makes meanwhile is not damaged`() throws {
        var isMade = false
        try DatabaseFile(path: folder.database).prepare(isReadOnly: false) { path in
            defer {
                if !isMade {
                    // As SQLite does: one page, then the log's head and a commit.
                    try! folder.write(Array(repeating: 1, count: 4096), to: "test.sqlite")
                    try! folder.write(Array(repeating: 1, count: 32 + 24 + 4096), to: "test.sqlite-wal")
                    isMade = true
                }
            }
            return try DatabaseFile.size(of: path)
        }
        #expect(isMade)
    }

    @Test(arguments: ["", "a\u{0}b"])
    func aPathThatNamesNoFileIsRefused(path: String) async {
        #expect(await code { _ = try await Database(at: path) } == .invalidPath)
    }

    @Test func aPathThatLeadsNowhereIsNotFound() async throws {
        try folder.write([1], to: "file")
        #expect(await code { _ = try await Database(at: folder.file("file/test.sqlite")) } == .notFound)
        chmod(folder.path, 0o755)
        #expect(await code { _ = try await Database(at: folder.path) } == .notFound)
        #expect(try folder.mode("") == 0o755)
        let missing = folder.file("missing.sqlite")
        let readOnly = Database.Configuration().with { $0.isReadOnly = true }
        #expect(await code { _ = try await Database(at: missing, configuration: readOnly) } == .notFound)
        #expect(!FileManager.default.fileExists(atPath: missing))
    }

    @Test(.enabled(if: geteuid() != 0, "The superuser may read and write everything."))
    func deniedAccessHasItsCodes() async throws {
        let database = try await Database(at: folder.database)
        try await database.write { try $0.execute("CREATE TABLE a (id INTEGER)") }
        await database.close()
        chmod(folder.database, 0o400)
        #expect(await code { _ = try await Database(at: folder.database) } == .readOnly)
        let readOnly = try await Database(at: folder.database, configuration: .init().with { $0.isReadOnly = true })
        #expect(try await readOnly.read { try $0.first("SELECT count(*) FROM a", as: Int.self) } == 0)
        await readOnly.close()
        chmod(folder.database, 0)
        #expect(await code { _ = try await Database(at: folder.database) } == .permission)
        chmod(folder.path, 0o500)
        defer { chmod(folder.path, 0o700) }
        #expect(await code { _ = try await Database(at: folder.file("new.sqlite")) } == .permission)
        #expect(await code { _ = try await Database(at: folder.file("new/new.sqlite")) } == .permission)
    }

    @Test func aColonAtTheStartIsAFileNotSQLitesMemory() async throws {
        let name = ":memory:\(UUID().uuidString)"
        let database = try await Database(at: name)
        defer { for suffix in ["", "-wal", "-shm"] { unlink("./" + name + suffix) } }
        #expect(FileManager.default.fileExists(atPath: "./" + name))
        await database.close()
    }

    @Test func memoryDatabasesAreApart() async throws {
        let (one, two) = (try await Database.inMemory(), try await Database.inMemory())
        try await one.write { try $0.execute("CREATE TABLE a (id INTEGER)") }
        #expect(try await one.schema().count == 1)
        #expect(try await two.schema().isEmpty)
        #expect(one.path == nil)
    }

    @Test func `opening a file that is up to date writes nothing`() async throws {
        let migrations = [
            Migration(
                name: "messages",
                sql: """
                    CREATE TABLE message (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
                    CREATE VIRTUAL TABLE message_text USING fts5(body, content='message', content_rowid='id');
                    """)
        ]
        let first = try await Database(at: folder.database)
        try await first.migrate(migrations)
        await first.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.database))
        for _ in 0..<3 {
            let database = try await Database(at: folder.database)
            try await database.migrate(migrations)
            let log = try? Data(contentsOf: URL(fileURLWithPath: folder.database + "-wal"))
            #expect(log?.isEmpty != false)
            await database.close()
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == before)
        }
    }
}
