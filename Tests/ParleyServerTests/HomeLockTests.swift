// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import ParleyServer

/// One server has a home at a time.
@Suite(.timeLimit(.minutes(5))) struct HomeLockTests {
    @Test func `a second server ends with six and removes nothing`() throws {
        let home = try TemporaryFolder()
        // As a server holds it; a real one would sweep the file away, too.
        let first = try HomeLock(home.path)
        // As an upload looks between its file and its row: a server that started would sweep it away.
        let account = home.path + "/recordings/" + UUID().uuidString.lowercased()
        let file = account + "/" + UUID().uuidString.lowercased()
        try FileManager.default.createDirectory(atPath: account, withIntermediateDirectories: true)
        try Data("sound".utf8).write(to: URL(filePath: file))
        try Self.age(file)
        let second = try ServerProcess.run(["serve", "--dev", "--port", "0", "--home", home.path])
        #expect(second.code == 6 && second.output.isEmpty)
        #expect(second.errors.contains("Another parley-server uses \(home.path). Stop it, or give another --home."))
        #expect(FileManager.default.fileExists(atPath: file))
        first.release()
        // A server that has the home sweeps before it listens.
        let third = try ServerProcess(home: home.path)
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(third.stop() == 0)
    }

    /// Makes a file older than what the sweep spares.
    private static func age(_ file: String) throws {
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: file)
    }

    @Test func `a lock ends with its process`() throws {
        let home = try TemporaryFolder()
        let first = try ServerProcess(home: home.path)
        #expect(throws: ServerSetupError.homeInUse(home.path)) { try HomeLock(home.path) }
        first.kill()
        try HomeLock(home.path).release()
    }

    @Test func `a lock is free again after its release`() throws {
        let home = try TemporaryFolder()
        let first = try HomeLock(home.path)
        #expect(throws: ServerSetupError.homeInUse(home.path)) { try HomeLock(home.path) }
        first.release()
        first.release()
        let second = try HomeLock(home.path)
        #expect(throws: ServerSetupError.homeInUse(home.path)) { try HomeLock(home.path) }
        second.release()
        #expect(throws: ServerSetupError.homeUnusable("/proc", ENOENT)) { try HomeLock("/proc") }
    }

    @Test func `a lock is free after its release while a child has its file`() throws {
        let home = try TemporaryFolder()
        let lock = try HomeLock(home.path, for: .whole)
        // As a child has them between fork and exec.
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            return HomeLock.names.contains { path == "\(home.path)/\($0)" }
        }
        let copies = open.compactMap { Int32($0) }.map { dup($0) }
        defer { for copy in copies { close(copy) } }
        try #require(copies.count == 2)
        lock.release()
        try HomeLock(home.path, for: .whole).release()
    }

    @Test func `commands share a home and a transfer has it alone`() throws {
        let home = try TemporaryFolder()
        let server = try HomeLock(home.path)
        let commands = try (0..<3).map { _ in try HomeLock(home.path, for: .command) }
        #expect(throws: ServerSetupError.homeInUse(home.path)) { try HomeLock(home.path, for: .whole) }
        server.release()
        #expect(throws: ServerSetupError.homeHasCommand(home.path)) { try HomeLock(home.path, for: .whole) }
        // A refused one holds nothing.
        try HomeLock(home.path).release()
        for command in commands { command.release() }
        let whole = try HomeLock(home.path, for: .whole)
        #expect(throws: ServerSetupError.homeMoves(home.path)) { try HomeLock(home.path, for: .command) }
        #expect(throws: ServerSetupError.homeInUse(home.path)) { try HomeLock(home.path) }
        whole.release()
        try HomeLock(home.path, for: .command).release()
    }

    /// Each pair runs as two processes, the first of which holds the home for as long as the second one runs.
    @Test func `two commands at once write beside a server`() async throws {
        let home = try TemporaryFolder()
        let server = try ServerProcess(home: home.path)
        let results = try await withThrowingTaskGroup(of: ChildProcess.Result.self) { group in
            for number in 0..<6 {
                let words = [
                    ["users", "invite", "person\(number)@example.org"], ["stats"], ["keys", "rotate"],
                    ["users", "invite", "other\(number)@example.org"], ["backup", "\(home.path)-backup-\(number)"],
                    ["users", "list"],
                ][number]
                group.addTask {
                    try await RawConnection.onThread { try ServerProcess.run(words + ["--home", home.path]) }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.allSatisfy { $0.code == 0 }, "\(results.map(\.errors))")
        #expect(server.stop() == 0)
        try FileManager.default.removeItem(atPath: "\(home.path)-backup-4")
        let list = try ServerProcess.run(["users", "list", "--home", home.path])
        #expect(list.output.contains("person0@example.org") && list.output.contains("other3@example.org"))
    }

    @Test(arguments: [
        ["users", "list"], ["jobs"], ["mails"], ["stats"], ["service-token"], ["cues", "list"], ["keys", "rotate"],
        ["backup", "/nonexistent/backup"],
    ])
    func `no command works in a home that moves`(_ words: [String]) async throws {
        let home = try TemporaryFolder()
        let server = try ServerProcess(home: home.path)
        #expect(server.stop() == 0)
        let whole = try HomeLock(home.path, for: .whole)
        let refused = try ServerProcess.run(words + ["--home", home.path])
        #expect(refused.code == 6 && refused.errors.contains("A transfer or a restoration uses \(home.path)."))
        whole.release()
    }

    @Test func `a transfer waits for no command`() async throws {
        let home = try TemporaryFolder()
        let server = try ServerProcess(home: home.path)
        #expect(server.stop() == 0)
        let command = try HomeLock(home.path, for: .command)
        let refused = try ServerProcess.run(["transfer", "--from", "sqlite:\(home.path)", "--to", "postgres:///none"])
        #expect(refused.code == 6 && refused.errors.contains("Another parley-server command uses \(home.path)."))
        command.release()
    }
}
