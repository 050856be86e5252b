// SPDX-License-Identifier: MIT

import AudioKitLinux
import Speech
import SpeechEngines
import Testing

@Suite(.timeLimit(.minutes(5))) struct DictationRecognizerTests {
    private static func events(
        of sound: AudioBuffer, by recognizer: DictationRecognizer
    ) async throws -> [RecognitionEvent] {
        let (stream, feed) = AsyncStream<AudioBuffer>.makeStream()
        for start in stride(from: 0, to: sound.frameCount, by: 320) { feed.yield(sound.frames(start..<start + 320)) }
        feed.finish()
        var events: [RecognitionEvent] = []
        for try await event in recognizer.recognize(stream) { events.append(event) }
        return events
    }

    private static func spoken(_ text: String) async throws -> AudioBuffer {
        var sound = AudioBuffer(silentFrames: 4_800, format: .speech)
        for try await buffer in try FliteSynthesizer().synthesize(text) { sound.samples += buffer.samples }
        sound.samples += [Float](repeating: 0, count: 4_800)
        return sound
    }

    @Test func `words of no grammar appear while somebody speaks`() async throws {
        let recognizer = try await DictationRecognizer()
        let events = try await Self.events(
            of: Self.spoken("please close the window before the rain begins"), by: recognizer)
        guard case .final(let words) = events.last else {
            Issue.record("no final event: \(events)")
            return
        }
        #expect(words.text.contains("window") && words.language == "en", "\(events)")
        #expect(words.segments.map(\.text).joined(separator: " ") == words.text)
        let times = words.segments.compactMap(\.start)
        #expect(times == times.sorted() && times.count == words.segments.count)
        let partial = events.dropLast().compactMap { if case .partial(let text) = $0 { text } else { nil } }
        #expect(partial.count == events.count - 1 && partial.count > 2, "\(events)")
        #expect(partial.contains { $0.contains("close") || $0.contains("window") }, "\(partial)")
    }

    @Test func `an utterance that is dropped leaves the next one alone`() async throws {
        let recognizer = try await DictationRecognizer()
        let sound = try await Self.spoken("please close the window")
        let (stream, feed) = AsyncStream<AudioBuffer>.makeStream()
        let (hasWords, words) = AsyncStream<Void>.makeStream()
        let task = Task { for try await _ in recognizer.recognize(stream) { words.yield() } }
        feed.yield(sound)
        for await _ in hasWords { break }
        task.cancel()
        _ = await task.result
        let events = try await Self.events(of: sound, by: recognizer)
        guard case .final(let next) = events.last else {
            Issue.record("no final event: \(events)")
            return
        }
        #expect(next.text.contains("window"), "\(events)")
    }

    @Test func `silence has no words`() async throws {
        let recognizer = try await DictationRecognizer()
        for frames in [0, 100, 32_000] {
            let events = try await Self.events(of: AudioBuffer(silentFrames: frames, format: .speech), by: recognizer)
            guard case .final(let words) = events.last else {
                Issue.record("no final event: \(events)")
                return
            }
            #expect(words.text.isEmpty && words.confidence == nil, "\(frames): \(events)")
        }
    }

    @Test func `what cannot be heard is refused`() async throws {
        let recognizer = try await DictationRecognizer()
        let wrong = AudioBuffer(silentFrames: 320, format: AudioFormat(sampleRate: 8_000))
        let format = await #expect(throws: SpeechError.self) { try await Self.events(of: wrong, by: recognizer) }
        #expect(format?.code == .formatNotSupported)
        let long = AudioBuffer(
            silentFrames: (GrammarRecognizer.longestUtterance + 1) * 16_000, format: .speech)
        let length = await #expect(throws: SpeechError.self) { try await Self.events(of: long, by: recognizer) }
        #expect(length?.code == .tooLong)
    }

    @Test func `a missing model is named with its package`() async throws {
        let whole = AcousticModel.englishUS
        let withoutWords = AcousticModel(
            hmmDirectory: whole.hmmDirectory, dictionaryPath: whole.dictionaryPath,
            phoneLanguageModelPath: whole.phoneLanguageModelPath, wordLanguageModelPath: "/nonexistent/en-us.lm.bin")
        for model in [AcousticModel(directory: "/nonexistent"), withoutWords] {
            let missing = await #expect(throws: SpeechError.self) { _ = try await DictationRecognizer(model: model) }
            #expect(missing?.code == .modelMissing)
            #expect(missing?.message.contains("pocketsphinx-en-us") == true, "\(missing as Any)")
        }
    }
}
