// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import StructuredJSON
import TestKit
import Testing

/// `listen` and `talk` prepare for questions that are probably asked next.
@Suite(.timeLimit(.minutes(5))) struct PreloadTests {
    private static let paris = Scenario.Turn(.message(#"{"answer":"It is Paris.","lasts":true}"#))

    @Test func `a model is asked for a likely fact, without tools, and the question finds the answer`() async throws {
        try await ChatFixture.withModelInUse([Self.paris]) { chat in
            try await HabitFixture.ask("What is the capital of France?", in: chat.parley)
            let silence = chat.parley.path("silence.wav")
            try WAVSilence.write(seconds: 280, to: silence)
            let listening = try chat.parley.start(
                ["listen", "--input", silence, "--output", "/dev/null", "--no-notifications", "--preload-model", "-v"],
                mergesErrors: true)
            let result = await listening.interrupted(at: "prepared for 1 questions")
            #expect(result.code == 0, "\(result)")
            let request = try #require(chat.simulator.requests.last?.json)
            #expect(request["tools"] == nil && "\(request)".contains("capital of France"), "\(request)")
            let count = chat.simulator.requests.count
            await chat.simulator.close()

            let sounds = SoundFixtures(folder: chat.parley.folder)
            let question = try sounds.speech("What is the capital of France?")
            let turn = try await chat.parley.run(
                "talk", "--input", question, "--output", chat.parley.path("a.wav"), "--json")
            #expect(turn.event("answer")?["source"] as? String == "cache", "\(turn)")
            #expect(turn.event("answer")?["answer"] as? String == "It is Paris.")
            #expect(chat.simulator.requests.count == count)
        }
    }

    @Test(arguments: [
        ["listen", "--preload-model", "--no-history"], ["talk", "--preload-model", "--mode", "realtime"],
        ["talk", "--budget", "1"],
    ]) func `wrong words are refused`(words: [String]) async throws {
        let running = try ParleyProcess().start(words)
        running.closeInput()
        #expect(await running.finished().code == 2)
    }
}
