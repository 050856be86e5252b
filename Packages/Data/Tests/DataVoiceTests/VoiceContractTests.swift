// SPDX-License-Identifier: MIT

import AudioKitLinux
import Domain
import DomainTestSupport
import Foundation
import Security
import Speech
import Synchronization
import TestKit
import Testing
import VoiceActivity

@testable import DataVoice
@testable import SealedRecordings

/// The adapters on real streams of virtual cards, with the real engines, keep the contracts of their ports.
@Suite("Adapters of sound keep the contracts", .serialized, .timeLimit(.minutes(5))) struct VoiceContractTests {
    private static let questions = ["what is the capital of texas", "which state has boise as its capital"]
    private static let missing = AudioDevice.alsa("no-such-device")
    /// Loading takes seconds, and nothing of one check is left in it for the next.
    private static let recognizer = Task { try await GrammarRecognizer.forStateQuestions() }

    private static func spoken(_ text: String, tail: Int = 24_000) async throws -> AudioBuffer {
        var speech = AudioBuffer(samples: [], format: .speech)
        for try await buffer in try FliteSynthesizer().synthesize(text) { speech.samples += buffer.samples }
        var noise = TestNoise(seed: 5)
        return noise.surround(speech, decibels: nil, lead: 6_400, tail: tail)
    }

    // MARK: Turns

    @Test(arguments: SpeechListenerContract.checks)
    func listeners(_ check: ContractCheck<SpeechListenerSubject>) async throws {
        let recognizer = try await Self.recognizer.value
        try await check.run(
            SpeechListenerSubject(
                question: Self.questions[0],
                listener: { sound in
                    let source: VirtualSource =
                        switch sound {
                        case .question: .samples(try await Self.spoken(Self.questions[0]))
                        case .otherSpeech: .samples(try await Self.spoken("she sells sea shells by the sea shore"))
                        case .silence, .endlessSilence: .silence
                        }
                    return MicrophoneSpeechListener(
                        device: .virtual(try VirtualCard(speed: 2, capture: source, playback: nil)),
                        recognizer: recognizer, patience: .seconds(sound == .silence ? 1 : 60))
                },
                failing: ["device": { MicrophoneSpeechListener(device: Self.missing, recognizer: recognizer) }]))
    }

    @Test(arguments: SpeechSpeakerContract.checks)
    func speakers(_ check: ContractCheck<SpeechSpeakerSubject>) async throws {
        let synthesizer = try FliteSynthesizer()
        try await check.run(
            SpeechSpeakerSubject(
                speaker: {
                    let card = try VirtualCard(speed: 4, capture: nil, playback: .memory)
                    return SynthesizerSpeechSpeaker(synthesizer: synthesizer, device: .virtual(card))
                },
                failing: ["device": { SynthesizerSpeechSpeaker(synthesizer: synthesizer, device: Self.missing) }]))
    }

    // MARK: Listening

    /// Finds no wake word.
    private actor Inattention: WakeWordSpotting {
        func process(_ samples: AudioBuffer, at position: Int) throws(SpeechError) -> [WakeWordDetector.Detection] {
            []
        }
        func setPlaying(_ isPlaying: Bool) {}
        func reset() {}
    }

    /// What is said in a room that is silent but for that, sample by sample.
    private final class Voice: Sendable {
        private let sound = Mutex<(samples: [Float], index: Int)>(([], 0))

        func say(_ speech: AudioBuffer) { sound.withLock { $0 = (speech.samples, 0) } }

        func sample(at frame: Int) -> Float {
            sound.withLock { sound in
                guard sound.index < sound.samples.count else {
                    // The noise of a quiet room, a few units of the last bit.
                    return Float((frame &* 1_103_515_245 &+ 12_345) >> 16 & 15) / 32_768 / 2
                }
                defer { sound.index += 1 }
                return sound.samples[sound.index]
            }
        }
    }

    @Test(arguments: RoomListenerContract.checks)
    func ears(_ check: ContractCheck<RoomListenerSubject>) async throws {
        let recognizer = try await Self.recognizer.value
        let listener = { @Sendable (device: AudioDevice) in
            MicrophoneListener(
                device: device,
                engines: MicrophoneListener.Engines(
                    spotter: Inattention(), recognizer: recognizer, detector: SpectralDetector(),
                    endpointing: .spectral),
                ownSound: OwnSound())
        }
        try await check.run(
            RoomListenerSubject(
                questions: Self.questions,
                room: {
                    let voice = Voice()
                    let card = try VirtualCard(speed: 4, capture: .generator { voice.sample(at: $0) }, playback: nil)
                    return RoomListenerSubject.Room(listener: listener(.virtual(card))) {
                        voice.say(try await Self.spoken($0, tail: 0))
                    }
                },
                ending: {
                    let silence = AudioBuffer(silentFrames: 16_000, format: .speech)
                    return listener(.virtual(try VirtualCard(speed: 2, capture: .samples(silence), playback: nil)))
                },
                failing: ["device": { listener(Self.missing) }]))
    }

    @Test(arguments: EarconPlayerContract.checks)
    func earcons(_ check: ContractCheck<EarconPlayerSubject>) async throws {
        try await check.run(
            EarconPlayerSubject(
                player: { onSound in
                    let sink = VirtualSink.consumer { buffer in
                        if buffer.samples.contains(where: { abs($0) > 0.001 }) { onSound() }
                    }
                    return DeviceEarconPlayer(device: .virtual(try VirtualCard(capture: nil, playback: sink)))
                },
                failing: ["device": { DeviceEarconPlayer(device: Self.missing) }]))
    }

    // MARK: Practice

    private actor Kept {
        private(set) var recordings: [Recording] = []
        func add(_ recording: Recording) { recordings.append(recording) }
    }

    @Test(arguments: PracticeRecorderContract.checks, [Recording.Format.flac, .opus])
    func recorders(_ check: ContractCheck<PracticeRecorderSubject>, format: Recording.Format) async throws {
        let (folder, kept) = (try TemporaryFolder(), Kept())
        let sealed = try SealedRecordingFolder(path: folder.file("recordings"), key: try SymmetricKey())
        let card = try VirtualCard(speed: 4, capture: .generator { sin(Float($0) * 0.11) / 4 }, playback: nil)
        let recorder = { @Sendable (device: AudioDevice) in
            SealedPracticeRecorder(
                device: device, folder: sealed, format: format, sampleRate: 16_000, keep: { await kept.add($0) })
        }
        try await check.run(
            PracticeRecorderSubject(
                recorder: recorder(.virtual(card)), kept: { await kept.recordings },
                interrupt: { card.inject(.unplug) }, failing: ["device": { recorder(Self.missing) }]))
    }

    /// A sealed file with speech in a folder.
    private static func recorded(_ text: String, of cue: Cue, in folder: SealedRecordingFolder) async throws
        -> Recording
    {
        let id = Identifier<Recording>()
        let writer = try await SealedRecordingWriter.create(
            at: folder.path(of: id), id: id.description, key: folder.key, format: .speech,
            startedAt: Date(timeIntervalSince1970: 1_750_000_000), subject: cue.id.uuid)
        try await writer.write(try await spoken(text))
        let sealed = try await writer.finish()
        return Recording(
            id: id, cue: cue.id, createdAt: sealed.startedAt, duration: sealed.duration / .seconds(1), format: .flac,
            sampleRate: 16_000, byteCount: sealed.byteCount, contentHash: "")
    }

    @Test(arguments: RecordingPlayerContract.checks)
    func players(_ check: ContractCheck<RecordingPlayerSubject>) async throws {
        let folder = try TemporaryFolder()
        let sealed = try SealedRecordingFolder(path: folder.file("recordings"), key: try SymmetricKey())
        let empty = try SealedRecordingFolder(path: folder.file("empty"), key: try SymmetricKey())
        let recording = try await Self.recorded("good morning", of: CueSamples.cue("Good morning"), in: sealed)
        let player = { @Sendable (speed: Double, folder: SealedRecordingFolder) in
            let card = try VirtualCard(speed: speed, capture: nil, playback: .memory)
            return SealedRecordingPlayer(device: .virtual(card), folder: folder)
        }
        try await check.run(
            RecordingPlayerSubject(
                player: player(4, sealed), endless: player(0.1, sealed), recording: recording,
                failing: [
                    "notFound": { try player(1, empty) },
                    "device": { SealedRecordingPlayer(device: Self.missing, folder: sealed) },
                    "damaged": { try player(1, SealedRecordingFolder(path: sealed.path, key: try SymmetricKey())) },
                ]))
    }

    @Test(arguments: RecordingEvaluatorContract.checks)
    func evaluators(_ check: ContractCheck<RecordingEvaluatorSubject>) async throws {
        let folder = try TemporaryFolder()
        let sealed = try SealedRecordingFolder(path: folder.file("recordings"), key: try SymmetricKey())
        let empty = try SealedRecordingFolder(path: folder.file("empty"), key: try SymmetricKey())
        let cue = try CueSamples.cue("Good morning")
        try await check.run(
            RecordingEvaluatorSubject(
                evaluator: ReadingRecordingEvaluator(folder: sealed),
                recording: Self.recorded("good morning", of: cue, in: sealed), cue: cue,
                failing: ["notFound": { ReadingRecordingEvaluator(folder: empty) }]))
    }
}
