// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// Practising with an account, at a server of its own.
@Suite(.timeLimit(.minutes(5))) struct PracticeAtServerTests {
    private let fixture: SignInFixture

    init() throws { fixture = try SignInFixture() }

    private func items(_ arguments: String...) async throws -> [[String: Any]] {
        let running = try fixture.start(arguments + ["--json"])
        return await running.finished().events
    }

    @Test func theServerEvaluatesAndKeepsWhatWasKept() async throws {
        try await fixture.signIn()
        try await fixture.giveConsent()
        try await fixture.practise(until: "The server says:")
        #expect(try await items("uploads", "list").isEmpty, "everything was sent at the end")
        #expect(try await items("recordings", "list").first?["isSent"] as? Bool == true)

        let archive = fixture.parley.path("all.tar")
        #expect(try await fixture.run("data", "export", archive).code == 0)
        try SoundFixtures.tool("/usr/bin/tar", ["-xf", archive, "-C", fixture.parley.folder])
        let inner = fixture.parley.path("server.tar")
        try SoundFixtures.tool(
            "/usr/bin/tar", ["-xf", inner, "-C", fixture.parley.folder, "account.json", "practice/1.jsonl"])
        let account = try String(contentsOfFile: fixture.parley.path("account.json"), encoding: .utf8)
        #expect(account.contains(SignInFixture.email))

        let deleted = try await items("data", "delete", "--yes")
        #expect(deleted.map { $0["place"] as? String } == ["server", "device"])
        let counts = try deleted.map { try #require($0["counts"] as? [String: Int]) }
        #expect(counts.allSatisfy { $0["recordings"] == 1 && $0["results"] == 1 }, "\(counts)")
        #expect(try await items("recordings", "list").isEmpty)
        #expect(try await fixture.run("data", "delete").code == 2, "nobody is asked, and --yes is not given")
    }

    @Test func `practice asks for the flags when it begins`() async throws {
        let (parley, proxy) = (fixture.parley, try RecordingProxy(to: fixture.server.port))
        defer { proxy.close() }
        let asked = try await parley.run("sign-in", SignInFixture.email, "--no-wait", "--server", proxy.address)
        try #require(asked.code == 0, "\(asked.errors)")
        try #require(try await parley.run("verify", fixture.server.mail().code).code == 0)
        let sound = try SoundFixtures(folder: parley.folder).speech("Hello")
        let before = proxy.bytes.count
        let terminal = try TerminalRun(
            [ParleyProcess.executable, "practice", "--input", sound], environment: parley.environment)
        try await eventually("the server was asked for the flags") {
            String(decoding: proxy.bytes.dropFirst(before), as: UTF8.self).contains("GET /rpc/app_config")
        }
        try terminal.type("q")
        #expect(await terminal.code() == 0, "\(terminal.text)")
    }

    @Test func whatWasPractisedBeforeSigningInIsSentAfterwards() async throws {
        try await fixture.practise("--offline", until: "words right")
        #expect(try await fixture.run("uploads", "list").code == 3, "nobody is signed in")
        try await fixture.signIn()
        #expect(try await items("uploads", "list").isEmpty, "nobody said so")
        try await fixture.giveConsent()
        #expect(try await items("uploads", "list").isEmpty, "the earlier ones are offered")
        try await fixture.giveConsent("--earlier")
        #expect(try await items("uploads", "list").count == 2)
        let sent = try await fixture.run("uploads", "send")
        #expect(sent.code == 0 && sent.output.contains("Everything is sent."), "\(sent.errors)")
        #expect(try await items("uploads", "list").isEmpty)
    }

    @Test func withoutTheServerListsAreOldAndWhatIsKeptWaits() async throws {
        try await fixture.signIn()
        try await fixture.giveConsent()
        let fresh = try await items("cues", "list", "--language", "fr", "--limit", "3")
        #expect(fresh.compactMap { $0["freshness"] as? String } == ["stored", "current"])
        fixture.server.kill()
        let old = try await items("cues", "list", "--language", "fr", "--limit", "3")
        #expect(old.compactMap { $0["freshness"] as? String } == ["stored", "old"])
        let shown = { (page: [String: Any]?) in (page?["cues"] as? [[String: Any]])?.compactMap { $0["id"] as? String }
        }
        #expect(shown(old.last) == shown(fresh.last) && shown(old.last)?.count == 3)
        try await fixture.practise(until: "cannot be reached")
        #expect(try await items("uploads", "list").count == 2)
    }
}
