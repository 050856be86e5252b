// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import TestKit
import Testing

/// `talk` and `listen` with a model in use: what this machine cannot answer is passed on and spoken while it grows.
@Suite struct SpokenModelTests {
    private static func stored(_ parley: ParleyProcess) async throws -> [[String: Any]] {
        try await parley.run("history", "--json").events.first?["messages"] as? [[String: Any]] ?? []
    }

    @Test func `talk passes on, speaks the answer and stores both`() async throws {
        try await ChatFixture.withModelInUse([.init(.message("It is Paris. It lies on the Seine."))]) { chat in
            let sounds = SoundFixtures(folder: chat.parley.folder)
            let (question, spoken) = (try sounds.speech("What is the capital of France?"), chat.parley.path("a.wav"))
            let turn = try await chat.parley.run("talk", "--input", question, "--output", spoken, "--json")
            #expect(turn.code == 0, "\(turn.errors)")
            #expect(turn.event("answer")?["answer"] as? String == "It is Paris. It lies on the Seine.")
            #expect(turn.event("answer")?["source"] as? String == "model:qwen")
            let size = try FileManager.default.attributesOfItem(atPath: spoken)[.size] as? Int ?? 0
            #expect(size > 64_000, "two sentences take more than two seconds")
            let messages = try await Self.stored(chat.parley)
            #expect(messages.map { $0["modality"] as? String } == ["voice", "voice"])
            #expect(messages.last?["text"] as? String == "It is Paris. It lies on the Seine.")
            let asked = chat.simulator.requests.filter { $0.path.hasSuffix("/completions") }
            #expect(asked.count == 1)
            let instructions = String(describing: asked.first?.json)
            #expect(instructions.contains("spoken aloud"), "\(instructions)")
        }
    }

    @Test func `a model that is away is spoken of, and stored`() async throws {
        try await ChatFixture.withModelInUse([]) { chat in
            await chat.simulator.close()
            let sounds = SoundFixtures(folder: chat.parley.folder)
            let (question, spoken) = (try sounds.speech("What is the capital of France?"), chat.parley.path("a.wav"))
            let turn = try await chat.parley.run("talk", "--input", question, "--output", spoken, "--json")
            #expect(turn.code == 5, "\(turn)")
            #expect(turn.event("error") != nil && turn.event("answer") == nil)
            let size = try FileManager.default.attributesOfItem(atPath: spoken)[.size] as? Int ?? 0
            #expect(size > 32_000, "the reason takes more than a second")
            #expect(try await Self.stored(chat.parley).count == 2)
        }
    }

    @Test func `listen passes on and goes on listening`() async throws {
        try await ChatFixture.withModelInUse([.init(.message("It is Paris."))]) { chat in
            let scene = try ListenTests.scene(
                [("hey jarvis, what is the capital of France", 1), ("what is the capital of texas", 5)], end: 6,
                in: chat.parley)
            let run = try await chat.parley.run(
                "listen", "--input", scene, "--output", chat.parley.path("a.wav"), "--no-notifications", "--json")
            #expect(run.code == 0, "\(run.errors)")
            let answers = run.events.filter { $0["event"] as? String == "answer" }
            #expect(
                answers.map { $0["source"] as? String } == ["model:qwen", "states"],
                "\(run.events.map { $0["event"] ?? "" })")
            #expect(try await Self.stored(chat.parley).count == 4)
        }
    }
}
