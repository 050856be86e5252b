// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import Echo
import NetworkingTestSupport
import Testing

@testable import DataAssistant

@Suite struct ModelAssistantTests {
    @Test func eachRequestHasAllThatWasSaid() async throws {
        let script = ScriptedModel([.text("one"), .text("two")])
        let model = try script.assistant()
        let said = Guarded("")
        for question in ["a", "b"] {
            _ = try await model.answer(AssistantQuestion(question)) { event in
                if case .delta(let text) = event { said.withLock { $0 += text } }
            }
        }
        #expect(said.withLock { $0 } == "onetwo")
        #expect(script.inputs == [["user: a"], ["user: a", "assistant: one", "user: b"]])
        let request = try #require(script.requests.withLock { $0.first })
        #expect(request.previousResponseID == nil && request.instructions == "Be brief.")
        await model.forget()
        _ = try await model.answer(AssistantQuestion("c")) { _ in }
        #expect(script.inputs.last == ["user: c"])
    }

    @Test func toolsAreCalledAndTheirResultsGoBack() async throws {
        let script = ScriptedModel([.call("double", #"{"n": 4}"#), .text("8")])
        let ended = Guarded<[String]>([])
        _ = try await script.assistant(tool: OneTool(isAllowed: true)).answer(AssistantQuestion("q")) { event in
            if case .toolReturned(let use, let output, let isError, _) = event {
                ended.withLock { $0.append("\(use.name) \(output) \(isError)") }
            }
        }
        #expect(ended.withLock { $0 } == ["double 8 false"])
        #expect(script.inputs.last == ["user: q", "call double", "result 8"])
    }

    @Test func whatIsNotAllowedIsNotCalled() async throws {
        let script = ScriptedModel([.call("double", #"{"n": 4}"#), .text("sorry")])
        _ = try await script.assistant(tool: OneTool(isAllowed: false)).answer(AssistantQuestion("q")) { _ in }
        #expect(
            script.inputs.last == [
                "user: q", "call double", "result The call was not allowed: the person does not allow it.",
            ])
    }

    @Test func aModelThatNeverStopsCallingIsStopped() async throws {
        let script = ScriptedModel(Array(repeating: .call("double", #"{"n": 1}"#), count: 100))
        let model = try script.assistant(tool: OneTool(isAllowed: true))
        await #expect(throws: EchoError.self) { _ = try await model.answer(AssistantQuestion("q")) { _ in } }
        #expect(script.requests.withLock { $0.count } <= 20)
    }

    @Test func anAnswerThatBreaksOffStaysAndOneThatNeverBeganDoesNot() async throws {
        let script = ScriptedModel([.breakOff("half"), .refuse(.connectionFailed("gone")), .text("whole")])
        let model = try script.assistant()
        await #expect(throws: DomainError.server("The answer broke off. gone")) {
            _ = try await model.answer(AssistantQuestion("a")) { _ in }
        }
        await #expect(throws: DomainError.server("There is no connection: gone")) {
            _ = try await model.answer(AssistantQuestion("b")) { _ in }
        }
        _ = try await model.answer(AssistantQuestion("c")) { _ in }
        #expect(script.inputs.last == ["user: a", "assistant: half", "user: c"])
    }

    @Test func anotherModelGoesOnWithTheRestOfTheBudget() async throws {
        let script = ScriptedModel([])
        let model = try script.assistant()
        #expect(await model.cost().cost == 0.1)
        try await model.use(model: "gpt-5-mini")
        #expect(await model.name == "gpt-5-mini")
        let cost = await model.cost()
        #expect(abs(cost.cost - 0.2) < 1e-9 && cost.budget == 1)
    }

    @Test func everyPieceOfALongAnswerIsTold() async throws {
        let long = String(repeating: "word ", count: 4_000)
        let script = ScriptedModel([.text(long)])
        let said = Guarded("")
        _ = try await script.assistant().answer(AssistantQuestion("q")) { event in
            if case .delta(let text) = event { said.withLock { $0 += text } }
        }
        #expect(said.withLock { $0 } == long)
    }

    @Test func whoCannotShowTheAnswerStopsIt() async throws {
        struct Gone: Error {}
        let script = ScriptedModel([.text("one"), .text("two")])
        let model = try script.assistant()
        await #expect(throws: Gone.self) { _ = try await model.answer(AssistantQuestion("a")) { _ in throw Gone() } }
        _ = try await model.answer(AssistantQuestion("b")) { _ in }
        #expect(script.inputs.last?.last == "user: b")
    }

    @Test func withoutANetworkNothingIsAskedAndAfterItsReturnTheConversationGoesOn() async throws {
        let (script, network) = (ScriptedModel([.text("one"), .text("two")]), ScriptedNetwork())
        let model = try script.assistant(network: network)
        _ = try await model.answer(AssistantQuestion("a")) { _ in }
        network.set(isUp: false)
        let error = DomainError.server("The model's server cannot be reached: this machine has no network.")
        await #expect(throws: error) {
            _ = try await model.answer(AssistantQuestion("b")) { _ in }
        }
        #expect(script.inputs.count == 1)
        network.set(isUp: true)
        _ = try await model.answer(AssistantQuestion("c")) { _ in }
        #expect(script.inputs.last == ["user: a", "assistant: one", "user: c"])
    }

    @Test func aServerWithoutResponsesIsAskedTheOtherWay() async throws {
        let script = ScriptedModel([
            .refuse(.notFound(APIFailure(status: 404, message: "no"))), .text("hello"), .text("again"),
        ])
        let model = try script.assistant()
        _ = try await model.answer(AssistantQuestion("a")) { _ in }
        _ = try await model.answer(AssistantQuestion("b")) { _ in }
        #expect(script.inputs == [["user: a"], ["user: a"], ["user: a", "assistant: hello", "user: b"]])
    }

    @Test func anotherModelKnowsWhatWasSaid() async throws {
        let script = ScriptedModel([.call("double", #"{"n": 4}"#), .text("8"), .text("still 8")])
        let model = try script.assistant(tool: OneTool(isAllowed: true))
        _ = try await model.answer(AssistantQuestion("q")) { _ in }
        try await model.use(model: "gpt-5-mini")
        _ = try await model.answer(AssistantQuestion("and now?")) { _ in }
        #expect(
            script.inputs.last == ["user: q", "call double", "result 8", "assistant: 8", "user: and now?"])
        #expect(script.requests.withLock { $0.last?.model.rawValue } == "gpt-5-mini")
    }

    @Test func withoutAMicrophoneTheChatGoesOnInText() async throws {
        let model = try ScriptedModel([.text("one")]).assistant()
        await #expect(throws: EchoError.self) { try await model.switchMode(to: .audio) }
        #expect(await model.mode == .text)
        _ = try await model.answer(AssistantQuestion("a")) { _ in }
    }
}
