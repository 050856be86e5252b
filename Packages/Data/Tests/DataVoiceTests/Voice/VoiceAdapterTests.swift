// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
import Domain
import Foundation
import Speech
import Synchronization
import TestKit
import Testing
import VoiceActivity

@testable import DataVoice

/// The listener, the speaker and the transcriber on real streams of the virtual card, with the real recogniser.
@Suite(.serialized, .timeLimit(.minutes(5))) struct VoiceAdapterTests {
    /// Collects what is reported.
    private final class Reports: Sendable {
        private let stages = Mutex<[(TurnStage, ContinuousClock.Instant)]>([])
        private let levels = Mutex<[Double]>([])
        private let drafts = Mutex<[String]>([])

        func add(_ event: ListeningEvent) {
            switch event {
            case .reached(let stage, let instant): add(stage, instant)
            case .level(let level): levels.withLock { $0.append(level) }
            case .draft(let words): drafts.withLock { $0.append(words) }
            case .foreseen: break
            }
        }

        func add(_ event: SpeakingEvent) {
            if case .reached(let stage, let instant) = event { add(stage, instant) }
        }

        func add(_ stage: TurnStage, _ instant: ContinuousClock.Instant) {
            stages.withLock { $0.append((stage, instant)) }
        }

        var names: [TurnStage] { stages.withLock { $0.map(\.0) } }
        var allLevels: [Double] { levels.withLock { $0 } }
        var allDrafts: [String] { drafts.withLock { $0 } }

        func instant(_ stage: TurnStage) -> ContinuousClock.Instant? {
            stages.withLock { $0.first { $0.0 == stage }?.1 }
        }
    }

    private static func spoken(_ text: String, tail: Int = 24_000) async throws -> AudioBuffer {
        var speech = AudioBuffer(samples: [], format: .speech)
        for try await buffer in try FliteSynthesizer().synthesize(text) { speech.samples += buffer.samples }
        var noise = TestNoise(seed: 5)
        return noise.surround(speech, decibels: nil, lead: 6400, tail: tail)
    }

    private static func listener(
        hearing sound: AudioBuffer, by recognizer: GrammarRecognizer, patience: Duration = .seconds(20),
        showsWords: Bool = false
    ) throws -> MicrophoneSpeechListener {
        let card = try VirtualCard(speed: 2, capture: .samples(sound), playback: nil)
        return MicrophoneSpeechListener(
            device: .virtual(card), recognizer: recognizer, patience: patience, showsWords: showsWords)
    }

    @Test func aListenerHearsOneQuestionAfterTheOther() async throws {
        let recognizer = try await GrammarRecognizer.forStateQuestions()
        for question in ["what is the capital of texas", "which state has boise as its capital"] {
            let reports = Reports()
            let listener = try await Self.listener(hearing: Self.spoken(question), by: recognizer)
            let transcript = try await listener.listen { reports.add($0) }
            #expect(transcript.text == question)
            #expect((0.5...1).contains(transcript.confidence))
            #expect(
                reports.names == [.listening, .speechStarted, .speechEnded, .endpointDetected, .transcriptReady])
            let ended = try #require(reports.instant(.speechEnded))
            let detected = try #require(reports.instant(.endpointDetected))
            #expect(try #require(reports.instant(.speechStarted)) < ended)
            #expect(ended < detected)
            #expect(reports.allDrafts.isEmpty, "nobody wants to see the words")
            #expect(reports.allLevels.count >= 10)
            #expect(reports.allLevels.contains { $0 > -40 })
        }
    }

    @Test func `words are shown while they are spoken`() async throws {
        let recognizer = try await GrammarRecognizer.forStateQuestions()
        let (question, reports) = ("which state has boise as its capital", Reports())
        let listener = try await Self.listener(hearing: Self.spoken(question), by: recognizer, showsWords: true)
        let transcript = try await listener.listen { reports.add($0) }
        #expect(transcript.text == question)
        let drafts = reports.allDrafts
        #expect(drafts.count >= 3, "\(drafts)")
        #expect(drafts.last == question, "\(drafts)")
        #expect(zip(drafts, drafts.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test func finishEndsTheQuestionBeforeAnyPause() async throws {
        let recognizer = try await GrammarRecognizer.forStateQuestions()
        let question = try await Self.spoken("what is the capital of texas", tail: 0)
        let card = try VirtualCard(speed: 2, capture: .samples(question, trailingSilence: .seconds(60)), playback: nil)
        var configuration = Endpointer.Configuration.spectral
        configuration.shortPause = .seconds(50)
        configuration.minimumSilence = .seconds(55)
        let listener = MicrophoneSpeechListener(
            device: .virtual(card), recognizer: recognizer, endpointing: configuration)
        let levels = Mutex(0)
        let transcript = try await listener.listen { event in
            guard case .level = event else { return }
            let count = levels.withLock { count in
                count += 1
                return count
            }
            if count == 40 { await listener.finish() }
        }
        #expect(transcript.text == "what is the capital of texas")
    }

    @Test func `a question can end while the device opens`() async throws {
        let sound = try await Self.spoken("what is the capital of texas")
        let card = try VirtualCard(capture: .samples(sound, trailingSilence: .seconds(60)), playback: nil)
        let recognizer = try await GrammarRecognizer.forStateQuestions()
        let itself = Mutex<MicrophoneSpeechListener?>(nil)
        let listener = MicrophoneSpeechListener(
            recognizer: recognizer, detector: SpectralDetector(), endpointing: .spectral, patience: .seconds(20),
            showsWords: false
        ) {
            await itself.withLock { $0 }?.finish()
            return try await AudioCapture.start(device: .virtual(card))
        }
        itself.withLock { $0 = listener }
        let reports = Reports()
        await #expect(throws: DomainError.noSpeech) { try await listener.listen { reports.add($0) } }
        #expect(!reports.names.contains(.speechEnded))
        itself.withLock { $0 = nil }
        // The call ended one question, not the next.
        let next = try await listener.listen { reports.add($0) }
        #expect(next.text == "what is the capital of texas")
    }

    @Test func `a question that was given up in its pause is no answer later`() async throws {
        let question = "what is the capital of texas"
        var sound = try await Self.spoken(question)
        sound.samples += try await Self.spoken("which state has boise as its capital").samples
        let listener = try await Self.listener(
            hearing: sound, by: GrammarRecognizer.forStateQuestions(), showsWords: true)
        await #expect(throws: CancellationError.self) {
            try await Task {
                try await listener.listen { event in
                    if case .foreseen = event { withUnsafeCurrentTask { $0?.cancel() } }
                }
            }.value
        }
        let drafts = Mutex<[String]>([])
        let next = try? await listener.listen { event in
            guard case .draft(let words) = event else { return }
            drafts.withLock { $0.append(words) }
            await listener.finish()
        }
        #expect(!drafts.withLock { $0.isEmpty } && next?.text != question)
    }

    @Test func soundThatEndsInSilenceIsNoSpeech() async throws {
        let recognizer = try await GrammarRecognizer.forStateQuestions()
        let silence = AudioBuffer(silentFrames: 48_000, format: .speech)
        await #expect(throws: DomainError.noSpeech) {
            _ = try await Self.listener(hearing: silence, by: recognizer).listen { _ in }
        }
    }

    @Test func aSpeakerIsHeardToTheEnd() async throws {
        let card = try VirtualCard(speed: 4, capture: nil, playback: .memory)
        let speaker = SynthesizerSpeechSpeaker(synthesizer: try FliteSynthesizer(), device: .virtual(card))
        let reports = Reports()
        try await speaker.speak("The capital of Texas is Austin. It is large.") { reports.add($0) }
        #expect(reports.names == [.firstAudioReady, .firstSampleAudible, .answerSpoken])
        #expect(card.recorded.duration > .seconds(2))
        #expect(AudioLevel(of: card.recorded).rms > -40)
    }

    @Test func aCancelledSpeakerFallsSilent() async throws {
        let card = try VirtualCard(capture: nil, playback: .memory)
        let speaker = SynthesizerSpeechSpeaker(synthesizer: try FliteSynthesizer(), device: .virtual(card))
        let text = String(repeating: "This is a sentence that nobody waits for. ", count: 40)
        let task = Task {
            try await speaker.speak(text) { event in
                if case .reached(.firstSampleAudible, _) = event { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(card.recorded.duration < .seconds(5))
    }

    @Test func aTranscriberTakesAnyRateAndRefusesWhatIsNoSpeech() async throws {
        let folder = try TemporaryFolder()
        let transcriber = FileTranscriber(recognizer: try await GrammarRecognizer.forStateQuestions())
        let path = { (name: String) in folder.file(name) }
        let question = try await Self.spoken("what is the state bird of ohio")
        for format in [AudioFormat(sampleRate: 48_000, channels: 2), AudioFormat(sampleRate: 22_050), .speech] {
            let file = path("\(format.sampleRate).wav")
            try write(try question.converted(to: format), to: file)
            #expect(
                try await transcriber.firstUtterance(in: file).text == "what is the state bird of ohio", "\(format)")
        }
        try write(AudioBuffer(silentFrames: 32_000, format: .speech), to: path("silent.wav"))
        await #expect(throws: DomainError.noSpeech) { _ = try await transcriber.firstUtterance(in: path("silent.wav")) }
        try folder.write("no sound at all", to: "text.wav")
        let long = AudioFormat(sampleRate: 1000)
        try write(AudioBuffer(silentFrames: 601_000, format: long), to: path("long.wav"))
        for name in ["missing.wav", "text.wav", "long.wav"] {
            let error = await #expect(throws: DomainError.self, "\(name)") {
                _ = try await transcriber.firstUtterance(in: path(name))
            }
            #expect(error?.code == "file", "\(name): \(String(describing: error))")
        }
    }

    @Test func errorsKeepTheirMessageAndFindTheirKind() {
        let message = "What happened, and what to do."
        for code in [
            AudioError.Code.fileNotFound, .fileNotReadable, .fileNotWritable, .notASoundFile, .truncatedFile,
            .emptyFile, .diskFull, .tooLong,
        ] {
            #expect(
                DomainError(translating: AudioError(code, message)) == .file(Sentence(verbatim: message)), "\(code)")
        }
        for code in [
            AudioError.Code.deviceNotFound, .deviceBusy, .permission, .unplugged, .stalled, .formatNotSupported,
            .closed, .io, AudioError.Code(rawValue: "new"),
        ] {
            #expect(
                DomainError(translating: AudioError(code, message)) == .device(Sentence(verbatim: message)), "\(code)")
        }
        for code in [SpeechError.Code.modelMissing, .synthesizerMissing, .voiceMissing, .recognitionFailed] {
            #expect(
                DomainError(translating: SpeechError(code, message)) == .speechEngine(Sentence(verbatim: message)),
                "\(code)")
        }
        #expect(DomainError(translating: DomainError.noSpeech) == .noSpeech)
    }
}

extension FileTranscriber {
    func firstUtterance(in path: String) async throws -> Transcript {
        var first: Result<Transcript, DomainError>?
        try await transcribeAll(path) { first = first ?? $0 }
        return try #require(first).get()
    }
}
