// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import DomainTestSupport
import Echo
import FoundationEssentials
import Networking
import NetworkingTestSupport
import StructuredJSON
import Testing

@testable import DataAssistant

@Suite struct ModelAssistantTests {
    /// Answers with what it was given, in order, and keeps the requests.
    final class Script: ResponsesService {
        enum Answer: Sendable {
            case text(String)
            case call(String, String)
            case breakOff(String)
            case refuse(EchoError)
        }

        let answers: Guarded<[Answer]>
        let requests = Guarded<[ResponsesRequest]>([])
        let keepsResponses = false

        init(_ answers: [Answer]) { self.answers = Guarded(answers) }

        func stream(_ request: ResponsesRequest) async throws -> ResponseStream {
            requests.withLock { $0.append(request) }
            let answer = answers.withLock { $0.isEmpty ? .text("nothing left") : $0.removeFirst() }
            switch answer {
            case .text(let text):
                let item = ResponseItem.message(.assistant, text)
                return ResponseStream(
                    Self.deltas(text)
                        + [ResponseStreamEvent(.completed, .response(Response(id: "r", output: [item])))])
            case .call(let name, let arguments):
                let item = ResponseItem.functionCall(
                    FunctionCallItem(callID: "call-1", name: name, arguments: arguments))
                return ResponseStream([ResponseStreamEvent(.completed, .response(Response(id: "r", output: [item])))])
            case .breakOff(let text): return ResponseStream(source: Broken(Self.deltas(text)))
            case .refuse(let error): throw error
            }
        }

        private static func deltas(_ text: String) -> [ResponseStreamEvent] {
            text.map { ResponseStreamEvent(.outputTextDelta, .text(TextEvent(String($0), itemID: "i"))) }
        }

        func create(_ request: ResponsesRequest) async throws -> Response { Response() }
        func resume(_ id: String, after: Int?) async throws -> ResponseStream { ResponseStream([]) }
        func retrieve(_ id: String) async throws -> Response { Response() }
        func cancel(_ id: String) async throws -> Response { Response() }
        func delete(_ id: String) async throws {}
    }

    /// Events, and then a lost connection.
    final class Broken: ResponseStreamSource {
        private let events: Guarded<[ResponseStreamEvent]>
        let partial = Response()
        let lastSequenceNumber: Int? = nil

        init(_ events: [ResponseStreamEvent]) { self.events = Guarded(events) }

