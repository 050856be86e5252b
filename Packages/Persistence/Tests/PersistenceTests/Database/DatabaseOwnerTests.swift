// SPDX-License-Identifier: MIT

import Foundation
import Persistence
import TestKit
import Testing

@Suite struct DatabaseOwnerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open() async throws { await (try await Database(at: folder.database)).close() }

    @Test func `a file that others can read is closed to them`() async throws {
        try await open()
        chmod(folder.database, 0o644)
        try await open()
        #expect(try folder.mode("test.sqlite") == 0o600)
    }

    @Test(arguments: [0o620, 0o602] as [mode_t])
    func `a file that others can write is refused`(mode: mode_t) async throws {
        try await open()
        chmod(folder.database, mode)
        await #expect {
            try await open()
        } throws: { error in
            let error = error as? DatabaseError
            return error?.code == .insecureFile && error?.message.contains("chmod go-w '\(folder.database)'") == true
        }
    }

    @Test func `a folder that others can write is refused unless sticky`() async throws {
        chmod(folder.path, 0o777)
        #expect(await code { try await open() } == .insecureFile)
        chmod(folder.path, 0o1777)
        try await open()
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can give files away."))
    func `another user's file is refused`() async throws {
        try await open()
        chown(folder.database, 65_534, 65_534)
        #expect(await code { try await open() } == .insecureFile)
        chown(folder.database, 0, 0)
        chown(folder.path, 65_534, 65_534)
        #expect(await code { try await open() } == .insecureFile)
    }
}
