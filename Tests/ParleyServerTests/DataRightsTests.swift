// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
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

@Suite(.timeLimit(.minutes(5))) struct DataRightsTests {
    private static func result(_ number: Int, practisedAt: String = "2026-01-31T12:00:00.000Z") -> String {
        #"{"id":"\#(UUID().uuidString.lowercased())","cue":"\#(StarterCues.all[0].id)","cue_text":"number \#(number)","#
            + #""language":"en","practised_at":"\#(practisedAt)","day":"2026-01-31","rating":3}"#
    }

    private func fill(_ fixture: ServerFixture, _ person: Person, results: Int, _ sounds: [SoundSample]) async throws {
        for start in stride(from: 0, to: results, by: 200) {
            let items = (start..<min(start + 200, results)).map { Self.result($0) }.joined(separator: ",")
            try #require(
                try await fixture.call(.post, "/practice", as: person, json: #"{"items":[\#(items)]}"#).status == 204)
        }
        for sound in sounds { try await fixture.upload(sound, as: person) }
        let name = SyncObjectName.membership(hash: (0..<32).map { _ in UInt8.random(in: 0...255) })
        let object = "\(SyncSample.path)/objects/\(name)"
        try #require(try await fixture.putObject(object, [1, 2], as: person).status == 201)
        try #require(try await fixture.call(.post, "/rpc/heartbeat", as: person).status == 204)
    }

    /// The system's `tar` reads it, and finds all of it.
    @Test func everythingOfAnAccountIsInOneArchive() async throws {
        let fixture = try await ServerFixture()
        let ada = try await fixture.signIn("ada@example.org")
        let bob = try await fixture.signIn("bob@example.org")
        let sounds = [SoundSample(1_000), SoundSample(70_000, seed: 2), SoundSample(512, seed: 3)]
        try await fill(fixture, ada, results: 450, sounds)
        try await fill(fixture, bob, results: 1, [SoundSample(10, seed: 4)])
        for (person, value) in [(ada, "planted"), (bob, "foreign")] {
            let changed = try await fixture.call(.put, "/user", as: person, json: #"{"data":{"x":"\#(value)"}}"#)
            #expect(changed.status == 200)
        }
        let answer = try await fixture.call(.get, "/account/export", as: ada)
        #expect(answer.status == 200 && answer.headers["Content-Type"] == "application/x-tar")
        let folder = fixture.home.path + "/unpacked"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(answer.body).write(to: URL(filePath: folder + "/export.tar"))
        let tar = try ChildProcess("tar", ["-xf", folder + "/export.tar", "-C", folder], errors: .captured).finish()
        #expect(tar.code == 0 && tar.errors.isEmpty, "\(tar.errors)")
        func lines(_ name: String) throws -> [Substring] {
            try String(contentsOfFile: folder + "/" + name, encoding: .utf8).split(separator: "\n")
        }
        let results = try (1...3).flatMap { try lines("practice/\($0).jsonl") }
        let texts = try results.map { try WireJSON.decode(PracticeResultDTO.self, from: $0.utf8).cueText }
        #expect(Set(texts) == Set((0..<450).map { "number \($0)" }) && texts.count == 450)
        #expect(try lines("recordings/1.jsonl").count == 3)
        for sound in sounds {
            let bytes = try Data(contentsOf: URL(filePath: folder + "/recordings/\(sound.id).flac"))
            #expect(Array(bytes) == sound.bytes)
        }
        let account = try lines("account.json").joined()
        #expect(account.contains("ada@example.org") && account.contains(#""last_seen_at":"2026-01-01T00:00:00.000Z""#))
        #expect(account.contains(#""user_metadata":{"x":"planted"}"#), "\(account)")
        #expect(account.contains(#""confirmed_at":"2026-01-01T00:00:00.000Z""#), "\(account)")
        let events = try lines("audit/1.jsonl")
        for event in ["sign-in", "export"] {
            #expect(events.contains { $0.contains(#""event":"\#(event)""#) }, "\(events)")
        }
        #expect(!text(answer).contains(bob.account) && !text(answer).contains("foreign"))
        #expect(try lines("sessions.json").joined().contains("created_at"))
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.contains(".") }
        // Of what only the devices can read there is the number.
        #expect(try lines("sync.json") == [#"{"bytes":2,"objects":1}"#])
        // The archive itself, six files, three pages of results, one of recordings, one of events, three recordings.
        #expect(files.count == 15, "\(files)")
        await fixture.stop()
    }

    @Test func `an export names the sounds that it lacks`() async throws {
        let fixture = try await ServerFixture()
        let ada = try await fixture.signIn("ada@example.org")
        let sounds = (0..<3).map { SoundSample(1_000, seed: UInt64($0)) }
        for sound in sounds { try await fixture.upload(sound, as: ada) }
        func path(_ sound: SoundSample) -> String { fixture.home.path + "/recordings/\(ada.account)/\(sound.id)" }
        try FileManager.default.removeItem(atPath: path(sounds[0]))
        try Data([1, 2, 3]).write(to: URL(filePath: path(sounds[1])))
        let archive = try await text(fixture.call(.get, "/account/export", as: ada))
        let missing = try #require(archive.firstMatch(of: /\[\{"id":"[^\]]*\]/)).output
        #expect(missing.contains(sounds[0].id) && missing.contains("has lost the sound"))
        #expect(missing.contains(sounds[1].id) && missing.contains("of 1000 bytes the server has 3"))
        #expect(!missing.contains(sounds[2].id))
        // Anything else is no reason to call the archive whole.
        try FileManager.default.removeItem(atPath: path(sounds[1]))
        try FileManager.default.createSymbolicLink(atPath: path(sounds[1]), withDestinationPath: "/dev/null")
        await #expect(throws: (any Error).self) { try await fixture.call(.get, "/account/export", as: ada) }
        await fixture.stop()
    }

    @Test func everythingOfAnAccountIsDeletedAndNothingOfAnothers() async throws {
        let fixture = try await ServerFixture()
        let ada = try await fixture.signIn("ada@example.org")
        let bob = try await fixture.signIn("bob@example.org")
        let bobs = SoundSample(10, seed: 9)
        try await fill(fixture, bob, results: 2, [bobs])
        try await fill(fixture, ada, results: 3, [SoundSample(100), SoundSample(100, seed: 2)])
        _ = try await fixture.create(SoundSample(50, seed: 3), as: ada)
        let answer = try await fixture.call(.delete, "/account/data", as: ada)
        #expect(answer.status == 200)
        let item: DeletionReceiptDTO = try decoded(answer)
        let receipt = try item.receipt()
        #expect(receipt.counts == ["results": 3, "recordings": 2, "uploads": 1, "evaluations": 2, "objects": 1])
        #expect(try await fixture.listObjects(as: ada).objects.isEmpty)
        #expect(try await fixture.listObjects(as: bob).objects.count == 1)
        #expect(receipt.place == .server && receipt.deletedAt == Date(timeIntervalSince1970: 1_767_225_600))
        for path in ["/practice", "/recordings"] {
            #expect(try await text(fixture.call(.get, path, as: ada)) == #"{"items":[],"next":null}"#)
        }
        #expect(try fixture.soundFiles == ["\(bob.account)/\(bobs.id)"])
        let left: PracticePageDTO = try decoded(await fixture.call(.get, "/practice", as: bob))
        #expect(try left.page().results.count == 2)
        // The account stays, and the receipt is in what the server has of it.
        let export = try await fixture.call(.get, "/account/export", as: ada)
        #expect(export.status == 200 && text(export).contains(receipt.id))
        #expect(try await !text(fixture.call(.get, "/account/export", as: bob)).contains(receipt.id))
        await fixture.stop()
    }

    /// What an earlier version's server was told and did not finish; what was stored after it stays.
    @Test func `an earlier version's open order spares what came later`() async throws {
        let home = try TemporaryFolder()
        var fixture = try await ServerFixture(home: home) { $0.publicAddress = Self.address }
        let ada = try await fixture.signIn("ada@example.org")
        let start = fixture.clock.now
        let early = Self.result(1, practisedAt: "2025-12-31T12:00:00.000Z")
        #expect(try await fixture.call(.post, "/practice", as: ada, json: #"{"items":[\#(early)]}"#).status == 204)
        try await fixture.upload(SoundSample(100), as: ada)
        fixture.clock.advance(by: .seconds(60))
        let later = SoundSample(100, seed: 2)
        try await fill(fixture, ada, results: 2, [later])
        await fixture.stop()
        let database = try await Database(at: home.path + "/recordings.sqlite")
        let askedAt = start.milliseconds + 30_000
        try await database.write { connection in
            try connection.execute(
                """
                INSERT INTO deletion (id, account, asked_at, counts) VALUES ('a-receipt', \(ada.account), \(askedAt), '{}')
                """)
        }
        await database.close()
        fixture = try await ServerFixture(home: home) { $0.publicAddress = Self.address }
        #expect(try await Self.results(fixture, ada).count == 2)
        #expect(try fixture.soundFiles == ["\(ada.account)/\(later.id)"])
        let export = try await text(fixture.call(.get, "/account/export", as: ada))
        #expect(export.contains("a-receipt") && export.contains(#""results":1"#))
        await fixture.stop()
    }

    /// Each fails at another place: the order itself, the results, the relay's objects, the files, the receipt.
    static let faults: [FailingTable?] = [
        FailingTable(
            file: "recordings.sqlite",
            trigger: "CREATE TRIGGER broken BEFORE DELETE ON recording BEGIN SELECT raise(ABORT, 'broken'); END"),
        FailingTable(
            file: "practice.sqlite",
            trigger: "CREATE TRIGGER broken BEFORE DELETE ON practice_result BEGIN SELECT raise(ABORT, 'broken'); END"),
        FailingTable(
            file: "sync.sqlite",
            trigger: "CREATE TRIGGER broken BEFORE DELETE ON sync_object BEGIN SELECT raise(ABORT, 'broken'); END"),
        nil,
        FailingTable(
            file: "recordings.sqlite",
            trigger: """
                CREATE TRIGGER broken BEFORE UPDATE OF deleted_at ON deletion BEGIN SELECT raise(ABORT, 'broken'); END
                """),
    ]

    /// The server starts although the fault is still there, and what was stored after the order is never deleted by it.
    @Test(arguments: faults.indices) func `a failed deletion never takes what came later`(_ index: Int) async throws {
        let (home, wasRefused) = (try TemporaryFolder(), index == 0)
        var fixture = try await ServerFixture(home: home) { $0.publicAddress = Self.address }
        let ada = try await fixture.signIn("ada@example.org")
        let (early, later) = (SoundSample(100), SoundSample(100, seed: 2))
        try await fill(fixture, ada, results: 3, [early])
        let mend = try await Self.break(index, home, ada.account)
        #expect(try await fixture.call(.delete, "/account/data", as: ada).status == 500)
        let left = try await Self.results(fixture, ada)
        let objectsLeft = try await Self.objects(fixture, ada)
        #expect(objectsLeft.count == (index < 3 ? 1 : 0))
        #expect(left.count == (index < 2 ? 3 : 0), "an order that was refused changes nothing")
        try await fill(fixture, ada, results: 2, [later])
        let kept = try await Self.results(fixture, ada).subtracting(left)
        let keptObjects = try await Self.objects(fixture, ada).subtracting(objectsLeft)

        await fixture.stop()
        fixture = try await ServerFixture(home: home) { $0.publicAddress = Self.address }
        #expect(try await Self.results(fixture, ada).isSuperset(of: kept))
        #expect(try await fixture.call(.get, "/recordings/\(later.id)/content", as: ada).body == later.bytes)

        try await mend()
        await fixture.stop()
        fixture = try await ServerFixture(home: home) { $0.publicAddress = Self.address }
        #expect(try await Self.results(fixture, ada) == (wasRefused ? kept.union(left) : kept))
        let objects = try await Self.objects(fixture, ada)
        #expect(keptObjects.count == 1 && objects == (wasRefused ? keptObjects.union(objectsLeft) : keptObjects))
        let sounds = wasRefused ? [early, later] : [later]
        #expect(try fixture.soundFiles == Set(sounds.map { "\(ada.account)/\($0.id)" }))
        await fixture.stop()
    }

    @Test(arguments: faults.indices) func `trying again finishes a failed deletion`(_ index: Int) async throws {
        let home = try TemporaryFolder()
        var fixture = try await ServerFixture(home: home) { $0.publicAddress = Self.address }
        let ada = try await fixture.signIn("ada@example.org")
        try await fill(fixture, ada, results: 3, [SoundSample(100), SoundSample(100, seed: 2)])
        let mend = try await Self.break(index, home, ada.account)
        for _ in 0..<2 { #expect(try await fixture.call(.delete, "/account/data", as: ada).status == 500) }
        try await mend()
        let receipt: DeletionReceiptDTO = try decoded(await fixture.call(.delete, "/account/data", as: ada))
        #expect(receipt.counts == ["results": 3, "recordings": 2, "uploads": 0, "evaluations": 2, "objects": 1])
        #expect(try fixture.soundFiles.isEmpty)
        try await fill(fixture, ada, results: 2, [SoundSample(100, seed: 3)])
        await fixture.stop()
        fixture = try await ServerFixture(home: home) { $0.publicAddress = Self.address }
        #expect(try await Self.results(fixture, ada).count == 2)
        #expect(try fixture.soundFiles.count == 1)
        let export = try await text(fixture.call(.get, "/account/export", as: ada))
        #expect(export.components(separatedBy: #""deleted_at""#).count == 2, "one receipt")
        await fixture.stop()
    }

    @Test func `an order that fails leaves the others to be finished`() async throws {
        let home = try TemporaryFolder()
        var fixture = try await ServerFixture(home: home) { $0.publicAddress = Self.address }
        let people = try await [fixture.signIn("ada@example.org"), fixture.signIn("bob@example.org")]
        var obstacles: [String] = []
        for person in people {
            try await fill(fixture, person, results: 1, [SoundSample(100)])
            obstacles.append(try home.obstructRemoval(of: person.account))
            #expect(try await fixture.call(.delete, "/account/data", as: person).status == 500)
        }
        await fixture.stop()
        try FileManager.default.removeItem(atPath: obstacles[1])
        fixture = try await ServerFixture(home: home) { $0.publicAddress = Self.address }
        let receipts = try await [
            text(fixture.call(.get, "/account/export", as: people[0])),
            text(fixture.call(.get, "/account/export", as: people[1])),
        ].map { $0.contains(#""deleted_at""#) }
        #expect(receipts == [false, true])
        await fixture.stop()
    }

    // MARK: Steps

    private static let address = "http://127.0.0.1:1"

    /// Lets a deletion of an account's data fail; the result mends it.
    private static func `break`(
        _ index: Int, _ home: TemporaryFolder, _ account: String
    ) async throws -> @Sendable () async throws -> Void {
        guard let fault = faults[index] else {
            let obstacle = try home.obstructRemoval(of: account)
            return { try FileManager.default.removeItem(atPath: obstacle) }
        }
        try await fault.breakIt(in: home)
        return { try await fault.mendIt(in: home) }
    }

    /// The names of what a person's devices have left.
    private static func objects(_ fixture: ServerFixture, _ person: Person) async throws -> Set<String> {
        Set(try await fixture.listObjects(as: person).objects.map(\.name))
    }

    /// The ids of a person's results.
    private static func results(_ fixture: ServerFixture, _ person: Person) async throws -> Set<String> {
        let page: PracticePageDTO = try decoded(await fixture.call(.get, "/practice", as: person))
        return Set(try page.page().results.map(\.id.description))
    }
}
