// SPDX-License-Identifier: MIT

import Diagnostics
import EchoSimulator
import NetworkingTestSupport
import StructuredJSON
import TestKit
import Testing

@testable import Echo
@testable import EchoText

@Suite("Switching between text and voice", .timeLimit(.minutes(5)))
struct VoiceSwitchingTests {
    private func shape(_ items: [ResponseItem]) -> [String] {
        items.map { item in
            switch item {
            case .message(let message): "\(message.role.rawValue): \(message.text)"
            case .functionCall(let call): "call \(call.callID)"
            case .functionCallOutput(let output): "result \(output.callID): \(output.text)"
            default: "?"
            }
        }
    }

    @Test("Text goes over to voice and back: words, calls, results, and their names")
    func bothWays() async throws {
        let call = ToolCall(id: "call_1", name: "get_time", arguments: "{}")
        try await VoiceStage.run(
            [.speech("As I said, noon.", milliseconds: 100)],
            text: [
                { _ in ScriptedResponses.Step.calls([call], id: "r1") },
                { _ in ScriptedResponses.Step.text(["It is noon."], id: "r2") },
                { _ in ScriptedResponses.Step.text(["Still noon."], id: "r3") },
            ]
        ) { stage in
            stage.echo.registerTool(Tool(name: "get_time", description: "", parameters: [:]) { _ in "Noon" })
            let conversation = try await stage.echo.startConversation(mode: .text, systemMessage: "Be kind.")
            try await conversation.send("What time is it?")
            let before = await conversation.history
            try await conversation.switchMode(to: .audio)
            #expect(await conversation.mode == .audio)
            let created = try await stage.service.first(4, "conversation.item.create").compactMap { $0["item"] }
            let types = created.compactMap { $0["type"]?.string }
            #expect(types == ["message", "function_call", "function_call_output", "message"])
            let names = await conversation.allMessages.map(\.id)
            #expect([created[0]["id"]?.string, created[3]["id"]?.string] == names.map(Optional.some))
            #expect(await shape(conversation.history) == shape(before))
            try await conversation.send("Really?")
            try await conversation.switchMode(to: .text)
            try await conversation.send("And now?")
            let whole = [
                "user: What time is it?", "call call_1", "result call_1: Noon", "assistant: It is noon.",
                "user: Really?", "assistant: As I said, noon.",
            ]
            let last = try #require(stage.text.requests.last)
            #expect(shape(last.input) == whole + ["user: And now?"])
            #expect(last.previousResponseID == nil)
            #expect(shape(await conversation.history) == whole + ["user: And now?", "assistant: Still noon."])
            let messages = await conversation.allMessages
            #expect(messages.map(\.text).last == "Still noon.")
            #expect(messages.map(\.sequenceNumber) == Array(0..<6))
            #expect(await conversation.history.compactMap(\.id).filter { names.contains($0) } == names)
            _ = try await stage.event { if case .modeChanged(.text, .requested) = $0 { true } else { false } }
            let reasons = stage.events.values.compactMap { event -> EchoMode? in
                if case .modeChanged(let mode, .requested) = event { mode } else { nil }
            }
            #expect(reasons == [.audio, .text])
            #expect(stage.device.openCount == 0)
            await conversation.close()
        }
    }

    @Test("An answer in text that is cut by the change goes over with what came of it")
    func cutText() async throws {
        try await VoiceStage.run(text: [{ _ in [.delta("One, "), .delta("two"), .hang] }]) { stage in
            let conversation = try await stage.echo.startConversation(mode: .text)
            let sending = Task { try await conversation.send("Count") }
            try await eventually { await conversation.pendingMessages.last?.text == "One, two" }
            try await conversation.switchMode(to: .audio)
            try await sending.value
            #expect(await conversation.allMessages.map(\.isInterrupted) == [false, true])
            let created = try await stage.service.first(2, "conversation.item.create").compactMap { $0["item"] }
            #expect(created[1]["content"]?[0]?["text"]?.string == "One, two")
            #expect(created[1]["id"]?.string == (await conversation.allMessages.last?.id))
            await conversation.close()
        }
    }

