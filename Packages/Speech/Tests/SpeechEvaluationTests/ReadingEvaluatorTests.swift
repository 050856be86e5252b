// SPDX-License-Identifier: MIT

import AudioKitLinux
import Foundation
import Speech
import SpeechEvaluation
import TestKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct ReadingEvaluatorTests {
    private static let text = "The old fisherman mended his nets before the morning tide."

    private static func recording(_ text: String = text, decibels: Float = 70) async throws -> AudioBuffer {
        var background = Background(seed: 3)
        let voice = try await ReadingVoice(voice: .slt).read(text)
        return AudioBuffer(samples: background.surround(voice, decibels: decibels), format: .speech)
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ recording: AudioBuffer, name: String) throws -> String {
        let path = folder.file(name)
        let writer = try SoundFileWriter(path: path, format: recording.format)
        try writer.write(recording)
        try writer.close()
        return path
    }

    private func code(_ body: () async throws -> ReadingEvaluation) async -> EvaluationError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? EvaluationError)?.code
        }
    }

    @Test func aRightReading() async throws {
        let recording = try await Self.recording(decibels: 40)
        let found = try await ReadingEvaluator().evaluate(recording, expected: Self.text, language: "en-US")
        #expect(found.words?.map(\.verdict) == [JudgedWord.Verdict](repeating: .right, count: 10))
        #expect(found.wordErrorRate == 0 && found.wordsUnavailable == nil && found.hasSpeech)
        let words = try #require(found.words)
        let bytes = Array(Self.text.utf8)
        #expect(words.first?.source.map { String(decoding: bytes[$0], as: UTF8.self) } == "The")
        #expect(words.last?.source.map { String(decoding: bytes[$0], as: UTF8.self) } == "tide.")
        let times = words.compactMap(\.start)
        #expect(times == times.sorted() && times.count == 10)
        // The voice begins after 0.4 s; flite begins with a fifth of a second of silence.
        let start = try #require(found.speechStart)
        #expect((0.35...0.8).contains(start) && abs((words.first?.start ?? 0) - start) < 0.2)
        #expect(abs((words.last?.end ?? 0) - start - found.speechDuration) < 0.3)
        let rate = try #require(found.wordsPerMinute)
        #expect(abs(rate - 600 / found.speechDuration) < 1e-6 && (100...300).contains(rate))
        #expect(found.rightWordsPerMinute == rate)
        #expect(found.clippedSamples == 0 && found.pauses.isEmpty)
        // As measured before the voice begins, and from the level that the voice was given.
        let lead = recording.samples[..<6_400]
        let noise = 10 * log10(Double(lead.reduce(0) { $0 + $1 * $1 }) / Double(lead.count))
        #expect(abs(try #require(found.noiseLevel) - noise) < 1, "\(noise) \(found.noiseLevel ?? 0)")
        #expect(abs(try #require(found.signalToNoise) + 22 + noise) < 2, "\(found.signalToNoise ?? 0)")
        #expect(try JSONDecoder().decode(ReadingEvaluation.self, from: JSONEncoder().encode(found)) == found)
    }

    @Test func leftOutWrongAndAddedWords() async throws {
        let evaluator = ReadingEvaluator()
        let spoken = "The fisherman always mended his coats before the morning tide"
        let found = try await evaluator.evaluate(
            try await Self.recording(spoken), expected: Self.text, language: "en")
        let verdicts = try #require(found.words).map { "\($0.text ?? "?") \($0.verdict)" }
        #expect(verdicts.contains("old missed") && verdicts.contains("nets missed"))
        #expect(verdicts.contains("always inserted"))
        #expect(found.count(.right) == 8 && found.count(.inserted) >= 2 && found.substitutions == 1, "\(verdicts)")
    }

    @Test func thePauseThatIsThere() async throws {
        var background = Background(seed: 4)
        let voice = ReadingVoice(voice: .slt)
        let (first, second) = (try await voice.read("The old fisherman"), try await voice.read("mended his nets"))
        let silence = [Float](repeating: 0, count: 16_000)
        let samples = background.surround(first + silence + second, decibels: 50)
        let found = try await ReadingEvaluator().evaluate(
            AudioBuffer(samples: samples, format: .speech), expected: "The old fisherman mended his nets",
            language: "en")
        #expect(found.pauses.count == 1 && found.count(.right) == 6)
        // flite's own silence at the ends of a sentence comes to the second.
        let pause = try #require(found.pauses.first)
        #expect((0.9...1.7).contains(pause.duration), "\(pause)")
        #expect(abs(found.speechDuration - found.voicedDuration - pause.duration) < 1e-6)
    }

    @Test func theSameFromAFileInStereoAndAtAnotherRate() async throws {
        let mono = try await Self.recording()
        let stereo = AudioBuffer(
            samples: mono.samples.flatMap { [$0, $0] }, format: AudioFormat(sampleRate: 16_000, channels: 2))
        let resampler = try Resampler(from: 16_000, to: 48_000, channels: 2)
        let samples = resampler.process(stereo.samples) + resampler.finish()
        let path = try file(
            AudioBuffer(samples: samples, format: AudioFormat(sampleRate: 48_000, channels: 2)), name: "stereo.wav")
        let found = try await ReadingEvaluator().evaluate(fileAt: path, expected: Self.text, language: "en-GB")
        let plain = try await ReadingEvaluator().evaluate(mono, expected: Self.text, language: "en-GB")
        #expect(found.count(.right) == 10 && plain.count(.right) == 10)
        #expect(abs(found.duration - plain.duration) < 1e-3 && abs(found.speechDuration - plain.speechDuration) < 0.03)
        // Two channels with the same sound are 3 LU louder than one (BS.1770 adds powers).
        let (loud, soft) = (try #require(found.integratedLoudness), try #require(plain.integratedLoudness))
        #expect(abs(loud - soft - 3.01) < 0.2)
    }

    @Test func silenceIsAResult() async throws {
        let silent = AudioBuffer(silentFrames: 48_000, format: .speech)
        let found = try await ReadingEvaluator().evaluate(silent, expected: Self.text, language: "en")
        #expect(!found.hasSpeech && found.speechStart == nil && found.speechDuration == 0)
        #expect(found.count(.missed) == 10 && found.wordErrorRate == 1 && found.wordsPerMinute == nil)
        #expect(found.integratedLoudness == nil && found.truePeak == nil && found.noiseLevel == -120)
        #expect(found.signalToNoise == nil)
    }

    @Test func clippingIsFound() async throws {
        var recording = try await Self.recording()
        recording.samples = recording.samples.map { max(-1, min(1, $0 * 30)) }
        let found = try await ReadingEvaluator().evaluate(recording, expected: Self.text, language: "en")
        #expect(found.clippedShare > 0.02 && found.clippedSamples > 1_000)
        #expect(try #require(found.truePeak) > -0.1)
    }

    @Test func otherLanguagesAreMeasuredAndNotJudged() async throws {
        let found = try await ReadingEvaluator().evaluate(
            try await Self.recording(), expected: "El viejo pescador", language: "es-MX")
        #expect(found.words == nil && found.wordsUnavailable == .languageNotRecognized)
        #expect(found.wordsPerMinute == nil && found.wordErrorRate == nil && found.speechDuration > 1)
    }

    @Test func withoutTheModelTheRestIsMeasured() async throws {
        let evaluator = ReadingEvaluator(model: AcousticModel(directory: "/nowhere"))
        let found = try await evaluator.evaluate(try await Self.recording(), expected: Self.text, language: "en")
        #expect(found.words == nil && found.wordsUnavailable == .modelMissing && found.integratedLoudness != nil)
    }

    /// A made-up word is read by letter-to-sound rules; what has no Latin letters is never called missed.
    @Test func wordsThatNoDictionaryHas() async throws {
        let evaluator = ReadingEvaluator()
        let made = try await evaluator.evaluate(
            try await Self.recording("My neighbour is called Brindlewick by everybody"),
            expected: "My neighbour is called Brindlewick by everybody", language: "en")
        #expect(made.count(.right) == 7)
        let foreign = try await evaluator.evaluate(
            try await Self.recording("The word means world in Japanese"),
            expected: "The word 世界 means world in Japanese",
            language: "en")
        #expect(foreign.count(.unjudged) == 1 && foreign.count(.right) == 6 && foreign.count(.missed) == 0)
        let none = try await evaluator.evaluate(
            try await Self.recording(), expected: "世界", language: "en")
        #expect(none.words == nil && none.wordsUnavailable == .textUnknown)
    }

    @Test func badInputSaysWhatItIs() async throws {
        let evaluator = ReadingEvaluator()
        let recording = AudioBuffer(silentFrames: 1_600, format: .speech)
        for text in ["", " \n", "…?! — “”", "👍"] {
            #expect(
                await code { try await evaluator.evaluate(recording, expected: text, language: "en") } == .nothingToRead
            )
        }
        for long in [String(repeating: "a ", count: 2_001), String(repeating: "a", count: 300_000)] {
            #expect(
                await code { try await evaluator.evaluate(recording, expected: long, language: "en") } == .textTooLong)
        }
        let empty = AudioBuffer(samples: [], format: .speech)
        #expect(await code { try await evaluator.evaluate(empty, expected: "a", language: "en") } == .emptyRecording)
        let odd = AudioBuffer(samples: [0, 0, 0], format: AudioFormat(sampleRate: 0, channels: 1))
        #expect(await code { try await evaluator.evaluate(odd, expected: "a", language: "en") } == .unreadableRecording)
        #expect(
            await code { try await evaluator.evaluate(fileAt: "/nowhere.wav", expected: "a", language: "en") }
                == .unreadableRecording)
        let path = try file(recording, name: "damaged.wav")
        try Data((0..<4_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: URL(filePath: path))
        #expect(
            await code { try await evaluator.evaluate(fileAt: path, expected: "a", language: "en") }
                == .unreadableRecording)
        var configuration = ReadingEvaluator.Configuration()
        configuration.longestRecording = .milliseconds(500)
        let strict = ReadingEvaluator(configuration: configuration)
        let second = AudioBuffer(silentFrames: 16_000, format: .speech)
        #expect(await code { try await strict.evaluate(second, expected: "a", language: "en") } == .recordingTooLong)
        // What is no number is no sound.
        let broken = AudioBuffer(samples: [Float](repeating: .nan, count: 16_000), format: .speech)
        let found = try await evaluator.evaluate(broken, expected: "a", language: "en")
        #expect(!found.hasSpeech && found.integratedLoudness == nil)
    }

    @Test func `a sound that hides its length is not decoded whole`() async throws {
        let path = try file(AudioBuffer(silentFrames: 16_000 * 20, format: .speech), name: "unknown.flac")
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        // The number of samples in STREAMINFO: 0 is unknown (RFC 9639 §8.2).
        bytes[21] &= 0xF0
        for index in 22...25 { bytes[index] = 0 }
        try Data(bytes).write(to: URL(filePath: path))
        var configuration = ReadingEvaluator.Configuration()
        configuration.longestRecording = .seconds(10)
        let evaluator = ReadingEvaluator(configuration: configuration)
        #expect(
            await code { try await evaluator.evaluate(fileAt: path, expected: "a", language: "en") }
                == .recordingTooLong)
        let task = Task {
            cancelCurrentTask()
            _ = try await evaluator.evaluate(fileAt: path, expected: "a", language: "en")
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }

    @Test func aCancelledTaskEnds() async throws {
        let evaluator = ReadingEvaluator()
        let recording = AudioBuffer(silentFrames: 160_000, format: .speech)
        let task = Task {
            cancelCurrentTask()
            _ = try await evaluator.evaluate(recording, expected: "a", language: "en")
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        // And the evaluator goes on.
        #expect(try await evaluator.evaluate(recording, expected: "a", language: "en").count(.missed) == 1)
    }
}
