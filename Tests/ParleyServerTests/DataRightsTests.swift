// SPDX-License-Identifier: MIT

import AuthServer
import DataLayer
import Domain
import Foundation
import Networking
import Persistence
import Testing

@testable import ParleyServer

@Suite(.timeLimit(.minutes(2))) struct DataRightsTests {
    private func result(_ number: Int) -> String {
        #"{"id":"\#(UUID().uuidString.lowercased())","cue":"\#(StarterCues.all[0].id)","cue_text":"number \#(number)","#
            + #""language":"en","practised_at":"2026-01-31T12:00:00.000Z","day":"2026-01-31","rating":3}"#
    }

    private func fill(_ fixture: ServerFixture, _ person: Person, results: Int, _ sounds: [SoundSample]) async throws {
        for start in stride(from: 0, to: results, by: 200) {
            let items = (start..<min(start + 200, results)).map(result).joined(separator: ",")
            try #require(
                try await fixture.call(.post, "/practice", as: person, json: #"{"items":[\#(items)]}"#).status == 204)
        }
        for sound in sounds { try await fixture.upload(sound, as: person) }
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
        let answer = try await fixture.call(.get, "/account/export", as: ada)
        #expect(answer.status == 200 && answer.headers["Content-Type"] == "application/x-tar")
        let folder = fixture.home.path + "/unpacked"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(answer.body).write(to: URL(filePath: folder + "/export.tar"))
        let tar = Process()
        tar.executableURL = URL(filePath: "/usr/bin/tar")
        tar.arguments = ["-xf", folder + "/export.tar", "-C", folder]
        let errors = Pipe()
        tar.standardError = errors
        try tar.run()
        let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
        tar.waitUntilExit()
        #expect(tar.terminationStatus == 0 && complaint.isEmpty, "\(String(decoding: complaint, as: UTF8.self))")
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
        #expect(try lines("sessions.json").joined().contains("created_at"))
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.contains(".") }
        // The archive itself, four files, three pages of results, one of recordings, three recordings.
        #expect(files.count == 12, "\(files)")
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
        #expect(receipt.counts == ["results": 3, "recordings": 2, "uploads": 1, "evaluations": 2])
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

    /// A server that was killed in the middle finishes what it was told before it lets anybody in.
    @Test func aDeletionThatWasBrokenOffIsFinished() async throws {
        let home = try TestHome()
        var fixture = try await ServerFixture(home: home) { $0.publicAddress = "http://127.0.0.1:1" }
        let ada = try await fixture.signIn("ada@example.org")
        try await fill(fixture, ada, results: 3, [SoundSample(100)])
        await fixture.stop()
        let database = try await Database(at: home.path + "/recordings.sqlite")
        let store = DeletionStore(database: database)
        try await store.ask("a-receipt", of: ada.account, at: AuthTime(milliseconds: 0))
        await database.close()
        fixture = try await ServerFixture(home: home) { $0.publicAddress = "http://127.0.0.1:1" }
        #expect(try await text(fixture.call(.get, "/practice", as: ada)) == #"{"items":[],"next":null}"#)
        #expect(try fixture.soundFiles.isEmpty)
        let export = try await text(fixture.call(.get, "/account/export", as: ada))
        #expect(export.contains("a-receipt") && export.contains(#""results":3"#))
        await fixture.stop()
    }
}