    @Test("An answer in voice that is cut by the change goes over with what was heard of it")
    func cutVoice() async throws {
        let words = "One two three four five six seven eight"
        try await VoiceStage.run(
            [.unfinished(words, milliseconds: 800)], pace: .manual,
            text: [{ _ in ScriptedResponses.Step.text(["Nine."], id: "r1") }]
        ) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            let sending = Task { try await conversation.send("Count") }
            let stream = try #require(stage.device.stream)
            _ = try await stream.plays.first(3)
            stream.hear(4_800)
            _ = try await stream.plays.first(4)
            try await conversation.switchMode(to: .text)
            try await sending.value
            let answer = try #require(await conversation.allMessages.last)
            #expect(answer.isInterrupted)
            #expect(answer.text.count < words.count && words.hasPrefix(answer.text) && !answer.text.isEmpty)
            try await conversation.send("Go on")
            #expect(
                shape(try #require(stage.text.requests.last).input) == [
                    "user: Count", "assistant: \(answer.text)", "user: Go on",
                ])
            #expect(stream.isClosed)
            await conversation.close()
        }
    }

    @Test("A change to voice that fails leaves text as it was, and nothing open", arguments: 0..<4)
    func failure(kind: Int) async throws {
        try await VoiceStage.run(
            text: [
                { _ in ScriptedResponses.Step.text(["A"], id: "r1") },
                { _ in ScriptedResponses.Step.text(["B"], id: "r2") },
            ],
            configure: { configuration in
                switch kind {
                case 0: configuration.realtimeModel = RealtimeModel(rawValue: "gpt-4")
                case 1: configuration.endpoint.baseURL = "http://127.0.0.1:\(refusingPort)/v1"
                case 2: configuration.voice.speed = 9
                default: break
                }
            }
        ) { stage in
            if kind == 3 { stage.device.fail(.audioError("The microphone is taken.")) }
            let conversation = try await stage.echo.startConversation(mode: .text)
            try await conversation.send("1")
            await #expect {
                try await conversation.switchMode(to: .audio)
            } throws: { error in
                switch (kind, error as? EchoError) {
                case (0, .unsupportedModel), (1, .connectionFailed), (2, .invalidConfiguration), (3, .audioError): true
                default: false
                }
            }
            #expect(stage.device.openCount == 0)
            _ = try await stage.first(.error)
            #expect(await conversation.mode == .text)
            try await conversation.send("2")
            // It goes on from the answer that the server keeps: nothing of it was disturbed.
            #expect(stage.text.requests.last?.previousResponseID == "r1")
            await #expect(throws: EchoError.self) { try await stage.echo.startConversation(mode: .audio) }
            await conversation.close()
        }
    }

    @Test("A change to text that fails leaves voice as it was: session and device go on")
    func failureToText() async throws {
        try await VoiceStage.run(
            [.speech("Still here.", milliseconds: 100)],
            configure: { $0.responsesModel = ResponsesModel(rawValue: "gpt-4") }
        ) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            await #expect(throws: EchoError.self) { try await conversation.switchMode(to: .text) }
            #expect(await conversation.mode == .audio)
            #expect(stage.device.openCount == 1)
            let stream = try #require(stage.device.stream)
            stream.capture(milliseconds: 20)
            try await eventually { stage.service.appended >= 1 }
            try await conversation.send("Are you there?")
            #expect(await conversation.allMessages.map(\.text) == ["Are you there?", "Still here."])
            #expect(stage.service.simulator.requests.count == 1)
            await conversation.close()
        }
    }

    @Test("A transcript that comes after the change fills its message, and the model reads it")
    func lateTranscript() async throws {
        var answer = ScriptedAnswer.speech("Hm.", milliseconds: 100, to: "")
        answer.turn.speech?.outcome = .missing
        try await VoiceStage.run(
            [answer],
            text: [
                { _ in ScriptedResponses.Step.text(["First."], id: "r1") },
                { _ in ScriptedResponses.Step.text(["Second."], id: "r2") },
            ]
        ) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            let changes = conversation.events(of: Self.changes)
            try #require(stage.device.stream).speak(milliseconds: 400)
            _ = try await stage.first(.assistantStoppedSpeaking)
            try await conversation.switchMode(to: .text)
            #expect(await conversation.history.first?.isAwaited == true)
            try await conversation.send("One")
            #expect(await conversation.allMessages.map(\.text) == ["", "Hm.", "One", "First."])
            #expect(shape(stage.text.requests[0].input) == ["assistant: Hm.", "user: One"])
            let spoken = try #require(await conversation.history.first?.id)
            await stage.service.transcribe(spoken, "What time is it?")
            _ = try await stage.first(.userTranscriptionCompleted)
            try await eventually { await conversation.history.first?.isAwaited != true }
            try await conversation.send("Two")
            #expect(await conversation.allMessages.first?.text == "What time is it?")
            #expect(await conversation.allMessages.first?.transcriptFailure == nil)
            #expect(
                shape(stage.text.requests[1].input) == [
                    "user: What time is it?", "assistant: Hm.", "user: One", "assistant: First.", "user: Two",
                ])
            await conversation.close()
            #expect(
                await changes.reduce(into: [EchoEvent]()) { $0.append($1) } == [
                    .audioStatusChanged(.speaking), .audioStatusChanged(.listening),
                    .connectionStatusChanged(.disconnected), .audioStatusChanged(.idle),
                    .modeChanged(.text, because: .requested),
                ])
        }
    }

    private static let changes: Set<EventType> = [.connectionStatusChanged, .audioStatusChanged, .modeChanged]

    @Test func `a session that waits for a transcript says nothing about the next one`() async throws {
        var answer = ScriptedAnswer.speech("Hm.", milliseconds: 100, to: "")
        answer.turn.speech?.outcome = .missing
        try await VoiceStage.run([answer]) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            try #require(stage.device.stream).speak(milliseconds: 400)
            _ = try await stage.first(.assistantStoppedSpeaking)
            let changes = conversation.events(of: Self.changes)
            try await conversation.switchMode(to: .text)
            try await conversation.switchMode(to: .audio)
            await conversation.close()
            // The status that follows the answer may come late.
            let told = await changes.reduce(into: [EchoEvent]()) { $0.append($1) }
                .drop { $0 == .audioStatusChanged(.listening) }
            #expect(
                told == [
                    .connectionStatusChanged(.disconnected), .audioStatusChanged(.idle),
                    .modeChanged(.text, because: .requested), .connectionStatusChanged(.connecting),
                    .connectionStatusChanged(.connected), .modeChanged(.audio, because: .requested),
                    .connectionStatusChanged(.disconnected), .audioStatusChanged(.idle),
                ])
        }
    }

    @Test("Where the budget for voice is used up, the answer is heard, and the conversation goes on in text")
    func budget() async throws {
        try await VoiceStage.run(
            [.speech("Expensive.", milliseconds: 200)],
            text: [{ _ in ScriptedResponses.Step.text(["Cheap."], id: "r1") }],
            configure: { $0.voice.budget = 0.001 }
        ) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            try await conversation.send("Talk")
            let change = try await stage.first(.modeChanged)
            guard case .modeChanged(.text, .budgetExceeded(_, 0.001)) = change else {
                Issue.record("another change: \(change)")
                return
            }
            #expect(stage.device.stream?.heard.count == 200 * 48)
            try await conversation.send("Write")
            #expect(await conversation.mode == .text)
            #expect(await conversation.allMessages.map(\.text) == ["Talk", "Expensive.", "Write", "Cheap."])
            await #expect {
                try await conversation.switchMode(to: .audio)
            } throws: { error in
                if case EchoError.budgetExceeded = error { true } else { false }
            }
            await conversation.close()
        }
    }

    @Test(
        "A device that fails for good, and a service that is gone for good, are followed by text",
        arguments: [true, false])
    func fallBack(isDevice: Bool) async throws {
        try await VoiceStage.run(
            [.speech("Hello.", milliseconds: 100)],
            text: [{ _ in ScriptedResponses.Step.text(["In text."], id: "r1") }]
        ) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            let statuses = conversation.events(of: [.audioStatusChanged])
            try await conversation.send("Hi")
            if isDevice {
                stage.device.stream?.fail(EchoError.audioError("unplugged"))
            } else {
                let error: JSONValue = [
                    "type": "invalid_request_error", "code": "insufficient_quota", "message": "No credit.",
                ]
                await stage.service.say("error", ["error": error])
            }
            let change = try await stage.first(.modeChanged)
            if case .modeChanged(.text, .failed) = change {} else { Issue.record("\(change)") }
            _ = try await stage.first(.error)
            try await conversation.send("Still there?")
            #expect(await conversation.allMessages.map(\.text) == ["Hi", "Hello.", "Still there?", "In text."])
            #expect(stage.device.openCount == 0)
            await conversation.close()
            let all = await statuses.reduce(into: [EchoEvent]()) { $0.append($1) }
            #expect(all.last == .audioStatusChanged(.idle) && all.count { $0 == .audioStatusChanged(.idle) } == 1)
        }
    }

    @Test("A conversation goes on from another's history, in either mode")
    func history() async throws {
        try await VoiceStage.run(
            [.speech("Two.", milliseconds: 100)],
            text: [
                { _ in ScriptedResponses.Step.text(["One."], id: "r1") },
                { _ in ScriptedResponses.Step.text(["Three."], id: "r2") },
            ]
        ) { stage in
            let first = try await stage.echo.startConversation(mode: .text)
            try await first.send("1")
            let second = try await stage.echo.startConversation(mode: .audio, history: await first.history)
            #expect(await second.allMessages.map(\.text) == ["1", "One."])
            #expect(await second.allMessages.map(\.id) == (await first.allMessages.map(\.id)))
            try await second.send("2")
            let third = try await stage.echo.startConversation(mode: .text, history: await second.history)
            try await third.send("3")
            #expect(await third.allMessages.map(\.text) == ["1", "One.", "2", "Two.", "3", "Three."])
            #expect(Set(await third.allMessages.map(\.id)).count == 6)
            #expect(shape(try #require(stage.text.requests.last).input).count == 5)
            for conversation in [first, second, third] { await conversation.close() }
        }
    }
}
