// SPDX-License-Identifier: MIT

import AuthServer
import DataLayer
import Domain
import Foundation
import Networking
import Persistence
import PracticeWire
import SyncWire
import TestKit
import Testing

@testable import ParleyServer

/// `DELETE /account`: all of an account is gone, or all of it can be used.
@Suite(.timeLimit(.minutes(5))) struct AccountErasureTests {
    private static let address = "http://127.0.0.1:1"
    private static let sentence = "the quick brown fox of ada"

    private func makeFixture(_ home: TemporaryFolder) async throws -> ServerFixture {
        try await ServerFixture(home: home) { $0.publicAddress = Self.address }
    }

    /// Its tokens are good for a server that is a process of its own.
    private func makeRealTimeFixture(_ home: TemporaryFolder) async throws -> ServerFixture {
        try await ServerFixture(home: home) {
            $0.publicAddress = Self.address
            $0.clock = .system
        }
    }

    private func fill(_ fixture: ServerFixture, _ person: Person, seed: UInt64) async throws {
        let result =
            #"{"id":"\#(UUID().uuidString.lowercased())","cue":"\#(StarterCues.all[0].id)","cue_text":"\#(Self.sentence)","#
            + #""language":"en","practised_at":"2026-01-31T12:00:00.000Z","day":"2026-01-31","rating":3}"#
        let answer = try await fixture.call(.post, "/practice", as: person, json: #"{"items":[\#(result)]}"#)
        try #require(answer.status == 204)
        try await fixture.upload(SoundSample(300, seed: seed), as: person)
        try #require(
            try await fixture.putObject(SyncSample.path(Int(seed)), Array(Self.sentence.utf8), as: person).status == 201
        )
        _ = try await fixture.create(SoundSample(200, seed: seed + 1), as: person)
        try #require(try await fixture.call(.post, "/rpc/heartbeat", as: person).status == 204)
    }

    private func usable(_ fixture: ServerFixture, _ person: Person) async throws -> Bool {
        let page = try await fixture.call(.get, "/practice", as: person)
        guard page.status == 200 else { return false }
        let results: PracticePageDTO = try decoded(page)
        let recordings = try await text(fixture.call(.get, "/recordings", as: person))
        let objects = try await fixture.listObjects(as: person).objects
        return try results.page().results.count == 1 && objects.count == 1 && recordings.contains("byte_count")
            && fixture.soundFiles.filter { $0.hasPrefix(person.account) }.count == 2
    }

    @Test func `an erased account leaves nothing but its erasure`() async throws {
        let home = try TemporaryFolder()
        let fixture = try await makeFixture(home)
        let (ada, bob) = (try await fixture.signIn("ada@example.org"), try await fixture.signIn("bob@example.org"))
        try await fill(fixture, ada, seed: 1)
        try await fill(fixture, bob, seed: 5)
        #expect(try await fixture.call(.delete, "/account/data", as: ada).status == 200)
        try await fill(fixture, ada, seed: 9)
        // A mail that nobody has used.
        _ = try await fixture.askForMail("ada@example.org")
        let answer = try await fixture.call(.delete, "/account", as: ada)
        #expect(answer.status == 200)
        let receipt: DeletionReceiptDTO = try decoded(answer)
        #expect(
            receipt.counts == [
                "results": 1, "recordings": 1, "uploads": 1, "evaluations": 1, "receipts": 1, "sessions": 1,
                "objects": 1,
            ])
        #expect(receipt.deletedAt == "2026-01-01T00:00:00.000Z")
        #expect(try await usable(fixture, bob))
        #expect(try fixture.soundFiles.allSatisfy { $0.hasPrefix(bob.account) })
        await fixture.stop()
        #expect(try home.files(containing: ada.account) == ["server.sqlite"])
        #expect(try home.files(containing: "ada@example.org").isEmpty)
        #expect(
            try home.files(containing: bob.account).isSuperset(of: [
                "practice.sqlite", "recordings.sqlite", "sync.sqlite",
            ]))
    }

    @Test func `the token gets the same receipt and nothing else`() async throws {
        let home = try TemporaryFolder()
        var fixture = try await makeFixture(home)
        let ada = try await fixture.signIn("ada@example.org")
        try await fill(fixture, ada, seed: 1)
        let first = try await fixture.call(.delete, "/account", as: ada)
        #expect(try await fixture.call(.delete, "/account", as: ada).body == first.body)
        for path in ["/user", "/practice", "/rpc/me", "/account/export"] {
            #expect(try await fixture.call(.get, path, as: ada).status == 403, "\(path)")
        }
        await fixture.stop()
        fixture = try await makeFixture(home)
        #expect(try await fixture.call(.delete, "/account", as: ada).body == first.body)
        let again = try await fixture.signIn("ada@example.org")
        #expect(again.account != ada.account)
        #expect(try await text(fixture.call(.get, "/practice", as: again)) == #"{"items":[],"next":null}"#)
        // The new account has nothing to do with the old one's token.
        #expect(try await fixture.call(.delete, "/account", as: ada).body == first.body)
        #expect(try await fixture.call(.get, "/rpc/me", as: again).status == 200)
        await fixture.stop()
    }

    /// Before the erasure is stored, a fault leaves everything; after it, the server finishes by itself.
    private static let faults: [(isStored: Bool, fault: FailingTable?)] = [
        (
            false,
            table("server.sqlite", "CREATE TRIGGER broken BEFORE DELETE ON session BEGIN SELECT raise(ABORT, 'x'); END")
        ),
        (
            false,
            table("server.sqlite", "CREATE TRIGGER broken BEFORE DELETE ON address BEGIN SELECT raise(ABORT, 'x'); END")
        ),
        (
            false,
            table("server.sqlite", "CREATE TRIGGER broken BEFORE DELETE ON account BEGIN SELECT raise(ABORT, 'x'); END")
        ),
        (
            false,
            table("server.sqlite", "CREATE TRIGGER broken BEFORE INSERT ON erasure BEGIN SELECT raise(ABORT, 'x'); END")
        ),
        (
            true,
            table(
                "recordings.sqlite",
                "CREATE TRIGGER broken BEFORE DELETE ON recording BEGIN SELECT raise(ABORT, 'x'); END")
        ),
        (
            true,
            table(
                "recordings.sqlite",
                "CREATE TRIGGER broken BEFORE DELETE ON presence BEGIN SELECT raise(ABORT, 'x'); END")
        ),
        (
            true,
            table(
                "practice.sqlite",
                "CREATE TRIGGER broken BEFORE DELETE ON practice_result BEGIN SELECT raise(ABORT, 'x'); END")
        ),
        (
            true,
            table(
                "practice.sqlite",
                "CREATE TRIGGER broken BEFORE DELETE ON practice_change BEGIN SELECT raise(ABORT, 'x'); END")
        ),
        (
            true,
            table(
                "sync.sqlite",
                "CREATE TRIGGER broken BEFORE DELETE ON sync_object BEGIN SELECT raise(ABORT, 'x'); END")
        ),
        (
            true,
            table(
                "sync.sqlite",
                "CREATE TRIGGER broken BEFORE DELETE ON sync_account BEGIN SELECT raise(ABORT, 'x'); END")
        ),
        (true, nil),
        (
            true,
            table(
                "server.sqlite",
                "CREATE TRIGGER broken BEFORE INSERT ON erasure WHEN NEW.done_at IS NOT NULL BEGIN SELECT raise(ABORT, 'x'); END"
            )
        ),
    ]

    private static func table(_ file: String, _ trigger: SQL) -> FailingTable {
        FailingTable(file: file, trigger: trigger)
    }

    @Test(arguments: faults.indices)
    func `a fault leaves all of an account or nothing`(_ index: Int) async throws {
        let (isStored, fault) = Self.faults[index]
        let home = try TemporaryFolder()
        var fixture = try await makeFixture(home)
        let (ada, bob) = (try await fixture.signIn("ada@example.org"), try await fixture.signIn("bob@example.org"))
        try await fill(fixture, ada, seed: 1)
        try await fill(fixture, bob, seed: 5)
        let obstacle = fault == nil ? try home.obstructRemoval(of: ada.account) : nil
        try await fault?.breakIt(in: home)
        let answer = try await fixture.call(.delete, "/account", as: ada)
        if isStored {
            #expect(answer.status == 503 && text(answer).contains("erasure_unfinished"))
            #expect(try await fixture.call(.get, "/rpc/me", as: ada).status == 403)
        } else {
            #expect(answer.status == 500)
            #expect(try await usable(fixture, ada))
        }
        // With the fault still there the next server starts, and nobody else is kept from anything.
        await fixture.stop()
        fixture = try await makeFixture(home)
        #expect(try await usable(fixture, bob))
        #expect(try await fixture.call(.get, "/rpc/me", as: ada).status == (isStored ? 403 : 200))
        await fixture.stop()
        if let obstacle { try FileManager.default.removeItem(atPath: obstacle) }
        try await fault?.mendIt(in: home)
        fixture = try await makeFixture(home)
        if isStored {
            let receipt: DeletionReceiptDTO = try decoded(await fixture.call(.delete, "/account", as: ada))
            #expect(receipt.counts["results"] == 1 && receipt.counts["recordings"] == 1)
        } else {
            #expect(try await usable(fixture, ada))
            #expect(try await fixture.call(.delete, "/account", as: ada).status == 200)
        }
        #expect(try await usable(fixture, bob))
        await fixture.stop()
        #expect(try home.files(containing: ada.account) == ["server.sqlite"])
    }

    /// The steps of a deletion in their order: all of an account is there in the first four, and can be used.
    private static let steps: [(file: String, change: SQL)] = [
        ("server.sqlite", "DELETE ON session"), ("server.sqlite", "DELETE ON address"),
        ("server.sqlite", "DELETE ON account"), ("server.sqlite", "INSERT ON erasure"),
        ("recordings.sqlite", "DELETE ON recording"), ("recordings.sqlite", "DELETE ON presence"),
        ("practice.sqlite", "DELETE ON practice_result"),
        // As the server starts, it makes and deletes a row of nobody's.
        ("practice.sqlite", "DELETE ON practice_change WHEN OLD.owner <> ''"),
        ("sync.sqlite", "DELETE ON sync_object"), ("sync.sqlite", "DELETE ON sync_account"),
        ("server.sqlite", "INSERT ON erasure WHEN NEW.done_at IS NOT NULL"),
    ]

    @Test(arguments: steps.indices)
    func `a killed server leaves all of an account or nothing`(_ index: Int) async throws {
        let (file, change) = Self.steps[index]
        let isStored = index >= 4
        let home = try TemporaryFolder()
        var fixture = try await makeRealTimeFixture(home)
        let ada = try await fixture.signIn("ada@example.org")
        try await fill(fixture, ada, seed: 1)
        await fixture.stop()
        let halt = EndlessChange(path: home.path + "/" + file, change: change)
        try await halt.set()
        let server = try ServerProcess(home: home.path, ["--public", Self.address])
        let connection = try RawConnection(port: try #require(URL(string: server.address)?.port))
        connection.send(
            "DELETE /account HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(ada.token)\r\n\r\n".utf8)
        try await eventually("the deletion is in its step") { halt.isUnderWay }
        server.kill()
        try await halt.remove()
        fixture = try await makeRealTimeFixture(home)
        #expect(try await fixture.call(.get, "/rpc/me", as: ada).status == (isStored ? 403 : 200))
        #expect(try await usable(fixture, ada) == !isStored)
        #expect(try fixture.soundFiles.isEmpty == isStored)
        #expect(try await fixture.call(.delete, "/account", as: ada).status == 200)
        await fixture.stop()
        #expect(try home.files(containing: ada.account) == ["server.sqlite"])
    }
}

/// A change of a table that never ends: its transaction stays open until its process is killed.
private struct EndlessChange: Sendable {
    let path: String
    let change: SQL

    func set() async throws {
        try await run([
            "CREATE TABLE filler (content)",
            """
            CREATE VIEW numbers AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n
            """,
            """
            CREATE TRIGGER endless BEFORE \(sql: change) BEGIN
                INSERT INTO filler SELECT randomblob(4000) FROM numbers LIMIT 8000;
                INSERT INTO filler SELECT count(*) FROM numbers;
            END
            """,
        ])
    }

    /// True once rows of the trigger have left the cache for the log: nothing else writes so much.
    var isUnderWay: Bool { DiskSpace.size(of: path + "-wal") > 16 << 20 }

    func remove() async throws { try await run(["DROP TRIGGER endless", "DROP VIEW numbers", "DROP TABLE filler"]) }

    private func run(_ statements: [SQL]) async throws {
        let database = try await Database(at: path)
        try await database.write { connection in for statement in statements { try connection.execute(statement) } }
        await database.close()
    }
}
