// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import TestKit
import Testing

/// `parley status`, which panels run.
@Suite(.timeLimit(.minutes(5))) struct StatusTests {
    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    private func status() async throws -> [String: Any] {
        let run = try await parley.run("status", "--json")
        #expect(run.code == 0 && run.output.split(separator: "\n").count == 1, "\(run)")
        return try #require(run.events.first)
    }

    @Test func `a new home has nothing to tell, and stays new`() async throws {
        let new = try await status()
        #expect(new["state"] as? String == "off")
        #expect(new["lastAnswer"] == nil && new["model"] == nil)
        #expect((new["waiting"] as? [String: Any])?["approvals"] as? Int == 0)
        #expect(!FileManager.default.fileExists(atPath: parley.path("home/data")))
    }

    @Test func `the last answer and the model in use are told`() async throws {
        #expect(try await parley.run("ask", "capital of Ohio").code == 0)
        let added = try await parley.run("assistant", "add", "home", "--base-url", "http://127.0.0.1:9", "--model", "m")
        #expect(added.code == 0, "\(added)")
        #expect(try await parley.run("assistant", "use", "home").code == 0)
        let answer = try await status()
        #expect((answer["lastAnswer"] as? [String: Any])?["text"] as? String == "The capital of Ohio is Columbus.")
        #expect((answer["lastAnswer"] as? [String: Any])?["source"] as? String == "states")
        #expect(answer["model"] as? String == "home")
        let text = try await parley.run("status")
        #expect(text.output.contains("Last answer: The capital of Ohio is Columbus."), "\(text)")
    }

    @Test func `a question of a program that was killed waits no more`() async throws {
        try FileManager.default.createDirectory(
            atPath: parley.path("home/data/consents"), withIntermediateDirectories: true)
        let waiting = try ListeningSocket(.path(parley.path("home/data/consents/1.sock")))
        #expect((try await status()["waiting"] as? [String: Any])?["approvals"] as? Int == 1)
        waiting.shutDown()
        close(waiting.descriptor)
        #expect((try await status()["waiting"] as? [String: Any])?["approvals"] as? Int == 0)
    }

    @Test func `a program that listens is seen while it runs`() async throws {
        let silence = parley.path("silence.wav")
        try WAVSilence.write(seconds: 60, to: silence)
        let listening = try parley.start(
            ["listen", "--input", silence, "--output", "/dev/null", "--no-notifications", "--json"])
        await listening.detached { while let line = $0.line(), !line.contains("\"idle\"") {} }
        #expect(try await status()["state"] as? String == "idle")
        listening.kill(SIGKILL)
        _ = await listening.finished()
        #expect(try await status()["state"] as? String == "off")
    }
}
