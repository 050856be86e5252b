// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataVoice
import DataVoiceTestSupport
import Domain
import Speech
import Testing
import VoiceActivity

/// The whole assistant in a room: real engines, real streams of the virtual card, its own voice in its own listener.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LiveAssistantTests {
    private func engines() async throws -> MicrophoneListener.Engines {
        async let recognizer = GrammarRecognizer.forStateQuestions()
        return MicrophoneListener.Engines(
            wakeWord: try await WakeWordDetector(phrase: .init("hey jarvis")), recognizer: try await recognizer,
            detector: SpectralDetector(), endpointing: .spectral)
    }

    private func transcripts(_ events: [RoomEvent]) -> [String] {
        events.compactMap { if case .turn(_, .transcript(let transcript)) = $0 { transcript.text } else { nil } }
    }

    @Test func itAnswersAQuestionInOneBreathAndAFollowUpAndDoesNotHearItself() async throws {
        let room = try Room()
        let assistant = try RoomAssistant(room, engines: try await engines())
        await assistant.listen(tenths: 8)
        try await room.say("hey jarvis, what is the capital of texas")
        await assistant.nextAnswerOrIdle()
        await assistant.nextListeningOrIdle()
        try await room.say("what is the state bird of utah")
        await assistant.nextAnswerOrIdle()
        await assistant.nextListeningOrIdle()
        if case .phase(.idle)? = assistant.events.last {} else { await assistant.next(.idle) }
        #expect(transcripts(assistant.events) == ["what is the capital of texas", "what is the state bird of utah"])
        let interruptions = assistant.events.filter { if case .interrupted = $0 { true } else { false } }
        #expect(interruptions.isEmpty, "it interrupted itself")
        await assistant.stop()
    }

    /// The echo canceller has to have learned the room, which a loaded machine disturbs: then the person tries again.
    @Test func whoSpeaksIntoTheAnswerIsHeardAndAnswered() async throws {
        let room = try Room()
        let assistant = try RoomAssistant(room, engines: try await engines())
        var answered: [String] = []
        for _ in 0..<4 where answered.isEmpty {
            await assistant.listen(tenths: 8)
            try await room.say("hey jarvis, tell me about california")
            await assistant.next { if case .turn(_, .reached(.firstSampleAudible, _)) = $0 { true } else { false } }
            await assistant.listen(tenths: 25)
            let before = assistant.events.count
            try await room.say("what is the capital of ohio", voice: .rms)
            await assistant.next {
                switch $0 {
                case .interrupted, .phase(.idle): true
                default: false
                }
            }
            await assistant.nextAnswerOrIdle()
            let since = assistant.events[before...]
            guard since.contains(where: { if case .interrupted = $0 { true } else { false } }) else { continue }
            answered = transcripts(Array(since))
        }
        #expect(answered.last?.hasSuffix("what is the capital of ohio") == true, "\(answered)")
        await assistant.stop()
    }

    @Test func aMicrophoneThatIsPluggedInAgainIsListenedToAgain() async throws {
        let room = try Room()
        let recovery = AudioRecovery(reopens: true, firstDelay: .milliseconds(20), maximumDelay: .milliseconds(20))
        let assistant = try RoomAssistant(room, engines: try await engines(), recovery: recovery)
        await assistant.listen(tenths: 3)
        room.card.inject(.unplug)
        await assistant.next { if case .device = $0 { true } else { false } }
        room.card.replug()
        await assistant.next { if case .device = $0 { true } else { false } }
        await assistant.listen(tenths: 8)
        room.card.inject(.suspend)
        await assistant.next { if case .device = $0 { true } else { false } }
        try await room.say("hey jarvis, what is the capital of texas")
        await assistant.nextAnswerOrIdle()
        #expect(transcripts(assistant.events) == ["what is the capital of texas"])
        await assistant.stop()
    }

    @Test func withoutTheWakeWordNobodyIsMeant() async throws {
        let room = try Room()
        let assistant = try RoomAssistant(room, engines: try await engines())
        await assistant.listen(tenths: 8)
        try await room.say("what is the capital of texas")
        await assistant.listen(tenths: 35)
        #expect(
            !assistant.events.contains { event in
                switch event {
                case .wakeWord, .turn, .phase(.listening): true
                default: false
                }
            })
        await assistant.stop()
    }
}
