// SPDX-License-Identifier: MIT

import AudioKitLinux
import Foundation
import Testing

@testable import Speech

@Suite struct GrammarRecognizerTests {
    private static let lights = JSGFGrammar(
        name: "lights",
        start: .sequence(["turn", .choice(["on", "off"]), "the", .rule("room"), .optional("please")]),
        rules: ["room": .choice(["kitchen light", "bedroom lamp", "garden lantern"])])

    private static func recognizer() async throws -> GrammarRecognizer {
        try await GrammarRecognizer(
            grammar: lights, otherWords: ["hello", "weather", "what", "is", "it", "music", "play", "banana"],
            contentWords: ["kitchen", "bedroom", "garden", "light", "lamp", "lantern"])
    }

    private static func spoken(_ text: String, _ voice: FliteSynthesizer.Voice = .slt) async throws -> AudioBuffer {
        var sound = AudioBuffer(silentFrames: 4800, format: .speech)
        for try await buffer in try FliteSynthesizer(voice: voice).synthesize(text) { sound.samples += buffer.samples }
        sound.samples += [Float](repeating: 0, count: 4800)
        return sound
    }

    private static func recognize(_ sound: AudioBuffer, by recognizer: GrammarRecognizer) async throws -> Recognition {
        await recognizer.begin()
        var frame = 0
        while frame < sound.frameCount {
            try await recognizer.process(sound.frames(frame..<(frame + 320)))
            frame += 320
        }
        return try await recognizer.finish()
    }

    @Test func hearsItsSentencesOneAfterTheOther() async throws {
        let recognizer = try await Self.recognizer()
        for (text, voice) in [
            ("turn on the kitchen light", FliteSynthesizer.Voice.slt), ("turn off the garden lantern", .rms),
            ("turn off the bedroom lamp please", .awb),
        ] {
            let recognition = try await Self.recognize(Self.spoken(text, voice), by: recognizer)
            #expect(recognition.text == text)
            #expect(recognition.outcome == .accepted)
            #expect((0.5...1).contains(recognition.confidence))
            #expect(recognition.words.map(\.text).joined(separator: " ") == text)
            #expect(zip(recognition.words, recognition.words.dropFirst()).allSatisfy { $0.end <= $1.start })
        }
    }

    @Test func `a subject is heard beside another one`() async throws {
        let timers = JSGFGrammar(
            name: "timers", start: .sequence(["set a timer for", .choice(["five", "nine", "twelve"]), "minutes"]))
        let recognizer = try await GrammarRecognizer(subjects: [
            RecognitionSubject(
                grammar: Self.lights, contentWords: ["light", "lamp", "lantern"], isSentence: { $0.hasPrefix("turn") }),
            RecognitionSubject(grammar: timers, isSentence: { $0.hasSuffix("minutes") }),
        ])
        for text in ["turn on the kitchen light", "set a timer for twelve minutes", "turn off the garden lantern"] {
            let recognition = try await Self.recognize(Self.spoken(text), by: recognizer)
            #expect(recognition.text == text)
            #expect(recognition.outcome == .accepted)
            #expect(recognition.words.map(\.text).joined(separator: " ") == text)
        }
    }

    /// After the first sentence the decoders follow the sound; a person who goes on after a pause, another voice, words to
    /// show and an utterance beside do not disturb that.
    @Test func `a known person is heard while speaking`() async throws {
        let recognizer = try await Self.recognizer()
        let (first, second) = ("turn on the kitchen light", "turn off the garden lantern please")
        #expect(try await Self.recognize(Self.spoken(first), by: recognizer).text == first)
        let sound = try await Self.spoken(second)
        await recognizer.begin()
        var drafts: [String] = []
        var guesses: Set<String> = []
        for frame in stride(from: 0, to: sound.frameCount, by: 320) {
            try await recognizer.process(sound.frames(frame..<min(sound.frameCount, frame + 320)))
            if frame % 8000 == 0 { guesses.insert(try await recognizer.guess()) }
            guard frame == 16_000 || frame == 24_000 else { continue }
            drafts.append(try await recognizer.draft().text)
            #expect(try await recognizer.recognition(of: Self.spoken(first, .rms)).text == first)
        }
        #expect(drafts.allSatisfy { second.hasPrefix($0) || $0.hasPrefix("turn") }, "\(drafts)")
        #expect(guesses.contains { $0.hasPrefix("turn off the") }, "\(guesses)")
        #expect(try await recognizer.finish().text == second)
        #expect(try await Self.recognize(Self.spoken(first, .awb), by: recognizer).text == first)
        #expect(try await Self.recognize(Self.spoken(second), by: recognizer).text == second)
    }

