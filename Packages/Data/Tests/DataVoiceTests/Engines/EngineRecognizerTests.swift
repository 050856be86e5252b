// SPDX-License-Identifier: MIT

import AudioKitLinux
import Domain
import Speech
import SpeechEngines
import SpeechServices
import SpeechServicesTestSupport
import TestKit
import Testing

@testable import DataVoice

/// Takes two seconds at once, and recognises nothing.
private struct ShortEars: UtteranceRecognizer {
    let longestSpeech = Duration.seconds(2)

    func begin() {}
    func process(_ buffer: AudioBuffer) {}
    func guess() -> String { "" }
    func preview() -> Recognition? { nil }
    func finish() throws -> Recognition { throw SpeechServiceError(.invalidRequest, "It was asked.") }
    func cancel() {}
}

@Suite(.timeLimit(.minutes(5))) struct EngineRecognizerTests {
    /// Answers with the frames that it heard; the first utterance's words are shown as partial ones.
    private struct Counting: SpeechRecognizer {
        let format = AudioFormat.speech
        let failure: SpeechServiceError?

        func recognize(_ sound: AsyncStream<AudioBuffer>) -> AsyncThrowingStream<RecognitionEvent, any Error> {
            let (events, continuation) = AsyncThrowingStream<RecognitionEvent, any Error>.makeStream()
            let task = Task {
                var frames = 0
                for await buffer in sound {
                    frames += buffer.frameCount
                    continuation.yield(.partial("\(frames)"))
                }
                if let failure { return continuation.finish(throwing: failure) }
                continuation.yield(.final(Transcription(frames == 0 ? "" : "\(frames) frames")))
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
            return events
        }
    }

    private static func silence(_ frames: Int) -> AudioBuffer { AudioBuffer(silentFrames: frames, format: .speech) }

    @Test func `an utterance is heard whole, and a dropped one not at all`() async throws {
        let ears = EngineRecognizer(Counting(failure: nil))
        await ears.begin()
        await ears.process(Self.silence(100))
        await ears.cancel()
        await ears.begin()
        for _ in 0..<3 { await ears.process(Self.silence(200)) }
        #expect(await ears.preview() == nil)
        let heard = try await ears.finish()
        #expect(heard.text == "600 frames" && heard.outcome == .accepted && heard.confidence == 1)
        await ears.begin()
        #expect(try await ears.finish().outcome == .silence)
    }

    @Test func `thirty seconds without a pause are one utterance of an engine`() async throws {
        let folder = try TemporaryFolder()
        let speech = AudioBuffer(samples: [Float](repeating: 0.1, count: 480_000), format: .speech)
        try write(speech, to: folder.file("long.wav"))
        let engine = EngineRecognizer(Counting(failure: nil))
        var heard: [String] = []
        try await FileTranscriber(recognizer: engine, detector: SpeechEverywhere())
            .transcribeAll(folder.file("long.wav")) { heard.append(try $0.get().text) }
        #expect(heard == ["480000 frames"])
    }

    @Test func `speech that is too long for a recogniser is refused, and not recognised`() async throws {
        let speech = AudioBuffer(samples: [Float](repeating: 0.1, count: 64_000), format: .speech)
        let card = try VirtualCard(speed: 4, capture: .samples(speech), playback: nil)
        let listener = MicrophoneSpeechListener(
            device: .virtual(card), recognizer: ShortEars(), detector: SpeechEverywhere())
        await #expect(throws: DomainError.speechTooLong(limit: 2)) { try await listener.listen { _ in } }
    }

    @Test func `the engine's error is the utterance's`() async throws {
        let ears = EngineRecognizer(Counting(failure: SpeechServiceError(.serverFailed, "It failed.")))
        await ears.begin()
        let error = await #expect(throws: SpeechServiceError.self) { try await ears.finish() }
        #expect(error?.code == .serverFailed)
        await ears.cancel()
        await #expect(throws: SpeechServiceError.self) { try await ears.finish() }
    }

    @Test(arguments: [
        (Transcription("hello", confidence: 0.5), Recognition.Outcome.accepted, 0.5),
        (Transcription("hello"), .accepted, 1), (Transcription(""), .silence, 0),
        (Transcription("", confidence: 0), .rejected(.noSentence), 0),
    ])
    func `an engine's words are judged by the engine`(
        words: Transcription, outcome: Recognition.Outcome, confidence: Double
    ) {
        let recognition = Recognition(words)
        #expect(recognition.outcome == outcome && recognition.confidence == confidence)
    }
}
