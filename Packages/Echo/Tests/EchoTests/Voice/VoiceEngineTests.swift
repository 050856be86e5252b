// SPDX-License-Identifier: MIT

import Diagnostics
import StructuredJSON
import Testing

@testable import Echo

/// A voice conversation with a fake service and a fake device.
struct VoiceStage: Sendable {
    let echo: Echo
    let service: FakeVoiceService
    let device: VirtualVoiceDevice
    let text: ScriptedResponses
    let events: Collected<EchoEvent>
    let server: ScriptedRealtimeServer

    /// Runs `body`, and sees to it that nothing stays open.
    static func run(
        _ answers: [FakeVoiceService.Answer] = [], pace: VirtualVoiceDevice.Pace = .instant,
        text: [ScriptedResponses.Answer] = [], automaticToolExecution: Bool = true,
        configure: (inout EchoConfiguration) -> Void = { _ in }, body: (VoiceStage) async throws -> Void
    ) async throws {
        let service = FakeVoiceService(answers)
        let device = VirtualVoiceDevice(pace)
        try await ScriptedRealtimeServer.run(service.script) { server in
            var configuration = server.configuration
            configuration.voice.device = device
            configuration.voice.filler = nil
            configure(&configuration)
            let text = ScriptedResponses(text)
            let connection = APIConnection(key: "sk-test-1234", configuration: configuration)
            let echo = Echo(
                service: text, embeddings: NoEmbeddings(), connection: connection, meter: connection.meter,
                configuration: configuration, automaticToolExecution: automaticToolExecution, executor: ToolExecutor(),
                eventQueueLimit: 100_000)
            let events = Collected<EchoEvent>()
            echo.when(EventType.allCases) { event in events.append(event) }
            do {
                try await body(
                    VoiceStage(
                        echo: echo, service: service, device: device, text: text, events: events, server: server))
            } catch {
                await echo.close()
                throw error
            }
            await echo.close()
        }
        #expect(device.openCount == 0)
    }

    /// The first event that fits, as soon as there is one.
    func event(_ fits: (EchoEvent) -> Bool) async -> EchoEvent {
        var count = 0
        while true {
            let values = events.values
            if let event = values.dropFirst(count).first(where: fits) { return event }
            count = values.count
            _ = await events.first(count + 1)
        }
    }

    /// As soon as there was an event of that type.
    func first(_ type: EventType) async -> EchoEvent { await event { $0.type == type } }

    /// How many events of that type there were.
    func count(_ type: EventType) -> Int { events.values.count { $0.type == type } }

    /// Returns when so many messages are finalised.
    func messages(_ count: Int, of conversation: Conversation) async -> [Message] {
        var messages: [Message] = []
        for await message in conversation.messages {
            messages.append(message)
            if messages.count == count { break }
        }
        return messages
    }
}

@Suite("Voice conversation")
struct VoiceEngineTests {
    @Test("A spoken turn is heard, answered and transcribed in order")
    func spokenTurn() async throws {
        try await VoiceStage.run([.speech("It is noon.", milliseconds: 300)]) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio, systemMessage: "Be kind.")
            let stream = try #require(stage.device.stream)
            stream.capture(milliseconds: 200)
            await stage.service.hearSpeech("u1")
            await stage.service.endSpeech("u1")
            // The answer is heard before the question is transcribed.
            _ = await stream.plays.first(1)
            await stage.service.transcribe("u1", "What time is it?")
            let messages = await stage.messages(2, of: conversation)
            #expect(messages.map(\.text) == ["What time is it?", "It is noon."])
            #expect(messages.map(\.role) == [.user, .assistant])
            #expect(messages.first?.id == "u1")
            #expect(stream.heard.count == 300 * 48)
            _ = await stage.event { if case .turnChanged(.user) = $0.detail { true } else { false } }
            for type: EventType in [
                .userStartedSpeaking, .userStoppedSpeaking, .userTranscriptionCompleted, .assistantStartedSpeaking,
                .assistantStoppedSpeaking, .assistantTextDelta, .assistantAudioDelta, .turnTimed, .usageCounted,
                .connectionStatusChanged,
            ] {
                _ = await stage.first(type)
            }
            #expect(stage.count(.error) == 0)
            let session = await stage.server.received.first(1).first?["session"]
            #expect(session?["instructions"]?.string == "Be kind.")
            await conversation.close()
        }
    }

    @Test("Text in voice: send returns when the answer was heard, and the messages are there")
    func textInVoice() async throws {
        try await VoiceStage.run([
            .speech("Hello!", milliseconds: 100), .speech("Fine.", milliseconds: 100),
        ]) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            try await conversation.send("Hi")
            #expect(await conversation.allMessages.map(\.text) == ["Hi", "Hello!"])
            try await conversation.send("How are you?")
            #expect(await conversation.allMessages.map(\.text) == ["Hi", "Hello!", "How are you?", "Fine."])
            #expect(await stage.service.sent("response.create").count == 2)
            await conversation.close()
        }
    }

    @Test("An interruption cuts the answer to what was heard, to the millisecond")
    func bargeIn() async throws {
        let words = "One two three four five six seven eight"
        try await VoiceStage.run([.unfinished(words, milliseconds: 800)], pace: .manual) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            let sending = Task { try await conversation.send("Count") }
            let stream = try #require(stage.device.stream)
            _ = await stream.plays.first(3)
            stream.hear(4_944)
            // More follows when the device has told what was heard.
            _ = await stream.plays.first(4)
            try await conversation.interruptAssistant()
            try await sending.value
            let cut = try #require(await stage.service.first(1, "conversation.item.truncate").first)
            #expect(cut["audio_end_ms"]?.integer == 206)
            let answer = try #require(await conversation.allMessages.last)
            #expect(answer.isInterrupted)
            #expect(answer.role == .assistant)
            #expect(words.hasPrefix(answer.text))
            #expect(answer.text.count < words.count)
            #expect(stream.queuedFrames == 0)
            _ = await stage.first(.assistantInterrupted)
            await conversation.close()
        }
    }
}
