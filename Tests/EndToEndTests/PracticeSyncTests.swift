// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// What one device does, and another one of the same person sees, at a server of their own.
@Suite(.timeLimit(.minutes(5))) struct PracticeSyncTests {
    private let fixture: SignInFixture

    init() throws { fixture = try SignInFixture() }

    private func items(_ arguments: String...) async throws -> [[String: Any]] {
        try await fixture.start(arguments + ["--json"]).finished().events
    }

    @Test func aResultIsDeletedHereAndAtTheServer() async throws {
        try await fixture.signIn()
        try await fixture.giveConsent()
        try await fixture.practise()
        let id = try #require(try await items("progress", "--list").first?["id"] as? String)
        let list = try await fixture.run("progress", "--list")
        #expect(list.output.hasPrefix(String(id.prefix(8))), "\(list.output)")
        #expect(try await fixture.run("progress", "delete", id, "ffffffff").code == 3, "a wrong one deletes nothing")
        #expect(try await items("progress", "--list").count == 1)
        #expect(try await fixture.run("progress", "delete", String(id.prefix(8))).code == 0)
        #expect(try await items("progress", "--list").isEmpty)
        #expect(try await items("uploads", "list").map { $0["work"] as? String } == ["deletion of result"])
        #expect(try await fixture.run("uploads", "send").output.contains("Everything is sent."))
        let receipts = try await items("data", "delete", "--yes")
        #expect((receipts.first?["counts"] as? [String: Int])?["results"] == 0, "\(receipts)")
        #expect((receipts.first?["counts"] as? [String: Int])?["recordings"] == 1, "its recording stayed")
    }

    /// Another device of the same person's.
    private func secondDevice() async throws -> ParleyProcess {
        let other = try ParleyProcess()
        let asked = try await other.run("sign-in", SignInFixture.email, "--no-wait", "--server", fixture.server.address)
        try #require(asked.code == 0, "\(asked.errors)")
        let verified = try await other.run("verify", try await fixture.server.mail(2).code)
        try #require(verified.code == 0, "\(verified.errors)")
        return other
    }

    @Test func anotherDeviceSeesItWithTheServersEvaluationAndDeletesIt() async throws {
        try await fixture.signIn()
        try await fixture.giveConsent()
        // Nobody waits for the server here.
        try await fixture.practise("--offline")
        #expect(try await fixture.run("uploads", "send").output.contains("Everything is sent."))
        let other = try await secondDevice()
        for device in [fixture.parley, other] {
            var results: [[String: Any]] = []
            try await eventually("the server's evaluation is here") {
                results = try await device.run("progress", "--list", "--json").events
                try #require(results.count == 1)
                return results[0]["serverEvaluation"] != nil
            }
            let evaluation = try #require(results[0]["serverEvaluation"] as? [String: Any])
            #expect(evaluation["source"] as? String == "server")
        }
        let id = try #require(try await other.run("progress", "--list", "--json").events.first?["id"] as? String)
        #expect(try await other.run("progress", "delete", id).code == 0)
        #expect(try await other.run("uploads", "send").code == 0)
        #expect(try await items("progress", "--list", "--offline").count == 1)
        #expect(try await items("progress", "--list").isEmpty)
    }

    @Test func withoutTheServerItSaysWhatItShows() async throws {
        try await fixture.signIn()
        try await fixture.giveConsent()
        try await fixture.practise("--offline")
        fixture.server.kill()
        let shown = try await fixture.run("progress")
        #expect(shown.code == 0 && shown.output.contains("1 time"), "\(shown.output)")
        #expect(
            shown.errors.contains("This is what this device knows. The server cannot be reached"), "\(shown.errors)")
    }

    @Test func theServiceWaitsForTheSignInAndGoesOnAfterTheNext() async throws {
        try await fixture.practise("--offline")
        let service = try fixture.startAtTerminal("service")
        try await service.shows("Nobody is signed in. Waiting for parley sign-in.")
        try await fixture.signIn()
        try await service.shows("Sending what comes to \(fixture.server.address)")
        try await service.shows("Nothing is sent before you agree.")
        try await fixture.giveConsent("--earlier")
        for _ in 0..<2 { try await service.shows("sent ") }
        #expect(try await fixture.run("sign-out").code == 0)
        try await service.shows("Nobody is signed in. Waiting for parley sign-in.")
        try await fixture.signIn(mail: 2)
        try await service.shows("Sending what comes to")
        // What comes now is sent by it.
        try await fixture.practise("--offline")
        for _ in 0..<2 { try await service.shows("sent ") }
        try service.type("\u{3}")
        #expect(await service.code() == 130, "\(service.text)")
        #expect(try await items("uploads", "list").isEmpty)
    }

    @Test func theHistoryOfACueAloneIsListed() async throws {
        try await fixture.practise("--offline")
        try await fixture.practise("--offline")
        let cues = try await items("progress", "--list").compactMap { $0["cue"] as? String }
        #expect(Set(cues).count == 2, "what was practised is not the next one at once")
        let listed = try await items("progress", "--list", "--cue", String(cues[0].prefix(8)))
        #expect(listed.compactMap { $0["cue"] as? String } == [cues[0]])
        #expect(try await items("progress", "--cue", cues[1]).first?["count"] as? Int == 1)
        let next = try await fixture.run("cues", "next", "--language", "de", "--json").event("page")
        let other = try #require((next?["cues"] as? [[String: Any]])?.first?["id"] as? String)
        #expect(try await items("progress", "--list", "--cue", other).isEmpty)
        #expect(try await fixture.run("progress", "--cue", "ffffffff-ffff").code == 3)
        #expect(try await fixture.run("progress", "--cue", "zz").code == 2)
    }

    @Test func theServiceAndPracticeSendTheSameAtOnce() async throws {
        try await fixture.signIn()
        try await fixture.giveConsent()
        let service = try fixture.startAtTerminal("service")
        try await service.shows("Sending what comes to")
        try await fixture.practise()
        for _ in 0..<2 { try await service.shows("sent ") }
        try service.type("\u{3}")
        #expect(await service.code() == 130)
        #expect(!service.text.contains("stuck") && !service.text.contains("waits:"), "\(service.text)")
        #expect(try await items("uploads", "list").isEmpty)
        let receipts = try await items("data", "delete", "--yes")
        let counts = receipts.first?["counts"] as? [String: Int]
        #expect(counts?["recordings"] == 1 && counts?["results"] == 1 && counts?["uploads"] == 0, "\(receipts)")
    }
}
