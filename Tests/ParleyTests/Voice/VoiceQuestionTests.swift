// SPDX-License-Identifier: MIT

import Testing

@testable import parley

@Suite("Questions in a conversation by voice", .timeLimit(.minutes(5)))
struct VoiceQuestionTests {
    private func press(_ key: Key, _ question: Int = 0) -> KeyInput.Press {
        KeyInput.Press(key: key, question: question)
    }

    private func presses(_ text: String) -> [KeyInput.Press] {
        text.map { press($0 == "\n" ? .enter : .character($0)) }
    }

    @Test func `a line answers, and later keys are for others`() async throws {
        let question = VoiceQuestion()
        var taken: [Bool] = []
        let answer = try await question.ask("Allow it? ") {
            #expect(question.isOpen && question.line(width: 80) == "Allow it? ")
            taken = presses("mye\u{7F}es\nq").map(question.take)
        }
        #expect(answer == "myes" && taken == [true, true, true, true, true, true, true, false])
        #expect(!question.isOpen && question.line(width: 80) == nil)
    }

    @Test func `what is typed is shown behind the question`() async throws {
        let question = VoiceQuestion()
        _ = try await question.ask("Allow it? ") {
            presses("no").forEach { _ = question.take($0) }
            #expect(question.line(width: 80) == "Allow it? no")
            _ = question.take(press(.enter))
        }
    }

    @Test func `keys that were pressed before answer nothing`() async throws {
        // A terminal gives each question a number; here the keys have a lower one.
        let question = VoiceQuestion()
        let answer = try await question.ask("Allow it? ") {
            for key in [Key.character("y"), .character("e"), .character("s"), .enter] {
                #expect(!question.take(press(key, -1)))
            }
            presses("no\n").forEach { #expect(question.take($0)) }
        }
        #expect(answer == "no")
    }

    @Test func `the end of input ends the question and more`() async throws {
        let question = VoiceQuestion()
        let answer = try await question.ask("Allow it? ") { #expect(!question.take(press(.end))) }
        #expect(answer == nil)
        #expect(!question.take(press(.character("y"))))
    }

    @Test func `a cancelled question has no answer`() async throws {
        let question = VoiceQuestion()
        let (shown, show) = AsyncStream.makeStream(of: Void.self)
        let asking = Task { try await question.ask("Allow it? ") { show.yield() } }
        for await _ in shown { break }
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
        #expect(!question.isOpen)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await question.ask("Allow it? ")
        }
        await #expect(throws: CancellationError.self) { try await late.value }
    }
}
