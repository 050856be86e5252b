// SPDX-License-Identifier: MIT

import Echo
import TestKit
import Testing

@Suite("Conversation in text", .timeLimit(.minutes(5)))
struct ConversationTests {
    private func texts(_ request: ResponsesRequest) -> [String] {
        request.input.map { item in
            switch item {
            case .message(let message): "\(message.role.rawValue): \(message.text)"
            case .functionCall(let call): "call \(call.callID)"
            case .functionCallOutput(let output): "result \(output.callID): \(output.text)"
            default: "?"
            }
        }
    }

    @Test("An answer is streamed, finalised, and the next request goes on from it")
    func streaming() async throws {
        let service = ScriptedResponses([
            { _ in ScriptedResponses.Step.text(["Hel", "lo", "!"], id: "r1") },
            { _ in ScriptedResponses.Step.text(["Fine."], id: "r2") },
        ])
        let echo = Echo(service)
        let events = echo.events
        let conversation = try await echo.startConversation(mode: .text, systemMessage: "Be kind.")
        try await conversation.send("Hi")
        try await conversation.send("How are you?")
        #expect(await conversation.mode == .text)
        #expect(await conversation.allMessages.map(\.text) == ["Hi", "Hello!", "How are you?", "Fine."])
        #expect(await conversation.allMessages.map(\.role) == [.user, .assistant, .user, .assistant])
        #expect(await conversation.pendingMessages.isEmpty)
        #expect(service.requests.map(\.previousResponseID) == [nil, "r1"])
        #expect(service.requests.map(\.instructions) == ["Be kind.", "Be kind."])
        #expect(service.requests.map(texts) == [["user: Hi"], ["user: How are you?"]])

        var types: [EventType] = []
        var deltas: [String] = []
        for await event in events {
            types.append(event.type)
            if case .assistantTextDelta(let piece) = event.detail { deltas.append(piece) }
            #expect(event.conversationID == conversation.id)
            if types.count == 11 { break }
        }
        #expect(deltas == ["Hel", "lo", "!"])
        #expect(
            types == [
                .messageFinalized, .turnEnded, .turnChanged, .assistantStartedSpeaking, .assistantTextDelta,
                .assistantTextDelta, .assistantTextDelta, .messageFinalized, .assistantStoppedSpeaking, .turnEnded,
                .turnChanged,
            ])
    }

    @Test("A server that keeps nothing gets the whole history")
    func fullHistory() async throws {
        let service = ScriptedResponses(
            keeps: false,
            [
                { _ in ScriptedResponses.Step.text(["A"], id: "r1") },
                { _ in ScriptedResponses.Step.text(["B"], id: "r2") },
            ])
        let conversation = try await Echo(service).startConversation(mode: .text)
        try await conversation.send("1")
        try await conversation.send("2")
        #expect(service.requests.map(\.previousResponseID) == [nil, nil])
        #expect(texts(service.requests[1]) == ["user: 1", "assistant: A", "user: 2"])
        #expect(service.requests[1].input.allSatisfy { $0.id == nil })
    }

    @Test(
        "A server that has forgotten gets the whole history",
        arguments: [
            EchoError.notFound(APIFailure(status: 404, message: "gone")),
            .apiError(APIFailure(status: 400, code: "previous_response_not_found", message: "gone")),
        ])
    func forgotten(error: EchoError) async throws {
        let service = ScriptedResponses([
            { _ in ScriptedResponses.Step.text(["A"], id: "r1") },
            { _ in throw error },
            { _ in ScriptedResponses.Step.text(["B"], id: "r2") },
            { _ in ScriptedResponses.Step.text(["C"], id: "r3") },
        ])
        let conversation = try await Echo(service).startConversation(mode: .text)
        for text in ["1", "2", "3"] { try await conversation.send(text) }
        #expect(service.requests.map(\.previousResponseID) == [nil, "r1", nil, "r2"])
        #expect(texts(service.requests[2]) == ["user: 1", "assistant: A", "user: 2"])
        #expect(await conversation.allMessages.map(\.text) == ["1", "A", "2", "B", "3", "C"])
    }

    @Test("Sends at the same time run one after another")
    func serialised() async throws {
        let answers: [ScriptedResponses.Answer] = (0..<20).map { number in
            { _ in
                await disturbOrder()
                return ScriptedResponses.Step.text(["answer"], id: "r\(number)")
            }
        }
        let service = ScriptedResponses(answers)
        let conversation = try await Echo(service).startConversation(mode: .text)
        try await withThrowingTaskGroup { group in
            for number in 0..<20 { group.addTask { try await conversation.send("\(number)") } }
            try await group.waitForAll()
        }
        let roles = await conversation.allMessages.map(\.role)
        #expect(roles == (0..<20).flatMap { _ in [MessageRole.user, .assistant] })
        #expect(service.requests.allSatisfy { $0.input.count == 1 })
    }

    @Test("Interrupting keeps what was said, lets send return, and goes on from there")
    func interruption() async throws {
        let told = Collected<Void>()
        let service = ScriptedResponses([
            { _ in ScriptedResponses.Step.text(["A"], id: "r1") },
            { _ in [.delta("One, "), .delta("two"), .tell(told), .hang, .delta(", three")] },
            { _ in ScriptedResponses.Step.text(["B"], id: "r3") },
        ])
        let echo = Echo(service)
        let interrupted = Collected<Void>()
        echo.when(.assistantInterrupted) { _ in interrupted.append(()) }
        let conversation = try await echo.startConversation(mode: .text)
        try await conversation.send("1")
        let sending = Task { try await conversation.send("Count") }
        _ = try await told.first(1)
        #expect(await conversation.pendingMessages.map(\.text) == ["One, two"])
        try await conversation.interruptAssistant()
        try await sending.value
        let message = try #require(await conversation.allMessages.last)
        #expect(message.isInterrupted)
        #expect(message.text == "One, two")
        _ = try await interrupted.first(1)
        try await conversation.interruptAssistant()
        try await conversation.send("Go on")
        #expect(service.requests[2].previousResponseID == "r1")
        #expect(texts(service.requests[2]) == ["user: Count", "assistant: One, two", "user: Go on"])
    }

    @Test("Cancelling the caller ends the turn, and the conversation goes on")
    func cancellation() async throws {
        let told = Collected<Void>()
        let service = ScriptedResponses([
            { _ in [.delta("One"), .tell(told), .hang, .delta(", two")] },
            { _ in ScriptedResponses.Step.text(["B"], id: "r2") },
        ])
        let conversation = try await Echo(service).startConversation(mode: .text)
        let sending = Task { try await conversation.send("Count") }
        _ = try await told.first(1)
        sending.cancel()
        await #expect(throws: CancellationError.self) { try await sending.value }
        #expect(await conversation.allMessages.map(\.text) == ["Count", "One"])
        try await conversation.send("again")
        #expect(await conversation.allMessages.last?.text == "B")
    }

    @Test("A stream that breaks is an error and an event; what came stays")
    func failure() async throws {
        let interruption = StreamInterruption(reason: .connectionLost, message: "lost", partial: Response())
        let service = ScriptedResponses([
            { _ in [.delta("Half"), .fail(EchoError.streamInterrupted(interruption))] },
            { _ in throw EchoError.rateLimitExceeded },
            { _ in ScriptedResponses.Step.text(["B"], id: "r2") },
        ])
        let echo = Echo(service)
        let errors = Collected<Void>()
        echo.when(.error) { event in if event.error is EchoError { errors.append(()) } }
        let conversation = try await echo.startConversation(mode: .text)
        await #expect(throws: EchoError.self) { try await conversation.send("1") }
        await #expect(throws: EchoError.self) { try await conversation.send("2") }
        _ = try await errors.first(2)
        try await conversation.send("3")
        #expect(await conversation.allMessages.map(\.text) == ["1", "Half", "2", "3", "B"])
        #expect(await conversation.allMessages.map(\.isInterrupted) == [false, true, false, false, false])
        #expect(texts(service.requests[2]) == ["user: 1", "assistant: Half", "user: 2", "user: 3"])
    }

    @Test("An answer that is cut off says why, and is not gone on from")
    func incomplete() async throws {
        var cut = Response(id: "r1", model: "gpt-5", status: .incomplete)
        cut.output = [.message(.assistant, "Long ago")]
        cut.incompleteReason = "max_output_tokens"
        let response = cut
        let service = ScriptedResponses([
            { _ in [.delta("Long ago"), .event(ResponseStreamEvent(.incomplete, .response(response)))] },
            { _ in ScriptedResponses.Step.text(["B"], id: "r2") },
        ])
        let conversation = try await Echo(service).startConversation(mode: .text)
        try await conversation.send("Tell")
        #expect(await conversation.allMessages.last?.incompleteReason == "max_output_tokens")
        try await conversation.send("More")
        #expect(service.requests[1].previousResponseID == nil)
        #expect(texts(service.requests[1]) == ["user: Tell", "assistant: Long ago", "user: More"])
    }

    @Test("Several consumers read all messages, and their streams end with the conversation")
    func consumers() async throws {
        let service = ScriptedResponses([{ _ in ScriptedResponses.Step.text(["A"], id: "r1") }])
        let conversation = try await Echo(service).startConversation(mode: .text)
        let early = conversation.messages
        try await conversation.send("1")
        let late = conversation.messages
        await conversation.close()
        for stream in [early, late] {
            var texts: [String] = []
            for await message in stream { texts.append(message.text) }
            #expect(texts == ["1", "A"])
        }
        await #expect(throws: EchoError.self) { try await conversation.send("2") }
        #expect(await conversation.allMessages.count == 2)
    }

    @Test("Without a server for voice it is refused with a reason, and the old mode goes on")
    func voice() async throws {
        let service = ScriptedResponses([
            { _ in ScriptedResponses.Step.text(["A"], id: "r1") },
            { _ in ScriptedResponses.Step.text(["B"], id: "r2") },
        ])
        let echo = Echo(service)
        let conversation = try await echo.startConversation(mode: .text)
        try await conversation.send("Remember: Blue")
        await #expect {
            try await conversation.switchMode(to: .audio)
        } throws: { error in
            if case EchoError.unsupported = error { true } else { false }
        }
        await #expect(throws: EchoError.self) { try await echo.startConversation(mode: .audio) }
        await #expect(throws: EchoError.self) { try await conversation.setMuted(true) }
        try await conversation.endUserTurn()
        try await conversation.switchMode(to: .text)
        #expect(await conversation.mode == .text)
        #expect(await conversation.allMessages.contains { $0.text.contains("Blue") })
        try await conversation.send("And?")
        #expect(service.requests[1].previousResponseID == "r1")
    }

    @Test("A model that is not listed fails before anything is sent")
    func model() async throws {
        let service = ScriptedResponses([])
        var configuration = EchoConfiguration.default
        configuration.responsesModel = ResponsesModel(rawValue: "gpt-4")
        let echo = Echo(service, configuration: configuration)
        await #expect {
            _ = try await echo.startConversation(mode: .text)
        } throws: { error in
            if case EchoError.unsupportedModel("gpt-4") = error { true } else { false }
        }
        #expect(service.requests.isEmpty)
    }
}
