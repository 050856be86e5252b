// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// No recording and no result leaves the machine before the person has agreed, or where the server does not want it.
@Suite(.timeLimit(.minutes(5))) struct UploadConsentTests {
    private let fixture: SignInFixture

    init() throws { fixture = try SignInFixture() }

    /// The numbers of recordings and results at the server.
    private func atServer() async throws -> [Int] {
        let archive = fixture.parley.path("all.tar")
        let exported = try await fixture.run("data", "export", archive, "--overwrite")
        try #require(exported.code == 0, "\(exported.errors)")
        let server = try Holdings(archive).server
        return [server.recordings.count, server.results.count]
    }

    private func consent() async throws -> [String: Any] {
        try #require(try await fixture.run("consent", "show", "--json").events.first)
    }

    @Test func `without a terminal nobody is asked and nothing is sent`() async throws {
        try await fixture.signIn()
        try await fixture.practise("--offline") { terminal in
            try await terminal.shows("Type yes, no or later")
            try terminal.type("later\r")
        }
        let sent = try await fixture.run("uploads", "send")
        #expect(sent.code == 0 && sent.errors.contains("Nothing is sent before you agree"), "\(sent.errors)")
        #expect(try await atServer() == [0, 0])
        #expect(try await consent()["reason"] as? String == "notAsked")
        #expect(try await consent()["held"] as? Int == 2)
    }

    @Test func `the first recording that is kept asks, and a no holds`() async throws {
        try await fixture.signIn()
        let text = try await fixture.practise { terminal in
            try await terminal.shows("May parley send what you practise to your server, \(fixture.server.address)?")
            try await terminal.shows("Take back")
            try await terminal.shows("Type yes, no or later")
            // Half a word is no answer.
            try terminal.type("y\r")
            try await terminal.shows("Type yes, no or later")
            try terminal.type("no\r")
            try await terminal.shows("Nothing is sent. Change that with parley consent give")
        }
        #expect(!text.contains("The server says"))
        #expect(try await consent()["decision"] as? String == "declined")
        #expect(try await consent()["textVersion"] as? Int == 1)
        try await fixture.practise()
        _ = try await fixture.run("uploads", "send")
        #expect(try await atServer() == [0, 0])
        #expect(try await consent()["held"] as? Int == 4)
    }

    @Test func `a yes at the first recording sends that one`() async throws {
        try await fixture.signIn()
        try await fixture.practise { terminal in
            try await terminal.shows("Type yes, no or later")
            try terminal.type("yes\r")
            try await terminal.shows("The server says:")
        }
        _ = try await fixture.run("uploads", "send")
        #expect(try await atServer() == [1, 1])
        try await fixture.practise("--local")
        #expect(try await atServer() == [1, 1], "--local stays here")
        #expect(try await consent()["held"] as? Int == 0)
    }

    @Test func `a sign-in asks, and offers what was kept before`() async throws {
        try await fixture.practise("--offline")
        let terminal = try fixture.signInAtTerminal("--code")
        try await terminal.shows("Code (another mail in ")
        try terminal.type(try await fixture.server.mail().code + "\n")
        try await terminal.shows("Signed in as")
        try await terminal.shows("Type yes, no or later")
        try terminal.type("perhaps\n")
        try await terminal.shows("Type yes, no or later")
        try terminal.type("yes\n")
        try await terminal.shows("2 recordings and results from before stay here.")
        try await terminal.shows("Type yes, no or later")
        try terminal.type("no\n")
        try await terminal.shows("They stay here.")
        #expect(await terminal.code() == 0, "\(terminal.text)")
        _ = try await fixture.run("uploads", "send")
        #expect(try await atServer() == [0, 0])
        try await fixture.giveConsent("--earlier")
        #expect(try await fixture.run("uploads", "send").output.contains("Everything is sent."))
        #expect(try await atServer() == [1, 1])
    }

    @Test func `withdrawing stops the service and deletes what was sent`() async throws {
        try await fixture.signIn()
        try await fixture.giveConsent()
        let service = try fixture.startAtTerminal("service")
        try await service.shows("Sending what comes to")
        try await fixture.practise("--offline")
        for _ in 0..<2 { try await service.shows("sent ") }
        let withdrawn = try await fixture.run("consent", "withdraw", "--delete-sent", "--json")
        #expect(withdrawn.code == 0, "\(withdrawn.errors)")
        #expect((withdrawn.events.last?["counts"] as? [String: Int])?["recordings"] == 1, "\(withdrawn.output)")
        #expect(try await atServer() == [0, 0])
        // The service goes on, and has nothing that it may take up.
        try await fixture.practise("--offline")
        _ = try await fixture.run("uploads", "send")
        try service.type("\u{3}")
        #expect(await service.code() == 130)
        #expect(try await atServer() == [0, 0])
        #expect(try await consent()["held"] as? Int == 4, "all of it is here")
        try await fixture.giveConsent("--earlier")
        #expect(try await fixture.run("uploads", "send").output.contains("Everything is sent."))
        #expect(try await atServer() == [2, 2])
    }

    @Test func `the server's flag decides what the client sends`() async throws {
        let flags = fixture.parley.path("server/app-config.json")
        try Data(#"{"flags":{"remoteEvaluation":{"value":false}}}"#.utf8).write(to: URL(filePath: flags))
        try await fixture.signIn()
        try await fixture.giveConsent()
        let text = try await fixture.practise()
        #expect(!text.contains("The server says"))
        let sent = try await fixture.run("uploads", "send")
        #expect(sent.errors.contains("The server takes no recordings and results at the moment"), "\(sent.errors)")
        #expect(sent.output.contains("2 still wait"), "\(sent.output)")
        #expect(try await atServer() == [0, 0])
        try FileManager.default.removeItem(atPath: flags)
        #expect(try await fixture.run("uploads", "send").output.contains("Everything is sent."))
        #expect(try await atServer() == [1, 1])
    }

    @Test func `an export has the answer with its date and version`() async throws {
        try await fixture.signIn()
        let archive = fixture.parley.path("answer.tar")
        try #require(try await fixture.run("data", "export", archive, "--offline").code == 0)
        #expect(throws: (any Error).self, "nobody has answered") {
            try SoundFixtures.tool("/usr/bin/tar", ["-xf", archive, "-C", fixture.parley.folder, "consent.json"])
        }
        try await fixture.giveConsent()
        try #require(try await fixture.run("data", "export", archive, "--offline", "--overwrite").code == 0)
        try SoundFixtures.tool("/usr/bin/tar", ["-xf", archive, "-C", fixture.parley.folder, "consent.json"])
        let file = try Data(contentsOf: URL(filePath: fixture.parley.path("consent.json")))
        let record = try #require(try JSONSerialization.jsonObject(with: file) as? [String: Any])
        let shown = try await consent()
        #expect(record["decision"] as? String == "given")
        #expect(record["decidedAt"] as? String == shown["decidedAt"] as? String)
        #expect(record["textVersion"] as? Int == shown["textVersion"] as? Int)
        #expect(record["server"] as? String == fixture.server.address)
    }

    @Test func `consent needs an account`() async throws {
        for words in [["show"], ["give"], ["withdraw"]] {
            #expect(try await fixture.start(["consent"] + words).finished().code == 3)
        }
        #expect(try await fixture.run("consent", "withdraw", "--delete-sent", "--keep-sent").code == 2)
    }
}
