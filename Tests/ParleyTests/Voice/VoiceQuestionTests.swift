// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import parley

@Suite("Questions in a conversation by voice", .timeLimit(.minutes(1)))
struct VoiceQuestionTests {
    /// Asks, presses keys, and says what came of it: the answer, and which keys were for the question.
    private func press(_ keys: [Key]) async throws -> (answer: String?, taken: [Bool]) {
        let question = VoiceQuestion()
        async let answer = question.ask("Allow it?")
        try await eventually { question.text != nil }
        #expect(question.text == "Allow it?")
        let taken = keys.map(question.take)
        #expect(question.text == nil)
        return (try await answer, taken)
    }

    @Test("Only its own keys answer it, and the next ones are for others")
    func keys() async throws {
        let yes = try await press([.character("m"), .character("y"), .character("n")])
        #expect(yes.answer == "y" && yes.taken == [false, true, false])
        let always = try await press([.character("a")])
        #expect(always.answer == "a" && always.taken == [true])
        let enter = try await press([.enter, .enter])
        #expect(enter.answer == nil && enter.taken == [true, false])
        // The end of input ends the conversation, too.
        let end = try await press([.end])
        #expect(end.answer == nil && end.taken == [false])
        #expect(!VoiceQuestion().take(.character("y")))
    }

    @Test("Who sees it can answer it")
    func seen() async throws {
        let question = VoiceQuestion()
        let answer = try await question.ask("Allow it?") { #expect(question.take(.character("n"))) }
        #expect(answer == "n")
    }

    @Test("Who stops asking gets no answer, before the question or after")
    func cancelled() async throws {
        let question = VoiceQuestion()
        let asking = Task { try await question.ask("Allow it?") }
        try await eventually { question.text != nil }
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
        #expect(question.text == nil)
        let late = Task {
            cancelCurrentTask()
            return try await question.ask("Allow it?")
        }
        await #expect(throws: CancellationError.self) { try await late.value }
    }
}