    @Test func aDraftSaysTheSameAndTheUtteranceGoesOn() async throws {
        let recognizer = try await Self.recognizer()
        let sound = try await Self.spoken("turn on the kitchen light")
        await recognizer.begin()
        try await recognizer.process(sound)
        let draft = try await recognizer.draft()
        #expect(draft.text == "turn on the kitchen light")
        #expect(try await recognizer.finish().text == draft.text)
        await #expect(throws: SpeechError.self) { try await recognizer.draft() }
    }

    @Test func loudnessMakesNoDifference() async throws {
        let recognizer = try await Self.recognizer()
        let sound = try await Self.spoken("turn off the garden lantern", .rms)
        for gain: Float in [0.003, 0.05, 1, 3] {
            let scaled = AudioBuffer(samples: sound.samples.map { $0 * gain }, format: .speech)
            #expect(try await Self.recognize(scaled, by: recognizer).text == "turn off the garden lantern", "\(gain)")
        }
    }

    @Test func otherSpeechIsRejectedAndSilenceIsSilence() async throws {
        let recognizer = try await Self.recognizer()
        for text in ["hello what is it", "banana music"] {
            let recognition = try await Self.recognize(Self.spoken(text), by: recognizer)
            #expect(recognition.outcome != .accepted, "\(recognition)")
            #expect(recognition.confidence == 0)
        }
        let silence = try await Self.recognize(AudioBuffer(silentFrames: 16_000, format: .speech), by: recognizer)
        #expect(silence.outcome != .accepted)
        await recognizer.begin()
        #expect(try await recognizer.finish().outcome == .silence)
    }

    @Test func callsOutOfOrderAndWrongSoundAreRefused() async throws {
        let recognizer = try await Self.recognizer()
        let sound = AudioBuffer(silentFrames: 160, format: .speech)
        #expect(await code { try await recognizer.process(sound) } == .recognitionFailed)
        #expect(await code { _ = try await recognizer.finish() } == .recognitionFailed)
        await recognizer.begin()
        let wrong = AudioBuffer(silentFrames: 480, format: AudioFormat(sampleRate: 48_000))
        #expect(await code { try await recognizer.process(wrong) } == .formatNotSupported)
        let long = AudioBuffer(
            silentFrames: (GrammarRecognizer.longestUtterance + 1) * 16_000, format: .speech)
        #expect(await code { try await recognizer.process(long) } == .tooLong)
    }

    @Test func missingModelsAndWordsAreNamed() async throws {
        let elsewhere = AcousticModel(directory: "/nonexistent")
        let missing = await #expect(throws: SpeechError.self) {
            _ = try await GrammarRecognizer(grammar: Self.lights, model: elsewhere)
        }
        #expect(missing?.code == .modelMissing)
        #expect(missing?.message.contains("pocketsphinx-en-us") == true)
        let strange = JSGFGrammar(name: "strange", start: "turn on the frobnicator")
        let unknown = await #expect(throws: SpeechError.self) { _ = try await GrammarRecognizer(grammar: strange) }
        #expect(unknown?.code == .unknownWords)
        #expect(unknown?.message.contains("frobnicator") == true)
        _ = try await GrammarRecognizer(
            grammar: strange, pronunciations: ["frobnicator": ["F R AA B N IH K EY T ER"]])
    }

    @Test func malformedGrammarsAreRefused() async throws {
        let recursive = JSGFGrammar(name: "r", start: .rule("a"), rules: ["a": .sequence(["on", .rule("a")])])
        #expect(await code { _ = try await GrammarRecognizer(grammar: recursive) } == .invalidGrammar)
        let dangling = JSGFGrammar(name: "d", start: .rule("nowhere"))
        #expect(await code { _ = try await GrammarRecognizer(grammar: dangling) } == .invalidGrammar)
        for pattern in ["turn [on", "turn on)", "a | | b", "", "*", "<>", "on <a", "[ ]"] {
            #expect(throws: SpeechError.self, "\(pattern)") { _ = try JSGFGrammar.Expansion(pattern: pattern) }
        }
    }

    @Test func patternsReadAsTheyAreWritten() throws {
        let pattern = try JSGFGrammar.Expansion(pattern: "[please] turn (on | off) the <room> (now)*")
        let grammar = JSGFGrammar(name: "g", start: pattern, rules: ["room": "kitchen light"])
        #expect(
            grammar.text == """
                #JSGF V1.0;
                grammar g;
                public <utterance> = [ please ] turn ( on | off ) the <room> ( now ) *;
                <room> = kitchen light;

                """)
        #expect(grammar.words == ["please", "turn", "on", "off", "the", "now", "kitchen", "light"])
    }

    private func code(_ body: () async throws -> Void) async -> SpeechError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? SpeechError)?.code
        }
    }
}
