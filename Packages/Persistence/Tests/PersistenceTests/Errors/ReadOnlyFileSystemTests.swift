// SPDX-License-Identifier: MIT

import Glibc
import TestKit
import Testing

@testable import Persistence

/// SQLite makes files beside a database even to read it, so that one on a read-only file system cannot be opened.
struct ReadOnlyFileSystemTests {
    @Test(.enabled(if: geteuid() == 0, "needs the right to mount"))
    func `a read-only file system is named as the cause`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        let database = try await Database(at: folder.database)
        try await database.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY) STRICT") }
        await database.close()
        try #require(mount(path, path, nil, UInt(MS_BIND), nil) == 0)
        defer { umount2(path, Int32(MNT_DETACH)) }
        try #require(mount(nil, path, nil, UInt(MS_REMOUNT) | UInt(MS_BIND) | UInt(MS_RDONLY), nil) == 0)
        let error = await #expect(throws: DatabaseError.self) {
            let database = try await Database(at: folder.database)
            _ = try await database.read { try $0.first("SELECT count(*) AS number FROM item", as: Int.self) }
        }
        #expect(error?.code == .readOnly && error?.message.contains("file system that is read-only") == true)
    }
}
