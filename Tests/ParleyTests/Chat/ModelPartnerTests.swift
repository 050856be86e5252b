// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Echo
import StructuredJSON
import Testing

@testable import parley

@Suite struct ModelPartnerTests {
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
    struct OneTool: parley.ToolSource {
        let isAllowed: Bool

        func tools(_ tell: @Sendable (ChatEvent) async throws -> Void) async throws -> [Tool] {
            [
                Tool(name: "double", description: "", parameters: ["n": ["type": "integer"]]) { arguments in
                    "\((arguments["n"] as? Int ?? 0) * 2)"
                }
            ]
        }

        func approval(
            of call: ToolCall, _ tell: @Sendable (ChatEvent) async throws -> Void
        ) async throws -> ToolApproval { isAllowed ? .approved : .denied(reason: "no.") }

        func list() -> [ChatTool] { [] }
        func close() {}
    }

    private func partner(_ script: Script, tool: OneTool? = nil) throws -> ModelPartner {
        try ModelPartner(
            model: "gpt-5", budget: 1, instructions: "Be brief.", calls: tool.map { ToolCalls(source: $0) },
            mayFallBack: true
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

    @Test func eachRequestHasAllThatWasSaid() async throws {
        let script = Script([.text("one"), .text("two")])
        let partner = try partner(script)
        let said = Guarded("")
        for question in ["a", "b"] {
            try await partner.answer(question) { event in
                if case .text(let text) = event { said.withLock { $0 += text } }
            }
        }
        #expect(said.withLock { $0 } == "onetwo")
        #expect(inputs(script) == [["user: a"], ["user: a", "assistant: one", "user: b"]])
        let request = try #require(script.requests.withLock { $0.first })
        #expect(request.previousResponseID == nil && request.instructions == "Be brief.")
        await partner.forget()
        try await partner.answer("c") { _ in }
        #expect(inputs(script).last == ["user: c"])
    }

    @Test func toolsAreCalledAndTheirResultsGoBack() async throws {
        let script = Script([.call("double", #"{"n": 4}"#), .text("8")])
        let ended = Guarded<[String]>([])
        try await partner(script, tool: OneTool(isAllowed: true)).answer("q") { event in
            if case .toolEnded(let call, let result, _) = event {
                ended.withLock { $0.append("\(call.name) \(result.output) \(result.isError)") }
            }
        }
        #expect(ended.withLock { $0 } == ["double 8 false"])
        #expect(inputs(script).last == ["user: q", "call double", "result 8"])
    }

    @Test func whatIsNotAllowedIsNotCalled() async throws {
        let script = Script([.call("double", #"{"n": 4}"#), .text("sorry")])
        try await partner(script, tool: OneTool(isAllowed: false)).answer("q") { _ in }
        #expect(inputs(script).last == ["user: q", "call double", "result The call was not allowed: no."])
    }

    @Test func aModelThatNeverStopsCallingIsStopped() async throws {
        let script = Script(Array(repeating: .call("double", #"{"n": 1}"#), count: 100))
        let partner = try partner(script, tool: OneTool(isAllowed: true))
        await #expect(throws: EchoError.self) { try await partner.answer("q") { _ in } }
        #expect(script.requests.withLock { $0.count } <= 20)
    }

    @Test func anAnswerThatBreaksOffStaysAndOneThatNeverBeganDoesNot() async throws {
        let script = Script([.breakOff("half"), .refuse(.connectionFailed("gone")), .text("whole")])
        let partner = try partner(script)
        await #expect(throws: EchoError.self) { try await partner.answer("a") { _ in } }
        await #expect(throws: EchoError.self) { try await partner.answer("b") { _ in } }
        try await partner.answer("c") { _ in }
        #expect(inputs(script).last == ["user: a", "assistant: half", "user: c"])
    }

    @Test func anotherModelGoesOnWithTheRestOfTheBudget() async throws {
        let script = Script([])
        let partner = try partner(script)
        #expect(await partner.cost()?.cost == 0.1)
        try await partner.use(model: "gpt-5-mini")
        #expect(await partner.name == "gpt-5-mini")
        let cost = try #require(await partner.cost())
        #expect(abs(cost.cost - 0.2) < 1e-9 && cost.budget == 1)
        #expect(ChatText.lines(cost).last == "$0.2000 so far, $0.8000 left of $1.00")
    }

    @Test func everyPieceOfALongAnswerIsTold() async throws {
        let long = String(repeating: "word ", count: 4_000)
        let script = Script([.text(long)])
        let said = Guarded("")
        try await partner(script).answer("q") { event in
            if case .text(let text) = event { said.withLock { $0 += text } }
        }
        #expect(said.withLock { $0 } == long)
    }

    @Test func whoCannotShowTheAnswerStopsIt() async throws {
        struct Gone: Error {}
        let script = Script([.text("one"), .text("two")])
        let partner = try partner(script)
        await #expect(throws: Gone.self) { try await partner.answer("a") { _ in throw Gone() } }
        try await partner.answer("b") { _ in }
        #expect(inputs(script).last?.last == "user: b")
    }

    @Test func aServerWithoutResponsesIsAskedTheOtherWay() async throws {
        let script = Script([
            .refuse(.notFound(APIFailure(status: 404, message: "no"))), .text("hello"), .text("again"),
        ])
        let partner = try partner(script)
        try await partner.answer("a") { _ in }
        try await partner.answer("b") { _ in }
        #expect(inputs(script) == [["user: a"], ["user: a"], ["user: a", "assistant: hello", "user: b"]])
    }

    @Test func anotherModelKnowsWhatWasSaid() async throws {
        let script = Script([.call("double", #"{"n": 4}"#), .text("8"), .text("still 8")])
        let partner = try partner(script, tool: OneTool(isAllowed: true))
        try await partner.answer("q") { _ in }
        try await partner.use(model: "gpt-5-mini")
        try await partner.answer("and now?") { _ in }
        #expect(
            inputs(script).last == ["user: q", "call double", "result 8", "assistant: 8", "user: and now?"])
        #expect(script.requests.withLock { $0.last?.model.rawValue } == "gpt-5-mini")
    }

    @Test func withoutAMicrophoneTheChatGoesOnInText() async throws {
        let partner = try partner(Script([.text("one")]))
        await #expect(throws: EchoError.self) { try await partner.switchMode(to: .audio) }
        #expect(await partner.mode == .text)
        try await partner.answer("a") { _ in }
    }
}
