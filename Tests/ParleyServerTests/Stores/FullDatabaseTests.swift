// SPDX-License-Identifier: MIT

import AuthServer
import Diagnostics
import Foundation
import Glibc
import Networking
import PostgresTestSupport
import TestKit
import Testing

@testable import ParleyServer

/// A small file system of its own, in memory; it ends with its last reference.
private final class SmallDisk: Sendable {
    let folder: TemporaryFolder

    /// - Returns: Nil without the right to mount.
    init?(megabytes: Int) throws {
        folder = try TemporaryFolder()
        guard geteuid() == 0, mount("none", folder.path, "tmpfs", 0, "size=\(megabytes)m") == 0 else { return nil }
    }

    deinit { umount2(folder.path, Int32(MNT_DETACH)) }

    /// Takes all room that is left.
    func fill() throws {
        let file = open(folder.file("filler"), O_WRONLY | O_CREAT, 0o600)
        defer { close(file) }
        let block = [UInt8](repeating: 1, count: 4_096)
        while write(file, block, block.count) == block.count {}
        try #require(errno == ENOSPC)
    }

    func empty() { unlink(folder.file("filler")) }
}

/// PostgreSQL's disk is full while a server runs.
@Suite(.timeLimit(.minutes(5))) struct FullDatabaseTests {
    @Test(.enabled(if: geteuid() == 0, "needs the right to mount a small disk"))
    func `a full disk of the database loses nothing and is named`() async throws {
        guard let disk = try SmallDisk(megabytes: 48) else {
            Issue.record("A file system of memory could not be mounted.")
            return
        }
        let cluster = try await PostgresCluster.start()
        let place = disk.folder.file("tables")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        let owned = try ChildProcess("chown", ["-R", "postgres", place]).finish()
        let open = try ChildProcess("chmod", ["755", disk.folder.path]).finish()
        try #require(owned.code == 0 && open.code == 0)
        try cluster.psql("CREATE TABLESPACE small LOCATION '\(place)'")
        try cluster.psql("CREATE DATABASE small TABLESPACE small")

        let ring = RingSink()
        let fixture = try await ServerFixture(logger: Logger(category: "server", sink: ring)) {
            $0.database = cluster.url(database: "small")
            $0.clock = .system
        }
        let ada = try await fixture.signIn("ada@example.org")
        func store(_ id: String) async throws -> Int {
            let text = String(repeating: "words ", count: 40)
            return try await fixture.call(
                .put, "/practice/\(id)", as: ada, headers: ["Content-Type": "application/json"],
                json: """
                    {"id": "\(id)", "cue": "11111111-2222-4333-8444-555555555555", "cue_text": "\(text)", "language": "en",
                    "recording": null, "practised_at": "2026-01-31T12:00:00.000Z", "day": "2026-01-31", "rating": 3,
                    "evaluation": null}
                    """
            ).status
        }
        var acknowledged: [String] = []
        func storeUntilRefused(_ most: Int) async throws -> Int {
            for _ in 0..<most {
                let id = UUID().uuidString.lowercased()
                let status = try await store(id)
                guard [200, 201].contains(status) else { return status }
                acknowledged.append(id)
            }
            return 0
        }
        try #require(try await storeUntilRefused(20) == 0)
        try disk.fill()
        // Pages that are there have some room.
        #expect(try await storeUntilRefused(20_000) == 507)
        let full = try await fixture.get("/readyz")
        #expect(full.status == 503 && text(full).contains(#""databases":"full""#), "\(text(full))")
        let lines = ring.snapshot().map(\.message.text)
        #expect(lines.filter { $0.hasPrefix("the disk of the database is full") }.count == 1, "\(lines)")
        // Reading goes on.
        #expect(try await fixture.call(.get, "/practice/\(acknowledged[0])", as: ada).status == 200)

        disk.empty()
        #expect(try await fixture.get("/readyz").status == 200)
        #expect(try await storeUntilRefused(20) == 0)
        for id in acknowledged {
            #expect(try await fixture.call(.get, "/practice/\(id)", as: ada).status == 200, "\(id) is lost")
        }
        #expect(ring.snapshot().contains { $0.message.text == "the disk of the database has room again" })
        await fixture.stop()
    }
}
