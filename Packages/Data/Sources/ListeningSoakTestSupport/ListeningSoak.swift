// SPDX-License-Identifier: MIT

import AudioKitLinux
import Concurrency
import DataLayer
import DataVoice
import Diagnostics
import Domain
import Speech
import StateKnowledge
import VoiceActivity

/// The whole assistant, as `parley listen` builds it, with a person who wears headphones: the microphone does not hear
/// the playback. The listener is not told of the playback, since speech during it would count as our own echo, and the
/// length of a tone on the machine is seconds in a room that runs faster. So the canceller has nothing to cancel.
/// Conversations are stored in a database in `folder`.
struct ListeningSoak {
    let hours: Int
    let seed: UInt64
    /// The allowed growth of memory after the first hour, in megabytes.
    let allowedGrowth: Int
    let folder: String
    /// The greatest ratio of the card's time to real time.
    let speed = 60.0

    func run() async throws {
        let day = Day(seed: seed, voices: try await Voices())
        // A patient card waits for a slower stream, so that nothing is lost.
        let card = try VirtualCard(speed: speed, capture: .generator { day.sample($0) }, playback: .discard)
        let notes = Notes(hours: hours)
        let assistant = try await assistant(on: card) { position in
            notes.progress.withLock { $0.heard(until: position) }
        }
        let clock = ContinuousClock()
        let began = clock.now
        let listening = Task {
            try await assistant { event in
                let isOver = notes.progress.withLock { progress in
                    progress.note(event)
                    return progress.isOver
                }
                if isOver { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        _ = await listening.result
        let elapsed = clock.now - began
        let script = day.script
        print(
            "said: \(script.calls) calls, \(script.questions) questions after them, \(script.remarks) times other speech;"
                + " \(Int(Double(hours) * 3_600 / (elapsed / .seconds(1)))) times real time")
        try notes.progress.withLock { try $0.check(against: script, allowedGrowth: allowedGrowth) }
        print("well: seed \(seed)")
    }

    private func assistant(
        on card: VirtualCard, _ note: @escaping @Sendable (Duration) -> Void
    ) async throws -> ListenAllDay {
        async let recognizer = GrammarRecognizer.forStateQuestions()
        let wakeWord = try await WakeWordDetector(phrase: .init("hey jarvis"))
        let headphones = OwnSound()
        let device = AudioDevice.virtual(card)
        let (detector, endpointing) = Self.detector()
        let engines = MicrophoneListener.Engines(
            wakeWord: wakeWord, recognizer: try await recognizer, detector: detector, endpointing: endpointing)
        let conversations = try await SQLiteConversationRepository(path: folder + "/history.sqlite", damage: .refuse)
        return ListenAllDay(
            listener: NotedListener(
                listener: MicrophoneListener(device: device, engines: engines, ownSound: OwnSound()), note: note),
            speaker: SynthesizerSpeechSpeaker(
                synthesizer: try FliteSynthesizer(), device: device, ownSound: headphones),
            earcons: DeviceEarconPlayer(device: device, ownSound: headphones),
            answerQuestion: AnswerQuestion(
                assistant: StateKnowledgeBase(), conversations: conversations, wording: { $0.code }))
    }

    /// Silero if its weights are installed.
    private static func detector() -> (any VoiceActivityDetector & Sendable, Endpointer.Configuration) {
        do throws(VoiceActivityError) {
            let weights = try SileroWeights()
            print("voice activity: Silero")
            return (SileroDetector(weights: weights), .silero)
        } catch {
            print("voice activity: spectral (\(error.message))")
            return (SpectralDetector(), .spectral)
        }
    }
}

/// The notes of the run's tasks.
private final class Notes: Sendable {
    let progress: Guarded<ListeningProgress>

    init(hours: Int) { progress = Guarded(ListeningProgress(hours: hours)) }
}

/// A listener that also reports its position.
private struct NotedListener: RoomListener {
    let listener: MicrophoneListener
    let note: @Sendable (Duration) -> Void

    func listen(_ report: @escaping @Sendable (ListenerReport) async -> Void) async throws {
        try await listener.listen { [note] heard in
            note(heard.position)
            await report(heard)
        }
    }

    func open() async { await listener.open() }
    func close() async { await listener.close() }
}