        func next() async throws -> ResponseStreamEvent? {
            guard let event = events.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                throw EchoError.streamInterrupted(
                    StreamInterruption(reason: .connectionLost, message: "gone", partial: Response()))
            }
            return event
        }
    }

    struct NoEmbeddings: EmbeddingsService {
        func create(_ request: EmbeddingsRequest) async throws -> EmbeddingsResponse {
            throw EchoError.unsupported("There are none.")
        }
    }

    /// One tool, which is allowed or not.
    struct OneTool: DataAssistant.ToolSource {
        let isAllowed: Bool

        func tools(_ report: @Sendable (AnswerEvent) async throws -> Void) async throws -> [Tool] {
            [
                Tool(name: "double", description: "", parameters: ["n": ["type": "integer"]]) { arguments in
                    "\((arguments["n"] as? Int ?? 0) * 2)"
                }
            ]
        }

        func refusal(
            of call: ToolUse, _ report: @Sendable (AnswerEvent) async throws -> Void
        ) async throws -> ToolRefusal? { isAllowed ? nil : .declined }

        func close() {}
    }

    private func model(
        _ script: Script, tool: OneTool? = nil, network: ScriptedNetwork = ScriptedNetwork(),
        asksIfItLasts: Bool = false
    ) throws -> ModelAssistant {
        try ModelAssistant(
            model: "gpt-5", budget: 1, instructions: "Be brief.", tools: tool, mayFallBack: true,
            asksIfItLasts: asksIfItLasts, network: network
        ) { model, api, budget in
            let meter = UsageMeter(budget: budget)
            meter.record(Usage(inputTokens: 80_000), model: "gpt-5")
            var configuration = EchoConfiguration()
            configuration.responsesModel = ResponsesModel(rawValue: model)
            configuration.endpoint.textAPI = api
            return Echo(
                service: script, embeddings: NoEmbeddings(), meter: meter, configuration: configuration,
                automaticToolExecution: false, eventQueueLimit: .max)
        }
    }

    private func inputs(_ script: Script) -> [[String]] {
        script.requests.withLock { $0 }.map { request in
            request.input.map { item in
                switch item {
                case .message(let message): "\(message.role.rawValue): \(message.text)"
                case .functionCall(let call): "call \(call.name)"
                case .functionCallOutput(let output): "result \(output.text)"
                default: "other"
                }
            }
        }
    }

    // MARK: Answers that last

    private func ask(
        _ text: String, _ model: ModelAssistant, after earlier: [Domain.Message] = []
    ) async throws -> (answer: AssistantAnswer, deltas: String) {
        let said = Guarded("")
        let answer = try await model.answer(AssistantQuestion(text, earlier: earlier)) { event in
            if case .delta(let text) = event { said.withLock { $0 += text } }
        }
        return (answer, said.withLock { $0 })
    }

    private func schemas(_ script: Script) -> [Bool] {
        script.requests.withLock { $0.map { if case .jsonSchema = $0.textFormat { true } else { false } } }
    }

    @Test(arguments: [true, false])
    func `a model says in a field whether its answer to a question for a fact lasts`(lasts: Bool) async throws {
        let script = Script([.text(#"{"answer":"Bram \"St\u006fker\".","lasts":\#(lasts)}"#), .text("It is noon.")])
        let model = try model(script, asksIfItLasts: true)
        let (answer, deltas) = try await ask("Who wrote Dracula?", model)
        #expect(answer.text == "Bram \"Stoker\"." && deltas == answer.text && answer.lasts == lasts)
        // What comes next is no such question, and the model gets the words alone of what it said.
        let next = try await ask("And what time is it?", model)
        #expect(next.answer.text == "It is noon." && !next.answer.lasts)
        #expect(schemas(script) == [true, false])
        #expect(
            inputs(script).last == [
                "user: Who wrote Dracula?", "assistant: Bram \"Stoker\".", "user: And what time is it?",
            ])
    }

    @Test func `plain words, tools and a conversation before keep an answer from lasting`() async throws {
        let fields = #"{"answer":"8","lasts":true}"#
        let script = Script([.text("Bram Stoker."), .call("double", #"{"n":4}"#), .text(fields), .text(fields)])
        let words = try await ask("Who wrote Dracula?", model(script, asksIfItLasts: true))
        #expect(words.answer.text == "Bram Stoker." && !words.answer.lasts)
        let counted = try await ask(
            "What is two times four?", model(script, tool: OneTool(isAllowed: true), asksIfItLasts: true))
        #expect(!counted.answer.lasts)
        let earlier = [
            Domain.Message(
                conversation: .init(), turn: TurnID(), role: .user, modality: .text, text: "Play along.",
                createdAt: Date())
        ]
        let played = try await ask("Who wrote Dracula?", model(script, asksIfItLasts: true), after: earlier)
        #expect(!played.answer.lasts)
        #expect(schemas(script) == [true, true, false, false])
    }

    @Test func `a server that knows no schemas is asked without one from then on`() async throws {
        let refusal = EchoError.apiError(APIFailure(status: 400, message: "response_format is not supported"))
        let script = Script([.refuse(refusal), .text("Bram Stoker."), .text("Mary Shelley.")])
        let model = try model(script, asksIfItLasts: true)
        let (answer, deltas) = try await ask("Who wrote Dracula?", model)
        #expect(answer.text == "Bram Stoker." && deltas == answer.text && !answer.lasts)
        await model.forget()
        #expect(try await ask("Who wrote Frankenstein?", model).answer.text == "Mary Shelley.")
        #expect(schemas(script) == [true, false, false])
        #expect(inputs(script)[1] == ["user: Who wrote Dracula?"])
    }

    @Test func eachRequestHasAllThatWasSaid() async throws {
        let script = Script([.text("one"), .text("two")])
        let model = try model(script)
        let said = Guarded("")
        for question in ["a", "b"] {
            _ = try await model.answer(AssistantQuestion(question)) { event in
                if case .delta(let text) = event { said.withLock { $0 += text } }
            }
        }
        #expect(said.withLock { $0 } == "onetwo")
        #expect(inputs(script) == [["user: a"], ["user: a", "assistant: one", "user: b"]])
        let request = try #require(script.requests.withLock { $0.first })
        #expect(request.previousResponseID == nil && request.instructions == "Be brief.")
        await model.forget()
        _ = try await model.answer(AssistantQuestion("c")) { _ in }
        #expect(inputs(script).last == ["user: c"])
    }

    @Test func toolsAreCalledAndTheirResultsGoBack() async throws {
        let script = Script([.call("double", #"{"n": 4}"#), .text("8")])
        let ended = Guarded<[String]>([])
        _ = try await model(script, tool: OneTool(isAllowed: true)).answer(AssistantQuestion("q")) { event in
            if case .toolReturned(let use, let output, let isError, _) = event {
                ended.withLock { $0.append("\(use.name) \(output) \(isError)") }
            }
        }
        #expect(ended.withLock { $0 } == ["double 8 false"])
        #expect(inputs(script).last == ["user: q", "call double", "result 8"])
    }

    @Test func whatIsNotAllowedIsNotCalled() async throws {
        let script = Script([.call("double", #"{"n": 4}"#), .text("sorry")])
        _ = try await model(script, tool: OneTool(isAllowed: false)).answer(AssistantQuestion("q")) { _ in }
        #expect(
            inputs(script).last == [
                "user: q", "call double", "result The call was not allowed: the person does not allow it.",
            ])
    }

    @Test func aModelThatNeverStopsCallingIsStopped() async throws {
        let script = Script(Array(repeating: .call("double", #"{"n": 1}"#), count: 100))
        let model = try model(script, tool: OneTool(isAllowed: true))
        await #expect(throws: EchoError.self) { _ = try await model.answer(AssistantQuestion("q")) { _ in } }
        #expect(script.requests.withLock { $0.count } <= 20)
    }

    @Test func anAnswerThatBreaksOffStaysAndOneThatNeverBeganDoesNot() async throws {
        let script = Script([.breakOff("half"), .refuse(.connectionFailed("gone")), .text("whole")])
        let model = try model(script)
        await #expect(throws: DomainError.offline("The answer broke off. gone")) {
            _ = try await model.answer(AssistantQuestion("a")) { _ in }
        }
        await #expect(throws: DomainError.offline("gone")) {
            _ = try await model.answer(AssistantQuestion("b")) { _ in }
        }
        _ = try await model.answer(AssistantQuestion("c")) { _ in }
        #expect(inputs(script).last == ["user: a", "assistant: half", "user: c"])
    }

    @Test func anotherModelGoesOnWithTheRestOfTheBudget() async throws {
        let script = Script([])
        let model = try model(script)
        #expect(await model.cost().cost == 0.1)
        try await model.use(model: "gpt-5-mini")
        #expect(await model.name == "gpt-5-mini")
        let cost = await model.cost()
        #expect(abs(cost.cost - 0.2) < 1e-9 && cost.budget == 1)
    }

    @Test func everyPieceOfALongAnswerIsTold() async throws {
        let long = String(repeating: "word ", count: 4_000)
        let script = Script([.text(long)])
        let said = Guarded("")
        _ = try await model(script).answer(AssistantQuestion("q")) { event in
            if case .delta(let text) = event { said.withLock { $0 += text } }
        }
        #expect(said.withLock { $0 } == long)
    }

    @Test func whoCannotShowTheAnswerStopsIt() async throws {
        struct Gone: Error {}
        let script = Script([.text("one"), .text("two")])
        let model = try model(script)
        await #expect(throws: Gone.self) { _ = try await model.answer(AssistantQuestion("a")) { _ in throw Gone() } }
        _ = try await model.answer(AssistantQuestion("b")) { _ in }
        #expect(inputs(script).last?.last == "user: b")
    }

    @Test func withoutANetworkNothingIsAskedAndAfterItsReturnTheConversationGoesOn() async throws {
        let (script, network) = (Script([.text("one"), .text("two")]), ScriptedNetwork())
        let model = try model(script, network: network)
        _ = try await model.answer(AssistantQuestion("a")) { _ in }
        network.set(isUp: false)
        await #expect(throws: DomainError.offline("This machine has no network.")) {
            _ = try await model.answer(AssistantQuestion("b")) { _ in }
        }
        #expect(inputs(script).count == 1)
        network.set(isUp: true)
        _ = try await model.answer(AssistantQuestion("c")) { _ in }
        #expect(inputs(script).last == ["user: a", "assistant: one", "user: c"])
    }

    @Test func aServerWithoutResponsesIsAskedTheOtherWay() async throws {
        let script = Script([
            .refuse(.notFound(APIFailure(status: 404, message: "no"))), .text("hello"), .text("again"),
        ])
        let model = try model(script)
        _ = try await model.answer(AssistantQuestion("a")) { _ in }
        _ = try await model.answer(AssistantQuestion("b")) { _ in }
        #expect(inputs(script) == [["user: a"], ["user: a"], ["user: a", "assistant: hello", "user: b"]])
    }

    @Test func anotherModelKnowsWhatWasSaid() async throws {
        let script = Script([.call("double", #"{"n": 4}"#), .text("8"), .text("still 8")])
        let model = try model(script, tool: OneTool(isAllowed: true))
        _ = try await model.answer(AssistantQuestion("q")) { _ in }
        try await model.use(model: "gpt-5-mini")
        _ = try await model.answer(AssistantQuestion("and now?")) { _ in }
        #expect(
            inputs(script).last == ["user: q", "call double", "result 8", "assistant: 8", "user: and now?"])
        #expect(script.requests.withLock { $0.last?.model.rawValue } == "gpt-5-mini")
    }

    @Test func withoutAMicrophoneTheChatGoesOnInText() async throws {
        let model = try model(Script([.text("one")]))
        await #expect(throws: EchoError.self) { try await model.switchMode(to: .audio) }
        #expect(await model.mode == .text)
        _ = try await model.answer(AssistantQuestion("a")) { _ in }
    }

    // MARK: As a part of an assistant

    private func message(
        _ role: Domain.Message.Role, _ text: String, _ turn: TurnID, state: Domain.Message.State = .whole,
        source: AnswerSource? = nil, call: Domain.Message.ToolExchange? = nil
    ) -> Domain.Message {
        Domain.Message(
            conversation: .init(), turn: turn, role: role, modality: .text, text: text, createdAt: .now, state: state,
            source: source, device: "desk", toolCall: call)
    }

    @Test func aStoredConversationGoesOnWithItsToolsAndWhatWasHeard() async throws {
        let script = Script([.text("yes")])
        let (first, second) = (TurnID(), TurnID())
        let call = Domain.Message.ToolExchange(callID: "1", name: "double", arguments: #"{"n":4}"#)
        let earlier = [
            message(.user, "twice four?", first), message(.assistant, "8", first, source: .model("gpt-5")),
            message(.tool, "8", first, call: call), message(.user, "tell me more", second),
            message(.assistant, "It is even.", second, state: .interrupted(heard: 5)),
        ]
        _ = try await model(script).answer(AssistantQuestion("sure?", earlier: earlier)) { _ in }
        #expect(
            inputs(script) == [
                [
                    "user: twice four?", "call double", "result 8", "assistant: 8", "user: tell me more",
                    "assistant: It is", "user: sure?",
                ]
            ])
    }

    @Test func whatAnotherPartAnsweredIsKnownAndNothingIsSaidTwice() async throws {
        let script = Script([.text("one"), .text("two")])
        let model = try model(script)
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
            inputs(script).last == [
                "user: a", "assistant: one", "user: capital of Ohio", "assistant: Columbus.", "user: b",
            ])
    }

    @Test func aQuestionWithoutAnAnswerAndTheWordsOfAFailureAreNotSentAgain() async throws {
        let script = Script([.refuse(.connectionFailed("gone")), .text("yes")])
        let model = try model(script)
        let failed = TurnID()
        await #expect(throws: DomainError.offline("gone")) {
            _ = try await model.answer(AssistantQuestion("a", turn: failed)) { _ in }
        }
        let earlier = [message(.user, "a", failed), message(.assistant, "The model cannot be reached.", failed)]
        _ = try await model.answer(AssistantQuestion("b", earlier: earlier)) { _ in }
        #expect(inputs(script).last == ["user: b"])
    }

    @Test func theModelsOwnTurnsAreNotPutIntoItsConversationAnew() async throws {
        let script = Script([.call("double", #"{"n": 4}"#), .text("8"), .text("yes")])
        let model = try model(script, tool: OneTool(isAllowed: true))
        let turn = TurnID()
        let answer = try await model.answer(AssistantQuestion("q", turn: turn)) { _ in }
        // The stored form of the same turn, with words of it that came late.
        let earlier = [
            message(.user, "other words", turn), message(.assistant, answer.text, turn, source: answer.source),
        ]
        _ = try await model.answer(AssistantQuestion("sure?", earlier: earlier)) { _ in }
        #expect(inputs(script).last == ["user: q", "call double", "result 8", "assistant: 8", "user: sure?"])
    }

    @Test func aResumedConversationIsThereBeforeTheFirstQuestion() async throws {
        let script = Script([.text("yes")])
        let model = try model(script)
        let turn = TurnID()
        await model.resume([message(.user, "a", turn), message(.assistant, "one", turn, source: .states)])
        _ = try await model.answer(AssistantQuestion("b")) { _ in }
        #expect(inputs(script) == [["user: a", "assistant: one", "user: b"]])
    }

    @Test func anAnswerNamesItsModelAndItsCost() async throws {
        let script = Script([.text("one")])
        let answer = try await model(script).answer(AssistantQuestion("a")) { _ in }
        #expect(answer.text == "one" && answer.source == .model("gpt-5"))
    }

    @Test(arguments: AssistantContract.checks)
    func theContractIsKept(_ check: ContractCheck<AssistantSubject>) async throws {
        let open = { @Sendable (answers: [Script.Answer]) in try model(Script(answers)) }
        try await check.run(
            AssistantSubject(
                assistant: FreshModel(open: { try open([.text("It is so.")]) }), known: ["why?"], refused: [],
                failing: [
                    "offline": { try open([.refuse(.connectionFailed("gone"))]) },
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
