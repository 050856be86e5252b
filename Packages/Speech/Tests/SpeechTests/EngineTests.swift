// SPDX-License-Identifier: MIT

import AudioKitLinux
import Speech
import SpeechEngines
import Testing

/// The engines of this machine behind the protocols of SpeechEngines.
@Suite struct EngineTests {
    private static func recognizer() async throws -> GrammarRecognizer {
        try await GrammarRecognizer(
            grammar: JSGFGrammar(
                name: "lights", start: .sequence(["turn", .choice(["on", "off"]), "the kitchen light"])),
            otherWords: ["hello", "weather", "what", "is", "banana"])
    }

    private static func events(
        of buffers: [AudioBuffer], by recognizer: any SpeechRecognizer
    ) async throws -> [RecognitionEvent] {
        let (sound, feed) = AsyncStream<AudioBuffer>.makeStream()
        for buffer in buffers { feed.yield(buffer) }
        feed.finish()
        var events: [RecognitionEvent] = []
        for try await event in recognizer.recognize(sound) { events.append(event) }
        return events
    }

    @Test func `a grammar's sentence is one final event`() async throws {
        let synthesizer: any SpeechSynthesizer = try FliteSynthesizer()
        var sound = [AudioBuffer(silentFrames: 4_800, format: .speech)]
        for try await buffer in synthesizer.synthesize("turn on the kitchen light") { sound.append(buffer) }
        sound.append(AudioBuffer(silentFrames: 4_800, format: .speech))
        let events = try await Self.events(of: sound, by: Self.recognizer())
        guard case .final(let words) = events.last, events.count == 1 else {
            Issue.record("not one final event: \(events)")
            return
        }
        #expect(words.text == "turn on the kitchen light")
        #expect((0.5...1).contains(words.confidence ?? 0))
        #expect(words.segments.count == 5)
    }

    @Test func `silence has no words`() async throws {
        let recognizer = try await Self.recognizer()
        let events = try await Self.events(of: [AudioBuffer(silentFrames: 16_000, format: .speech)], by: recognizer)
        guard case .final(let words) = events.last, events.count == 1 else {
            Issue.record("not one final event: \(events)")
            return
        }
        #expect(words.text.isEmpty && (words.confidence ?? 0) == 0)
    }

    @Test func `another format is refused`() async throws {
        let recognizer = try await Self.recognizer()
        let wrong = AudioBuffer(silentFrames: 100, format: AudioFormat(sampleRate: 8_000))
        let error = await #expect(throws: SpeechError.self) { try await Self.events(of: [wrong], by: recognizer) }
        #expect(error?.code == .formatNotSupported)
    }
}
