// SPDX-License-Identifier: MIT

import Diagnostics
import EchoSimulator
import StructuredJSON
import TestKit
import Testing

@testable import Echo
@testable import EchoText

@Suite("Voice conversation", .timeLimit(.minutes(5)))
struct VoiceEngineTests {
    @Test("A spoken turn is heard, answered and transcribed in order")
    func spokenTurn() async throws {
        let answer = ScriptedAnswer.speech(
            "It is noon.", milliseconds: 300, to: "What time is it?", moment: .after)
        try await VoiceStage.run([answer]) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio, systemMessage: "Be kind.")
            let statuses = conversation.events(of: [.audioStatusChanged])
            let stream = try #require(stage.device.stream)
            // The answer is heard before the question is transcribed.
            stream.speak(milliseconds: 400)
            let messages = try await stage.messages(2, of: conversation)
            #expect(messages.map(\.text) == ["What time is it?", "It is noon."])
            #expect(messages.map(\.role) == [.user, .assistant])
            #expect(stream.heard.count == 300 * 48)
            _ = try await stage.event { if case .turnChanged(.user) = $0 { true } else { false } }
            for type: EventType in [
                .userStartedSpeaking, .userStoppedSpeaking, .userTranscriptionCompleted, .assistantStartedSpeaking,
                .assistantStoppedSpeaking, .assistantTextDelta, .assistantAudioDelta, .turnTimed, .usageCounted,
                .connectionStatusChanged,
            ] {
                _ = try await stage.first(type)
            }
            #expect(stage.count(.error) == 0)
            let session = stage.service.sent("session.update").first?["session"]
            #expect(session?["instructions"]?.string == "Be kind.")
            await conversation.close()
            let all = await statuses.reduce(into: [EchoEvent]()) { $0.append($1) }
            #expect(
                all == [.audioStatusChanged(.speaking), .audioStatusChanged(.listening), .audioStatusChanged(.idle)])
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
            #expect(stage.service.sent("response.create").count == 2)
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
            _ = try await stream.plays.first(3)
            stream.hear(4_944)
            // More follows when the device has told what was heard.
            _ = try await stream.plays.first(4)
            try await conversation.interruptAssistant()
            try await sending.value
            let cut = try #require(try await stage.service.first(1, "conversation.item.truncate").first)
            #expect(cut["audio_end_ms"]?.integer == 206)
            let answer = try #require(await conversation.allMessages.last)
            #expect(answer.isInterrupted)
            #expect(answer.role == .assistant)
            #expect(words.hasPrefix(answer.text))
            #expect(answer.text.count < words.count)
            #expect(stream.queuedFrames == 0)
            _ = try await stage.first(.assistantInterrupted)
            await conversation.close()
        }
    }

    @Test("What the guardrail blocks is never played, and becomes no message")
    func guardrail() async throws {
        try await VoiceStage.run(
            [.speech("The secret is out. More.", milliseconds: 400), .speech("I cannot say that.", milliseconds: 100)],
            configure: { configuration in
                configuration.voice.guardrail = .init(replacement: "I cannot say that.") { !$0.contains("secret") }
            }
        ) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            try await conversation.send("Tell me")
            _ = try await stage.first(.answerBlocked)
            let messages = try await stage.messages(2, of: conversation)
            #expect(messages.map(\.text) == ["Tell me", "I cannot say that."])
            let stream = try #require(stage.device.stream)
            #expect(stream.heard.count == 100 * 48)
            _ = try await stage.first(.assistantTextDelta)
            let deltas = stage.events.values.compactMap { event in
                if case .assistantTextDelta(let piece) = event { piece } else { nil }
            }
            #expect(deltas == ["I cannot say that."])
            await conversation.close()
        }
    }

    @Test("A judgement that does not come in time has failed")
    func slowGuardrail() async throws {
        let gate = Gate()
        try await VoiceStage.run(
            [.speech("Slow.", milliseconds: 100)],
            configure: { configuration in
                configuration.voice.guardrail = .init { _ in
                    await gate.pass()
                    return true
                }
                configuration.voice.guardrail?.timeout = .milliseconds(20)
            }
        ) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            try await conversation.send("Tell me")
            _ = try await stage.first(.answerBlocked)
            #expect(stage.device.stream?.heard.isEmpty == true)
            await conversation.close()
            gate.open()
        }
    }

    @Test("The program says when turns begin and end, and a turn of nothing is none")
    func manualTurns() async throws {
        try await VoiceStage.run([.speech("Yes.", milliseconds: 100, to: "Are you there?")]) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio, turnMode: .manual)
            let stream = try #require(stage.device.stream)
            try await conversation.beginUserTurn()
            try await conversation.endUserTurn()
            _ = try await stage.first(.turnTooShort)
            try await conversation.beginUserTurn()
            stream.capture(milliseconds: 400)
            try await eventually { stage.service.appended >= 20 }
            try await conversation.endUserTurn()
            let messages = try await stage.messages(2, of: conversation)
            #expect(messages.map(\.text) == ["Are you there?", "Yes."])
            await conversation.close()
        }
    }

    @Test("While muted nothing is sent, and levels and devices are told")
    func muted() async throws {
        try await VoiceStage.run { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            let stream = try #require(stage.device.stream)
            try await conversation.setMuted(true)
            #expect(stream.isMuted)
            stream.capture(milliseconds: 100)
            stream.tell(.level(input: 0.25, output: 0.5))
            stream.tell(.status(.listening, route: "another"))
            stream.tell(.inputEnded)
            _ = try await stage.event { if case .audioStatusChanged(.muted) = $0 { true } else { false } }
            _ = try await stage.event { if case .audioLevelChanged(0.25) = $0 { true } else { false } }
            _ = try await stage.event { if case .outputLevelChanged(0.5) = $0 { true } else { false } }
            _ = try await stage.event { if case .audioRouteChanged("another") = $0 { true } else { false } }
            _ = try await stage.first(.audioInputEnded)
            #expect(stage.service.appended == 0)
            try await conversation.setMuted(false)
            stream.capture(milliseconds: 20)
            try await eventually { stage.service.appended >= 1 }
            await conversation.close()
        }
    }

    @Test func `a turn that is muted within speech is answered`() async throws {
        let answer = ScriptedAnswer.speech("It is noon.", milliseconds: 100, to: "What time is it?")
        try await VoiceStage.run([answer]) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            try #require(stage.device.stream).speak(milliseconds: 400, silence: 0)
            _ = try await stage.first(.userStartedSpeaking)
            try await conversation.setMuted(true)
            let messages = try await stage.messages(2, of: conversation)
            #expect(messages.map(\.text) == ["What time is it?", "It is noon."])
            await conversation.close()
        }
    }

    @Test("A handler that never returns delays no sound")
    func slowHandler() async throws {
        let gate = Gate()
        try await VoiceStage.run([.speech("Hello!", milliseconds: 500)]) { stage in
            stage.echo.when(.assistantAudioDelta) { _ in await gate.pass() }
            stage.echo.when(.assistantTextDelta) { _ in await gate.pass() }
            let conversation = try await stage.echo.startConversation(mode: .audio)
            try await conversation.send("Hi")
            #expect(stage.device.stream?.heard.count == 500 * 48)
            await conversation.close()
            gate.open()
        }
    }

    @Test("An answer that fails is an error to whoever waits, and the conversation goes on")
    func failedAnswer() async throws {
        try await VoiceStage.run([.failure(code: "model_error"), .speech("Better.", milliseconds: 100)]) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            await #expect(throws: EchoError.self) { try await conversation.send("One") }
            _ = try await stage.first(.error)
            try await conversation.send("Two")
            #expect(await conversation.allMessages.map(\.text) == ["One", "Two", "Better."])
            await conversation.close()
        }
    }

    @Test("Whoever waits for an answer may stop waiting: the turn ends, and the conversation goes on")
    func cancelledSend() async throws {
        try await VoiceStage.run(
            [.unfinished("One two three", milliseconds: 300), .speech("Again.", milliseconds: 100)], pace: .manual
        ) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            let stream = try #require(stage.device.stream)
            let sending = Task { try await conversation.send("Count") }
            _ = try await stream.plays.first(1)
            sending.cancel()
            await #expect(throws: CancellationError.self) { try await sending.value }
            _ = try await stage.first(.assistantInterrupted)
            let again = Task { try await conversation.send("Again") }
            _ = try await stage.service.first(2, "response.create")
            while stream.heard.count < 100 * 48 {
                stream.hear(480)
                await disturbOrder()
            }
            try await again.value
            #expect(await conversation.allMessages.last?.text == "Again.")
            await conversation.close()
        }
    }

    @Test("What a voice conversation costs is counted by what was paid for")
    func cost() async throws {
        try await VoiceStage.run(
            [.speech("Yes.", milliseconds: 100, to: "Well?")],
            configure: { $0.voice.transcription = RealtimeTranscription(model: .whisper1) }
        ) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            try #require(stage.device.stream).speak(milliseconds: 1_000)
            _ = try await stage.messages(2, of: conversation)
            _ = try await stage.event { event in
                if case .usageCounted(let cost?, _) = event { cost.audio > 0 } else { false }
            }
            let totals = stage.echo.usage.totals
            // 50 tokens of text in and 20 out at $4 and $16, 50 of sound in and 80 out at $32 and $64 a million.
            #expect(abs(totals.voice.text - 0.00052) < 1e-9)
            #expect(abs(totals.voice.audio - 0.00672) < 1e-9)
            #expect(abs(totals.voice.transcription - 0.0002) < 1e-9)
            #expect(abs(totals.cost - totals.voice.total) < 1e-9)
            #expect(totals.usage["gpt-realtime"]?.totalTokens == 200)
            await conversation.close()
        }
    }

    @Test("A trace is written where one is wanted, and holds again")
    func trace() async throws {
        let sink = TraceLines()
        try await VoiceStage.run(
            [.speech("Hello!", milliseconds: 100)], configure: { $0.voice.trace = sink }
        ) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            try await conversation.send("Hi")
            await conversation.close()
        }
        #expect(sink.lines.values.count > 10)
        let traces = try VoiceTrace.conversations(in: Array((sink.lines.values.joined(separator: "\n") + "\n").utf8))
        try #require(traces.first).replay()
        #expect(sink.lines.values.contains { $0.contains("\"counted\"") })
        #expect(!sink.lines.values.joined().contains("sk-test-1234"))
    }
}

private struct TraceLines: VoiceTraceSink {
    let lines = Collected<String>()

    func take(_ line: String) { lines.append(line) }
}
