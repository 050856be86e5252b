// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import DomainTestSupport
import Echo
import FoundationEssentials
import Networking
import Testing

@testable import DataAssistant

/// A model as a part of an assistant: the conversation is stored, and other parts answer in it too.
@Suite struct StoredConversationTests {
    private func message(
        _ role: Domain.Message.Role, _ text: String, _ turn: TurnID, state: Domain.Message.State = .whole,
        source: AnswerSource? = nil, call: Domain.Message.ToolExchange? = nil
    ) -> Domain.Message {
        Domain.Message(
            conversation: .init(), turn: turn, role: role, modality: .text, text: text, createdAt: .now, state: state,
            source: source, device: "desk", toolCall: call)
    }

    @Test func aStoredConversationGoesOnWithItsToolsAndWhatWasHeard() async throws {
        let script = ScriptedModel([.text("yes")])
        let (first, second) = (TurnID(), TurnID())
        let call = Domain.Message.ToolExchange(callID: "1", name: "double", arguments: #"{"n":4}"#)
        let earlier = [
            message(.user, "twice four?", first), message(.assistant, "8", first, source: .model("gpt-5")),
            message(.tool, "8", first, call: call), message(.user, "tell me more", second),
            message(.assistant, "It is even.", second, state: .interrupted(heard: 5)),
        ]
        _ = try await script.assistant().answer(AssistantQuestion("sure?", earlier: earlier)) { _ in }
        #expect(
            script.inputs == [
                [
                    "user: twice four?", "call double", "result 8", "assistant: 8", "user: tell me more",
                    "assistant: It is", "user: sure?",
                ]
            ])
    }

    @Test func whatAnotherPartAnsweredIsKnownAndNothingIsSaidTwice() async throws {
        let script = ScriptedModel([.text("one"), .text("two")])
        let model = try script.assistant()
        let (first, second, third) = (TurnID(), TurnID(), TurnID())
        var earlier: [Domain.Message] = []
        for (turn, question) in [(first, "a"), (second, "capital of Ohio"), (third, "b")] {
            if turn == second {
                earlier += [message(.user, question, turn), message(.assistant, "Columbus.", turn, source: .states)]
                continue
            }
            let answer = try await model.answer(AssistantQuestion(question, turn: turn, earlier: earlier)) { _ in }
            earlier += [message(.user, question, turn), message(.assistant, answer.text, turn, source: answer.source)]
        }
        #expect(
            script.inputs.last == [
                "user: a", "assistant: one", "user: capital of Ohio", "assistant: Columbus.", "user: b",
            ])
    }

    @Test func aQuestionWithoutAnAnswerAndTheWordsOfAFailureAreNotSentAgain() async throws {
        let script = ScriptedModel([.refuse(.connectionFailed("gone")), .text("yes")])
        let model = try script.assistant()
        let failed = TurnID()
        await #expect(throws: DomainError.server("There is no connection: gone")) {
            _ = try await model.answer(AssistantQuestion("a", turn: failed)) { _ in }
        }
        let earlier = [message(.user, "a", failed), message(.assistant, "The model cannot be reached.", failed)]
        _ = try await model.answer(AssistantQuestion("b", earlier: earlier)) { _ in }
        #expect(script.inputs.last == ["user: b"])
    }

    @Test func theModelsOwnTurnsAreNotPutIntoItsConversationAnew() async throws {
        let script = ScriptedModel([.call("double", #"{"n": 4}"#), .text("8"), .text("yes")])
        let model = try script.assistant(tool: OneTool(isAllowed: true))
        let turn = TurnID()
        let answer = try await model.answer(AssistantQuestion("q", turn: turn)) { _ in }
        // The stored form of the same turn, with words of it that came late.
        let earlier = [
            message(.user, "other words", turn), message(.assistant, answer.text, turn, source: answer.source),
        ]
        _ = try await model.answer(AssistantQuestion("sure?", earlier: earlier)) { _ in }
        #expect(script.inputs.last == ["user: q", "call double", "result 8", "assistant: 8", "user: sure?"])
    }

    @Test func aResumedConversationIsThereBeforeTheFirstQuestion() async throws {
        let script = ScriptedModel([.text("yes")])
        let model = try script.assistant()
        let turn = TurnID()
        await model.resume([message(.user, "a", turn), message(.assistant, "one", turn, source: .states)])
        _ = try await model.answer(AssistantQuestion("b")) { _ in }
        #expect(script.inputs == [["user: a", "assistant: one", "user: b"]])
    }

    @Test func anAnswerNamesItsModelAndItsCost() async throws {
        let script = ScriptedModel([.text("one")])
        let answer = try await script.assistant().answer(AssistantQuestion("a")) { _ in }
        #expect(answer.text == "one" && answer.source == .model("gpt-5"))
    }

    @Test(arguments: AssistantContract.checks)
    func theContractIsKept(_ check: ContractCheck<AssistantSubject>) async throws {
        let open = { @Sendable (answers: [ScriptedModel.Answer]) in try ScriptedModel(answers).assistant() }
        try await check.run(
            AssistantSubject(
                assistant: FreshModel(open: { try open([.text("It is so.")]) }), known: ["why?"], refused: [],
                failing: [
                    "timedOut": { try open([.refuse(.timedOut("the answer"))]) },
                    "server": { try open([.refuse(.apiError(APIFailure(status: 503, message: "busy")))]) },
                ]))
    }
}

/// A new conversation for each question: one model has one conversation, whose questions come one after the other.
private struct FreshModel: Assistant {
    let open: @Sendable () throws -> ModelAssistant

    func answer(
        _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> AssistantAnswer {
        try await open().answer(question, report)
    }
}
