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
}
