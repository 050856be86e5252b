// SPDX-License-Identifier: MIT

import Testing

@testable import Echo
@testable import EchoText

@Suite("Long conversations")
struct ConversationHistoryTests {
    @Test("A history beyond the model's window is sent from a later question on, also where the server keeps it")
    func window() async throws {
        let long = String(repeating: "word ", count: 20_000)
        let answers: [ScriptedResponses.Answer] = (0..<10).map { number in
            { _ in ScriptedResponses.Step.text(["answer \(number)"], id: "r\(number)") }
        }
        for keeps in [true, false] {
            let service = ScriptedResponses(keeps: keeps, answers)
            let conversation = try await Echo(service).startConversation(mode: .text, systemMessage: "Be kind.")
            for number in 0..<10 { try await conversation.send("\(number) \(long)") }
            let last = try #require(service.requests.last)
            #expect(last.instructions == "Be kind.")
            #expect(last.input.count < 19)
            guard case .message(let first)? = last.input.first else {
                Issue.record("the history does not begin with a message")
                return
            }
            #expect(first.role == .user)
            #expect(await conversation.allMessages.count == 20)
            if keeps {
                #expect(service.requests.contains { $0.previousResponseID != nil })
                #expect(service.requests.dropFirst().contains { $0.previousResponseID == nil })
            }
        }
    }

    @Test("What the API counts lets more history through than the estimate would")
    func correction() async throws {
        let long = String(repeating: "word ", count: 12_000)
        let answers: [ScriptedResponses.Answer] = (0..<12).map { number in
            { _ in
                ScriptedResponses.Step.text(
                    ["ok"], id: "r\(number)", usage: Usage(inputTokens: 12_000 * (number + 1), outputTokens: 1))
            }
        }
        let service = ScriptedResponses(keeps: false, answers)
        let conversation = try await Echo(service).startConversation(mode: .text)
        for number in 0..<12 { try await conversation.send("\(number) \(long)") }
        #expect(service.requests.last?.input.count == 23)
    }

    /// A history whose estimate is two and a half times the window of ``roomy``.
    private static let long: [ResponseItem] = (0..<25).flatMap { number -> [ResponseItem] in
        [.message(.user, "\(number) " + String(repeating: "word ", count: 190)), .message(.assistant, "ok")]
    }
    private static let configuration = EchoConfiguration(maximumOutputTokens: 1_000, contextWindow: 9_000)

    /// Answers, and counts a third of the estimate of what it is sent.
    private func counting(keeps: Bool = true, _ count: Int) -> ScriptedResponses {
        ScriptedResponses(
            keeps: keeps,
            (0..<count).map { number in
                { request in
                    let estimate = request.input.reduce(0) { $0 + ContextBudget.cost(of: $1) }
                    return ScriptedResponses.Step.text(
                        ["ok"], id: "r\(number)", usage: Usage(inputTokens: estimate / 3, outputTokens: 1))
                }
            })
    }

    @Test(arguments: [true, false])
    func `a cut request is counted, and the next has the whole history`(keeps: Bool) async throws {
        let service = counting(keeps: keeps, 3)
        let echo = Echo(service, configuration: Self.configuration)
        let conversation = try await echo.startConversation(mode: .text, history: Self.long)
        for number in 0..<2 { try await conversation.send("\(number)?") }
        #expect(service.requests[0].input.count < 50)
        // The server has kept a part alone.
        #expect(service.requests[1].previousResponseID == nil)
        #expect(service.requests[1].input.count == 53)
        // A conversation that goes on from there begins with the measure, as after `/attach`.
        let next = try await echo.startConversation(mode: .text, history: await conversation.history)
        try await next.send("2?")
        #expect(service.requests[2].input.count == 55)
    }

    @Test func `another engine of the conversation keeps the measure`() async throws {
        let service = counting(2)
        let context = ConversationContext(
            id: "talk", systemMessage: nil, turnMode: .manual, queue: MessageQueue(eventEmitter: MockEventEmitter()),
            events: ConversationEvents(next: MockEventEmitter()), tools: ToolRegistry(), tokenScale: TokenScale())
        await context.queue.restore(Self.long)
        for number in 0..<2 {
            let engine = TextEngine(
                context: context, service: service, configuration: Self.configuration, automaticToolExecution: true,
                executor: ToolExecutor())
            try await engine.send("\(number)?", deltas: nil)
            await engine.close()
        }
        #expect(service.requests.map(\.input.count)[1] == 53)
        #expect(service.requests[0].input.count < 50)
    }

    @Test func `a request that is refused as too long is sent once more and shorter`() async throws {
        let refused: ScriptedResponses.Answer = { _ in throw EchoError.contextTooLong(APIFailure(message: "Too long")) }
        let answer: ScriptedResponses.Answer = { _ in ScriptedResponses.Step.text(["ok"], id: "r") }
        let service = ScriptedResponses([refused, answer, refused, refused])
        let conversation = try await Echo(service, configuration: Self.configuration)
            .startConversation(mode: .text, history: Self.long)
        try await conversation.send("So?")
        let counts = service.requests.map(\.input.count)
        #expect(counts.count == 2 && counts[1] < counts[0])
        #expect(await conversation.allMessages.suffix(2).map(\.text) == ["So?", "ok"])
        // By the estimate, less would not help.
        await #expect(throws: EchoError.self) { try await conversation.send("And?") }
        #expect(service.requests.count == 3)
    }

    @Test("Pictures and files of an earlier conversation are sent again")
    func attachments() async throws {
        let parts: [ContentPart] = [
            .inputText("I attach these."), .inputImage(url: "data:image/png;base64,AA=="),
            .inputFile(name: "a.pdf", data: "data:application/pdf;base64,AA==", fileID: nil, url: nil),
        ]
        for part in parts.dropFirst() {
            let item = ResponseItem.message(MessageItem(role: .user, content: [parts[0], part]))
            let service = ScriptedResponses(keeps: false, [{ _ in ScriptedResponses.Step.text(["ok"], id: "r") }])
            let conversation = try await Echo(service).startConversation(mode: .text, history: [item])
            try await conversation.send("See?")
            guard case .message(let sent)? = service.requests.last?.input.first else {
                Issue.record("the history does not begin with a message")
                return
            }
            #expect(sent.content == [parts[0], part])
        }
    }
}
