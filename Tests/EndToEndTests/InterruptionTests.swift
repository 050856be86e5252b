// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// Ctrl-C at every stage of a spoken turn: what was acknowledged is stored, and no file is left broken.
@Suite struct InterruptionTests {
    private let parley: ParleyProcess
    private let sounds: SoundFixtures

    init() throws {
        parley = try ParleyProcess()
        sounds = SoundFixtures(folder: parley.folder)
    }

    @Test(arguments: [
        "loaded the recogniser", "listening", "speechStarted", "transcript", "answer", "firstSampleAudible",
    ])
    func ctrlCLosesNothing(at stage: String) async throws {
        let question = try sounds.speech("What is the capital of Texas?")
        let answer = parley.path("answer.wav")
        let run = try parley.start(
            ["talk", "--input", question, "--output", answer, "--json", "--verbose"], mergesErrors: true)
        // Stages are seen in the log, events in the output.
        let mark =
            switch stage {
            case "transcript", "answer": "\"event\":\"\(stage)\""
            case "loaded the recogniser": stage
            default: "reached \(stage)"
            }
        let result = await run.interrupted(at: mark)
        let text = result.output
        #expect(result.code == 130, "\(stage): \(text)")

        let messages = try await parley.run("history", "--json").events.first?["messages"] as? [[String: Any]] ?? []
        let roles = messages.compactMap { $0["role"] as? String }
        if text.contains("\"event\":\"transcript\"") { #expect(roles.contains("user"), "\(text)") }
        if text.contains("\"event\":\"answer\"") { #expect(roles.contains("assistant"), "\(text)") }
        #expect(try await parley.run("doctor").code == 0)
        if FileManager.default.fileExists(atPath: answer) {
            try SoundFixtures.tool("/usr/bin/sox", [answer, "-n", "stat"])
        }
    }

    @Test(arguments: [["say", "-"], ["prompts", "add", "terse", "-"], ["play", "-"]])
    func `one Ctrl-C ends a command that waits for the end of its input`(words: [String]) async throws {
        let run = try parley.start(words)
        // A pipe holds 64 kB: the rest is written only when the command reads.
        #expect(run.write(String(repeating: "a", count: 80_000)))
        run.kill(SIGINT)
        // The input stays open.
        #expect(await run.detached { $0.wait() } == .exited(130))
    }

    @Test func `a tool server that is not added leaves no secret`() async throws {
        let server = try ChildProcess(
            "python3",
            [
                "-c",
                """
                import socket, time
                s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1], flush=True); time.sleep(3600)
                """,
            ])
        defer { server.kill() }
        let port = try #require(server.line())
        let adding = try parley.start([
            "mcp", "add", "web", "--url", "http://127.0.0.1:\(port)/mcp", "--header", "Authorization",
        ])
        adding.write("a token\n")
        try await eventually("the token is stored") {
            FileManager.default.fileExists(atPath: parley.path("home/data/secrets.sealed"))
        }
        adding.kill(SIGINT)
        #expect(await adding.finished().code != 0)
        let list = try await parley.run("secrets", "list")
        #expect(list.code == 0 && list.output.isEmpty, "\(list)")
    }
}
