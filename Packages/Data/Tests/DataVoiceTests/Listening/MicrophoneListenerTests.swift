// SPDX-License-Identifier: MIT

import AudioKitLinux
import Domain
import DomainTestSupport
import Speech
import Synchronization
import Testing
import VoiceActivity

@testable import DataVoice
@testable import StateKnowledge

/// Finds nothing, and fails once.
private actor FailingSpotter: WakeWordSpotting {
    private var callsBeforeFailure: Int

    init(callsBeforeFailure: Int) { self.callsBeforeFailure = callsBeforeFailure }

    func process(_ samples: AudioBuffer, at position: Int) throws(SpeechError) -> [WakeWordDetector.Detection] {
        callsBeforeFailure -= 1
        if callsBeforeFailure == 0 {
            throw SpeechError(.recognitionFailed, "The sound cannot be searched for the phrase.")
        }
        return []
    }

    func setPlaying(_ isPlaying: Bool) {}
    func reset() {}
}

/// Finds nothing, and tells how long each piece is.
private actor CountingSpotter: WakeWordSpotting {
    let (pieces, continuation) = AsyncStream.makeStream(of: Int.self)

    func process(_ samples: AudioBuffer, at position: Int) throws(SpeechError) -> [WakeWordDetector.Detection] {
        continuation.yield(samples.frameCount)
        return []
    }

    func setPlaying(_ isPlaying: Bool) {}
    func reset() {}
}

/// Takes everything for speech.
struct SpeechEverywhere: VoiceActivityDetector, Sendable {
    static let sampleRate = 16_000
    private var waiting = 0

    mutating func process(_ samples: [Float]) -> [Float] {
        waiting += samples.count
        defer { waiting %= 160 }
        return [Float](repeating: 1, count: waiting / 160)
    }

    mutating func finish() -> [Float] { [] }
    mutating func reset() { waiting = 0 }
}

private struct Mute: SpeechSpeaker, EarconPlayer {
    func speak(_ text: AsyncStream<String>, _ report: @Sendable (SpeakingEvent) async -> Void) async throws {}
    func play(_ earcon: VoiceLoop.Earcon) async throws {}
}

@Suite("A listener at a microphone", .timeLimit(.minutes(5)))
struct MicrophoneListenerTests {
    /// What opening has to do takes a while when the recogniser is busy, and sound goes on coming in.
    @Test func itCanBeOpenedInMidSpeechWhileTheRecogniserIsBusy() async throws {
        let card = try VirtualCard(speed: 2, capture: .silence, playback: nil)
        let recognizer = try await GrammarRecognizer(grammar: JSGFGrammar(name: "one", start: "hello"))
        let engines = MicrophoneListener.Engines(
            spotter: FailingSpotter(callsBeforeFailure: .max), recognizer: recognizer, detector: SpeechEverywhere(),
            endpointing: .spectral)
        let listener = MicrophoneListener(device: .virtual(card), engines: engines, ownSound: OwnSound())
        let (events, continuation) = AsyncStream<ListenerReport.Event>.makeStream()
        let hearing = Task {
            defer { continuation.finish() }
            try await listener.listen { continuation.yield($0.event) }
        }
        let work = Task { while !Task.isCancelled { _ = try? await recognizer.draft() } }
        var openings = 0
        for await event in events {
            guard case .level = event else { continue }
            if openings == 4 { break }
            openings += 1
            await listener.open()
        }
        work.cancel()
        hearing.cancel()
        #expect(openings == 4)
        await #expect(throws: CancellationError.self) { try await hearing.value }
    }

