// SPDX-License-Identifier: MIT

import EchoSimulator
import StructuredJSON
import TestKit
import Testing

@testable import Echo
@testable import EchoText

/// What the user has said, and the service has not named or put into words, when the mode changes.
@Suite("Turns on their way when voice goes over to text", .timeLimit(.minutes(5)))
struct VoiceHandOverTests {
    private func words(_ items: [ResponseItem]) -> [String] {
        items.compactMap { if case .message(let message) = $0 { message.text } else { nil } }
    }

    private func ids(_ items: [ResponseItem]) -> [String] { items.compactMap(\.id) }

    /// The user says something, and says that it is said.
    private func speak(_ stage: VoiceStage, _ conversation: Conversation) async throws {
        let stream = try #require(stage.device.stream)
        let before = stage.service.appended
        try await conversation.beginUserTurn()
        stream.capture(milliseconds: 400)
        try await eventually { stage.service.appended >= before + 20 }
        try await conversation.endUserTurn()
    }

    @Test("The change waits for the name of a turn that was committed just before")
    func nameWhileChanging() async throws {
        try await VoiceStage.run(
            cues: [.namesNoTurn], text: [{ _ in ScriptedResponses.Step.text(["Noon."], id: "r1") }]
        ) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio, turnMode: .manual)
            try await speak(stage, conversation)
            let changing = Task { try await conversation.switchMode(to: .text) }
            _ = try await stage.service.first(1, "input_audio_buffer.commit")
            await stage.service.commitSpeech("turn")
            await stage.service.transcribe("turn", "What time is it?")
            try await changing.value
            #expect(await conversation.allMessages.map(\.id) == ["turn"])
            try await conversation.send("Please")
            #expect(words(stage.text.requests[0].input) == ["What time is it?", "Please"])
            await conversation.close()
        }
    }

    @Test("A turn that is named after the change has its place, and its words under the name that it has there")
    func nameAfterChange() async throws {
        try await VoiceStage.run(
            cues: [.namesNoTurn],
            text: [
                { _ in ScriptedResponses.Step.text(["First."], id: "r1") },
                { _ in ScriptedResponses.Step.text(["Second."], id: "r2") },
            ]
        ) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio, turnMode: .manual)
            try await speak(stage, conversation)
            try await speak(stage, conversation)
            try await conversation.switchMode(to: .text)
            let before = await conversation.allMessages
            #expect(before.map(\.text) == ["", ""])
            #expect(before.allSatisfy { $0.role == .user && $0.transcriptFailure != nil })
            #expect(await ids(conversation.history) == before.map(\.id))
            try await conversation.send("One")
            #expect(words(stage.text.requests[0].input) == ["One"])
            await stage.service.commitSpeech("turn 1")
            await stage.service.commitSpeech("turn 2", after: "turn 1")
            await stage.service.transcribe("turn 2", "And where?")
            await stage.service.transcribe("turn 1", "What time is it?")
            try await eventually { await !conversation.history.contains(where: \.isAwaited) }
            let after = await conversation.allMessages
            #expect(after.map(\.text) == ["What time is it?", "And where?", "One", "First."])
            #expect(after.prefix(2).map(\.id) == before.map(\.id))
            #expect(after.allSatisfy { $0.transcriptFailure == nil })
            try await conversation.send("Two")
            #expect(
                words(stage.text.requests[1].input) == ["What time is it?", "And where?", "One", "First.", "Two"])
            await conversation.close()
        }
    }

    @Test("Speech that the detector has heard end, and that becomes an item after the change, has its place")
    func committedAfterChange() async throws {
        try await VoiceStage.run(
            text: [
                { _ in ScriptedResponses.Step.text(["First."], id: "r1") },
                { _ in ScriptedResponses.Step.text(["Second."], id: "r2") },
            ], configure: { $0.voice.limits.late = .seconds(60) }
        ) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            await stage.service.hearSpeech("u1")
            await stage.service.stopSpeech("u1")
            _ = try await stage.first(.userStoppedSpeaking)
            try await conversation.switchMode(to: .text)
            #expect(await conversation.allMessages.map(\.id) == ["u1"])
            #expect(await ids(conversation.history) == ["u1"])
            try await conversation.send("One")
            await stage.service.commitSpeech("u1")
            await stage.service.transcribe("u1", "What time is it?")
            try await eventually { await !conversation.history.contains(where: \.isAwaited) }
            #expect(await conversation.allMessages.map(\.text) == ["What time is it?", "One", "First."])
            try await conversation.send("Two")
            #expect(words(stage.text.requests[1].input) == ["What time is it?", "One", "First.", "Two"])
            await conversation.close()
        }
    }

    @Test("Words that come while text is being begun reach the model, too")
    func wordsMeanwhile() async throws {
        try await VoiceStage.run(text: [{ _ in ScriptedResponses.Step.text(["Noon."], id: "r1") }]) { stage in
            let first = try await stage.echo.startConversation(mode: .audio)
            let conversation = Conversation(context: first.context, engine: first.current) { mode, context in
                await stage.service.transcribe("u1", "What time is it?")
                // This event follows what is done with the words.
                _ = try await stage.first(.usageCounted)
                return try await first.makeEngine(mode, context)
            }
            await stage.service.speak("u1")
            _ = try await stage.first(.userStoppedSpeaking)
            try await conversation.switchMode(to: .text)
            try await eventually { await !conversation.history.contains(where: \.isAwaited) }
            #expect(await conversation.allMessages.map(\.text) == ["What time is it?"])
            try await conversation.send("Please")
            #expect(words(stage.text.requests[0].input) == ["What time is it?", "Please"])
            await conversation.close()
            await first.close()
        }
    }

    @Test("Words that come when the conversation is by voice again reach this session, and the next")
    func wordsInVoiceAgain() async throws {
        try await VoiceStage.run(
            text: [{ _ in ScriptedResponses.Step.text(["First."], id: "r1") }],
            configure: {
                $0.voice.sessions.firstPause = .milliseconds(1)
                $0.voice.limits.late = .seconds(60)
            }
        ) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            await stage.service.speak("u1")
            await stage.service.speak("u2", after: "u1")
            try await eventually { await conversation.pendingMessages.count >= 2 }
            try await conversation.switchMode(to: .text)
            try await conversation.send("One")
            try await conversation.switchMode(to: .audio)
            await stage.service.transcribe("u2", "And where?", only: 0)
            let filled = try await stage.service.first(3, "conversation.item.create")
            #expect(filled[2]["item"]?["content"]?[0]?["text"]?.string == "And where?")
            #expect(filled[2]["item"]?["id"]?.string == "u2")
            // No session knows of what was said before it.
            #expect(filled[2]["previous_item_id"]?.string == "root")
            await stage.service.transcribe("u1", "What time is it?", only: 0)
            _ = try await stage.service.first(4, "conversation.item.create")
            #expect(await words(conversation.history) == ["What time is it?", "And where?", "One", "First."])
            await stage.service.simulator.closeSessions(code: 1006)
            let replayed = try await stage.service.first(8, "conversation.item.create").dropFirst(4)
            #expect(
                replayed.map { $0["item"]?["content"]?[0]?["text"]?.string } == [
                    "What time is it?", "And where?", "One", "First.",
                ])
            #expect(replayed.compactMap { $0["item"]?["id"]?.string } == (await conversation.allMessages.map(\.id)))
            await conversation.close()
        }
    }

    @Test("A turn that is named after a change which failed is a turn as any other")
    func changeFails() async throws {
        try await VoiceStage.run(
            cues: [.namesNoTurn], configure: { $0.responsesModel = ResponsesModel(rawValue: "gpt-4") }
        ) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio, turnMode: .manual)
            try await speak(stage, conversation)
            await #expect(throws: EchoError.self) { try await conversation.switchMode(to: .text) }
            await stage.service.commitSpeech("turn")
            await stage.service.transcribe("turn", "What time is it?")
            let messages = try await stage.messages(1, of: conversation)
            #expect(messages.map(\.text) == ["What time is it?"])
            #expect(messages.first?.id == "turn")
            #expect(await conversation.history.compactMap(\.id) == ["turn"])
            await conversation.close()
        }
    }

    @Test("The end of the wait for late words leaves an answer in text alone")
    func waitEndsInAnAnswer() async throws {
        try await VoiceStage.run(text: [{ _ in [.delta("One, "), .delta("two"), .hang] }]) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            await stage.service.speak("u1")
            _ = try await stage.first(.userStoppedSpeaking)
            try await conversation.switchMode(to: .text)
            let sending = Task { try await conversation.send("Count") }
            try await eventually { await conversation.pendingMessages.last?.text == "One, two" }
            // These are the last words that voice waits for.
            await stage.service.transcribe("u1", "Hm")
            try await eventually { stage.service.simulator.sessionCount == 0 }
            try await eventually { await conversation.pendingMessages.map(\.text) == ["One, two"] }
            try await conversation.interruptAssistant()
            try await sending.value
            #expect(await conversation.allMessages.map(\.text) == ["Hm", "Count", "One, two"])
            await conversation.close()
        }
    }
}
