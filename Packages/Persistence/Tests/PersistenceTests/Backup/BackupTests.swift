// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import TestKit
import Testing

@testable import Persistence

@Suite struct BackupTests {
    private let folder: TemporaryFolder
    private let database: Database

    init() async throws {
        folder = try TemporaryFolder()
        database = try await Database(at: folder.database)
        try await database.write { connection in
            try connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, bytes BLOB) STRICT")
            for _ in 0..<200 { try connection.execute("INSERT INTO item (bytes) VALUES (randomblob(3000))") }
        }
    }

    @Test func theCopyIsOneSnapshotThoughWritesGoOn() async throws {
        let steps = Guarded<[BackupProgress]>([])
        let (database, path) = (database, folder.file("copy.sqlite"))
        async let writing: Void = {
            for _ in 0..<50 {
                try await database.write(durability: .normal) { connection in
                    for _ in 0..<2 { try connection.execute("INSERT INTO item (bytes) VALUES (randomblob(3000))") }
                }
            }
        }()
        try await database.backUp(to: path, pagesPerStep: 20) { progress in steps.withLock { $0.append(progress) } }
        try await writing
        let copy = try await Database(at: path)
        let count = try await copy.read { try $0.first("SELECT count(*) FROM item", as: Int.self) } ?? 0
        #expect(count >= 200 && count % 2 == 0)
        #expect(try await copy.integrityCheck().isEmpty)
        #expect(try folder.mode("copy.sqlite") == 0o600)
        let seen = steps.withLock { $0 }
        #expect(seen.count > 5 && seen.last?.copiedPages == seen.last?.totalPages)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.copiedPages < $1.copiedPages })
    }

    @Test func cancellingLeavesNoFile() async throws {
        let (database, path) = (database, folder.file("copy.sqlite"))
        let task = Task {
            try await database.backUp(to: path, pagesPerStep: 1) { _ in withUnsafeCurrentTask { $0?.cancel() } }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try folder.names().filter { $0.hasPrefix("copy") }.isEmpty)
    }

    @Test func anExistingFileIsNotTouched() async throws {
        try folder.write([1, 2, 3], to: "copy.sqlite")
        #expect(await code { try await database.backUp(to: folder.file("copy.sqlite")) } == .alreadyExists)
        #expect(try folder.bytes("copy.sqlite") == [1, 2, 3])
        #expect(await code { try await database.backUp(to: folder.file("copy.sqlite/below")) } == .notFound)
    }

    @Test func memoryCanBeKept() async throws {
        let memory = try await Database.inMemory()
        try await memory.write { try $0.execute("CREATE TABLE a (id INTEGER)") }
        try await memory.backUp(to: folder.file("memory.sqlite"))
        let copy = try await Database(at: folder.file("memory.sqlite"))
        #expect(try await copy.schema().count == 1)
    }
}