    /// Opens a listener once it takes pieces of that many frames. The device has a clock of its own, so what comes is
    /// waited for and not counted: a large piece first, and, once it is open, twenty short ones in a row.
    ///
    /// - Returns: True if it began to save power.
    private func open(
        atPiecesOf count: Int, detector: any VoiceActivityDetector & Sendable, saving: PowerSaving? = nil
    ) async throws -> Bool {
        let card = try VirtualCard(speed: 2, capture: .silence, playback: nil)
        let recognizer = try await GrammarRecognizer(grammar: JSGFGrammar(name: "one", start: "hello"))
        let spotter = CountingSpotter()
        let engines = MicrophoneListener.Engines(
            spotter: spotter, recognizer: recognizer, detector: detector, endpointing: .spectral, saving: saving)
        let listener = MicrophoneListener(device: .virtual(card), engines: engines, ownSound: OwnSound())
        let saves = Atomic(false)
        let hearing = Task {
            try await listener.listen { if case .savesPower(true) = $0.event { saves.store(true, ordering: .relaxed) } }
        }
        var (isOpen, shortOnes) = (false, 0)
        for await frames in spotter.pieces {
            if !isOpen, frames == count {
                await listener.open()
                isOpen = true
            }
            shortOnes = isOpen && frames == 320 ? shortOnes + 1 : 0
            if shortOnes == 20 { break }
        }
        hearing.cancel()
        _ = await hearing.result
        #expect(isOpen && shortOnes == 20)
        return saves.load(ordering: .relaxed)
    }

    @Test func itTakesSilenceInLargePiecesUntilItIsOpened() async throws {
        #expect(try await !open(atPiecesOf: 2_560, detector: SpectralDetector()))
    }

    /// The cheaper detector hears the silence that the other one takes for speech.
    @Test func `power is saved in silence and a question is heard as ever`() async throws {
        let saving = PowerSaving(detector: SpectralDetector(), endpointing: .spectral) { true }
        #expect(try await open(atPiecesOf: 5_120, detector: SpeechEverywhere(), saving: saving))
    }

    @Test func `an engine hears for minutes, and a grammar for seconds`() async throws {
        let grammar = try await GrammarRecognizer(grammar: JSGFGrammar(name: "one", start: "hello"))
        let engine = EngineRecognizer(grammar)
        for (recognizer, longest) in [(grammar, 20), (engine, 300)] as [(any UtteranceRecognizer, Int)] {
            let engines = MicrophoneListener.Engines(
                spotter: CountingSpotter(), recognizer: recognizer, detector: SpeechEverywhere(), endpointing: .silero)
            #expect(engines.endpointing.longestSpeech == .seconds(longest))
        }
    }

    @Test func itIsUsedAgainWhenTheWakeWordFailed() async throws {
        let card = try VirtualCard(speed: 4, capture: .silence, playback: nil)
        let grammar = JSGFGrammar(name: "one", start: "hello")
        let engines = MicrophoneListener.Engines(
            spotter: FailingSpotter(callsBeforeFailure: 3), recognizer: try await GrammarRecognizer(grammar: grammar),
            detector: SpectralDetector(), endpointing: .spectral)
        let assistant = ListenAllDay(
            listener: MicrophoneListener(device: .virtual(card), engines: engines, ownSound: OwnSound()),
            speaker: Mute(),
            earcons: Mute(),
            answerQuestion: AnswerQuestion(
                assistant: StateKnowledgeBase(), conversations: InMemoryConversationRepository(),
                wording: { _ in "I can only provide information about US states." }),
            retry: ListenAllDay.Retry(first: .milliseconds(1)))
        let (events, continuation) = AsyncStream<RoomEvent>.makeStream()
        let listening = Task { try await assistant { continuation.yield($0) } }
        var told: [String] = []
        // A listener that does not notice goes on reporting how loud it is, for ever.
        var levels = 0
        for await event in events {
            switch event {
            case .level: levels += 1
            case .failed(let part, .speechEngine(let text), let retry):
                told.append("\(part) failed")
                #expect(text.english.contains("cannot be searched") && retry == .milliseconds(1))
            case .recovered(let part): told.append("\(part) recovered")
            default: break
            }
            if levels == 100 || told.last == "listener recovered" { break }
        }
        listening.cancel()
        _ = await listening.result
        #expect(told == ["listener failed", "listener recovered"])
        #expect(levels < 20, "it heard for long without listening for its name")
    }
}
