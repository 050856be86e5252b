// SPDX-License-Identifier: MIT

import EchoSimulator
import TestKit
import Testing

@testable import Echo
@testable import EchoText

@Suite("The stream of an answer", .timeLimit(.minutes(5)))
struct AnswerStreamTests {
    @Test func `a stream has its own turn's text, and ends by itself`() async throws {
        let simulator = try await EchoSimulator.start(
            scenario: Scenario([.init(.message("One two three four five")), .init(.message("Six"))]))
        let echo = Echo(
            key: "sk-test",
            configuration: EchoConfiguration(endpoint: EchoEndpoint(baseURL: "\(simulator.baseURL)")))
        let conversation = try await echo.startConversation(mode: .text)
        let first = conversation.stream("Count")
        let second = conversation.stream("Go on")
        // The second is read while the first has been waiting unread.
        #expect(try await second.text() == "Six")
        var pieces: [String] = []
        for try await delta in first { pieces.append(delta) }
        #expect(pieces.joined() == "One two three four five")
        #expect(pieces.count > 1)
        #expect(await conversation.allMessages.count == 4)
        await conversation.close()
        await echo.close()
        await simulator.close()
    }

    @Test func `nothing is lost, however much is unread`() async throws {
        let texts = (0..<5_000).map { "\($0) " }
        let service = ScriptedResponses([{ _ in ScriptedResponses.Step.text(texts, id: "r1") }])
        let conversation = try await Echo(service).startConversation(mode: .text)
        let stream = conversation.stream("Much")
        for await message in conversation.messages where message.role == .assistant { break }
        #expect(try await stream.text() == texts.joined())
    }

    @Test func `cancelling the reader ends the turn`() async throws {
        let told = Collected<Void>()
        let service = ScriptedResponses([
            { _ in [ScriptedResponses.Step.text(["Begin"], id: "r1")[0], .tell(told), .hang] },
            { _ in ScriptedResponses.Step.text(["Next"], id: "r2") },
        ])
        let conversation = try await Echo(service).startConversation(mode: .text)
        let events = conversation.events(of: [.assistantInterrupted])
        let reader = Task { try await conversation.stream("Begin").text() }
        _ = try await told.first(1)
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        for await _ in events { break }
        // The turn is over, and the next one runs.
        #expect(try await conversation.stream("Next").text() == "Next")
    }

    @Test func `leaving the loop ends the turn`() async throws {
        let service = ScriptedResponses([
            { _ in ScriptedResponses.Step.text(["a", "b"], id: "r1").dropLast() + [.hang] },
            { _ in ScriptedResponses.Step.text(["Next"], id: "r2") },
        ])
        let conversation = try await Echo(service).startConversation(mode: .text)
        for try await _ in conversation.stream("Begin") { break }
        #expect(try await conversation.stream("Next").text() == "Next")
    }

    @Test func `an error ends the stream`() async throws {
        let conversation = try await Echo(ScriptedResponses([])).startConversation(mode: .text)
        await #expect(throws: EchoError.self) { try await conversation.stream("Hi").text() }
        await conversation.close()
        await #expect {
            try await conversation.stream("Hi").text()
        } throws: { error in
            if case EchoError.conversationClosed = error { true } else { false }
        }
    }

    @Test func `a stream works in voice`() async throws {
        try await VoiceStage.run([
            .speech("Hello!", milliseconds: 100), .speech("Fine.", milliseconds: 100),
        ]) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            let first = conversation.stream("Hi")
            let second = conversation.stream("How are you?")
            #expect(try await first.text() == "Hello!")
            #expect(try await second.text() == "Fine.")
            await conversation.close()
        }
    }
}
