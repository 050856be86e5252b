// SPDX-License-Identifier: MIT

import AudioKitLinux
import Domain
import DomainTestSupport
import Foundation
import Speech
import SpeechEngines
import StateKnowledge
import Synchronization
import TestKit
import Testing

@testable import DataVoice

/// Likely questions, with this machine's knowledge, voice and a virtual card.
@Suite(.timeLimit(.minutes(5))) struct PreloadTests {
    /// Another synthesiser that counts what it makes.
    private final class Counting: SpeechSynthesizer {
        let base: FliteSynthesizer
        private let made = Mutex<[String]>([])

        init() throws { base = try FliteSynthesizer() }

        var texts: [String] { made.withLock { $0 } }
        var format: AudioFormat { base.format }

        func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error> {
            made.withLock { $0.append(text) }
            return base.synthesize(text)
        }
    }

    private static let question = "What is the capital of Texas?"

    /// The question, at this time of each of the last days, and its answer.
    private static func stored() async throws -> InMemoryConversationRepository {
        let store = InMemoryConversationRepository()
        for day in 1...9 {
            let conversation = Conversation(startedAt: Date(timeIntervalSinceNow: -86_400 * Double(day)))
            let asked = Message(
                conversation: conversation.id, turn: TurnID(), role: .user, modality: .voice, text: question,
                createdAt: conversation.startedAt)
            try await store.append([asked], to: conversation)
        }
        return store
    }

    @Test func `the answer and its sound are there before the question`() async throws {
        let (synthesizer, clock, store) = (try Counting(), ManualClock(), try await Self.stored())
        let card = try VirtualCard(speed: 4, capture: nil, playback: .memory)
        let speaker = SynthesizerSpeechSpeaker(synthesizer: synthesizer, device: .virtual(card), makesAhead: true)
        let answerQuestion = AnswerQuestion(
            assistant: RoutedAssistant(.localFirst(withModel: false), parts: [.states: StateKnowledgeBase()]),
            conversations: store, wording: { "refused: \($0.code)" })
        let prepared = Mutex<[String]>([])
        let preload = PreloadAnswers(
            history: { await store.recentMessages(limit: 100) }, answerQuestion: answerQuestion, speaker: speaker,
            battery: { nil }, secondsFromGMT: { _ in 0 }, report: { list in prepared.withLock { $0 = list } },
            clock: clock)
        await preload.begin()
        await clock.waitForSleeper(of: PreloadAnswers.quiet)
        clock.advance(by: PreloadAnswers.quiet)
        await clock.waitForSleeper(of: PreloadAnswers.interval)
        await preload.stop()
        #expect(prepared.withLock { $0 } == [Self.question])
        let made = synthesizer.texts
        #expect(made.count == 1 && made[0].contains("Austin"), "\(made)")

        let ongoing = OngoingConversation(Conversation(startedAt: .now))
        let answer = try await answerQuestion(Self.question, of: TurnID(), in: ongoing)
        try await speaker.speak(answer.text) { _ in }
        #expect(synthesizer.texts == made, "it was made again")
        #expect(card.recorded.duration > .seconds(1) && AudioLevel(of: card.recorded).rms > -40)
        // After an answer, speed and volume may be others.
        try await speaker.speak(answer.text) { _ in }
        #expect(synthesizer.texts.count == 2)
    }

    @Test func `a voice that costs money makes nothing ahead`() async throws {
        let synthesizer = try Counting()
        let card = try VirtualCard(speed: 4, capture: nil, playback: .memory)
        await SynthesizerSpeechSpeaker(synthesizer: synthesizer, device: .virtual(card)).preload(["Austin."])
        #expect(synthesizer.texts.isEmpty)
    }

    @Test func `a sound that is not finished is no sound`() async throws {
        let synthesizer = try Counting()
        let ahead = AheadSynthesizer(synthesizer)
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await ahead.keep(["The capital of Texas is Austin."])
        }.value
        var frames = 0
        for try await piece in ahead.synthesize("The capital of Texas is Austin.") { frames += piece.frameCount }
        #expect(frames > 8_000 && synthesizer.texts.count == 2)
    }
}
