// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import Echo
import FoundationEssentials
import Testing

@testable import DataAssistant

/// An answer may be kept only if the model says in a field that it lasts.
@Suite struct LastingAnswerTests {
    private func ask(
        _ text: String, _ model: ModelAssistant, after earlier: [Domain.Message] = []
    ) async throws -> (answer: AssistantAnswer, deltas: String) {
        let said = Guarded("")
        let answer = try await model.answer(AssistantQuestion(text, earlier: earlier)) { event in
            if case .delta(let text) = event { said.withLock { $0 += text } }
        }
        return (answer, said.withLock { $0 })
    }

    @Test(arguments: [true, false])
    func `a model says in a field whether its answer to a question for a fact lasts`(lasts: Bool) async throws {
        let script = ScriptedModel([
            .text(#"{"answer":"Bram \"St\u006fker\".","lasts":\#(lasts)}"#), .text("It is noon."),
        ])
        let model = try script.assistant(asksIfItLasts: true)
        let (answer, deltas) = try await ask("Who wrote Dracula?", model)
        #expect(answer.text == "Bram \"Stoker\"." && deltas == answer.text && answer.lasts == lasts)
        // What comes next is no such question, and the model gets the words alone of what it said.
        let next = try await ask("And what time is it?", model)
        #expect(next.answer.text == "It is noon." && !next.answer.lasts)
        #expect(script.schemas == [true, false])
        #expect(
            script.inputs.last == [
                "user: Who wrote Dracula?", "assistant: Bram \"Stoker\".", "user: And what time is it?",
            ])
    }

    @Test func `plain words, tools and a conversation before keep an answer from lasting`() async throws {
        let fields = #"{"answer":"8","lasts":true}"#
        let script = ScriptedModel([.text("Bram Stoker."), .call("double", #"{"n":4}"#), .text(fields), .text(fields)])
        let words = try await ask("Who wrote Dracula?", script.assistant(asksIfItLasts: true))
        #expect(words.answer.text == "Bram Stoker." && !words.answer.lasts)
        let counted = try await ask(
            "What is two times four?", script.assistant(tool: OneTool(isAllowed: true), asksIfItLasts: true))
        #expect(!counted.answer.lasts)
        let earlier = [
            Domain.Message(
                conversation: .init(), turn: TurnID(), role: .user, modality: .text, text: "Play along.",
                createdAt: Date())
        ]
        let played = try await ask("Who wrote Dracula?", script.assistant(asksIfItLasts: true), after: earlier)
        #expect(!played.answer.lasts)
        #expect(script.schemas == [true, true, false, false])
    }

    @Test func `a server that knows no schemas is asked without one from then on`() async throws {
        let refusal = EchoError.apiError(APIFailure(status: 400, message: "response_format is not supported"))
        let script = ScriptedModel([.refuse(refusal), .text("Bram Stoker."), .text("Mary Shelley.")])
        let model = try script.assistant(asksIfItLasts: true)
        let (answer, deltas) = try await ask("Who wrote Dracula?", model)
        #expect(answer.text == "Bram Stoker." && deltas == answer.text && !answer.lasts)
        await model.forget()
        #expect(try await ask("Who wrote Frankenstein?", model).answer.text == "Mary Shelley.")
        #expect(script.schemas == [true, false, false])
        #expect(script.inputs[1] == ["user: Who wrote Dracula?"])
    }
}
