// SPDX-License-Identifier: MIT

import ObjectStore
import ObjectStoreTestSupport
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ContractTests {
    @Test(arguments: ObjectStoreContract.checks)
    func `a folder keeps the contract`(check: ObjectStoreContract.Check) async throws {
        let folder = try TemporaryFolder()
        try await check.run(
            ObjectStoreContract.Subject(FolderObjectStore(folder.file("objects")), folder: folder.path))
    }

    @Test(
        .enabled(if: MotoServer.isInstalled, "needs moto: run Scripts/test-peers"),
        arguments: ObjectStoreContract.checks)
    func `S3 keeps the contract`(check: ObjectStoreContract.Check) async throws {
        let folder = try TemporaryFolder()
        // One server for all: each check has a beginning of keys of its own.
        let store = try SharedMoto.server.get().store(prefix: "check-\(UInt64.random(in: 0 ... .max))")
        try await check.run(ObjectStoreContract.Subject(store, folder: folder.path))
    }
}

/// A server for the tests that leave others alone. It ends with this process, which holds its standard input.
enum SharedMoto {
    static let server = Result { try MotoServer() }
    /// One that checks nothing, for presigned addresses.
    static let open = Result { try MotoServer(checksSignatures: false) }
}
