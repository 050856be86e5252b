// SPDX-License-Identifier: MIT

import AudioKitLinux
import Glibc
import Speech
import Testing

@Suite struct WakeWordDetectorTests {
    private static let phrase = WakeWordDetector.Phrase("Hey, Jarvis!")
    /// Where the speech begins in each stream.
    private static let begin = 9600

    /// What is said, with pauses of 0.6 s before and 1 s after, over faint noise.
    private static func stream(_ text: String, _ voice: FliteSynthesizer.Voice = .rms) async throws -> [Float] {
        var sound = [Float](repeating: 0, count: begin)
        for try await buffer in try FliteSynthesizer(voice: voice).synthesize(text) { sound += buffer.samples }
        sound += [Float](repeating: 0, count: 16_000)
        var state: UInt32 = 7
        return sound.map { sample in
            state = state &* 1_664_525 &+ 1_013_904_223
            return sample * 0.5 + (Float(state >> 16) / 65536 - 0.5) * 0.0005
        }
    }

    /// The same in white noise: the ratio is that of the speech's power to the noise's, in decibels.
    private static func noisy(_ text: String, _ voice: FliteSynthesizer.Voice, ratio: Float) async throws -> [Float] {
        let said = try await stream(text, voice)
        let loud = said.filter { abs($0) > 0.01 }
        let power = loud.reduce(0) { $0 + $1 * $1 } / Float(max(1, loud.count))
        // Even numbers from -0.5 to 0.5 have a variance of a twelfth.
        let scale = (12 * power * powf(10, -ratio / 10)).squareRoot()
        var state: UInt32 = 23
        return said.map { sample in
            state = state &* 1_664_525 &+ 1_013_904_223
            return sample + (Float(state >> 8) / Float(1 << 24) - 0.5) * scale
        }
    }

    private static func listen(
        _ detector: WakeWordDetector, to samples: [Float], piece: Int = 1600, from position: Int = 0
    ) async throws -> [WakeWordDetector.Detection] {
        var found: [WakeWordDetector.Detection] = []
        for start in stride(from: 0, to: samples.count, by: piece) {
            let part = Array(samples[start..<min(start + piece, samples.count)])
            found += try await detector.process(
                AudioBuffer(samples: part, format: .speech), at: position + start)
        }
        return found
    }

    @Test func aPhraseIsCheckedBeforeAnythingIsHeard() async throws {
        func code(_ phrase: WakeWordDetector.Phrase) async -> SpeechError? {
            do throws(SpeechError) {
                _ = try await WakeWordDetector(phrase: phrase)
                return nil
            } catch { return error }
        }
        #expect(Self.phrase.words == ["hey", "jarvis"])
        #expect(await code(.init(" … "))?.code == .invalidPhrase)
        #expect(await code(.init("hey"))?.code == .invalidPhrase)
        #expect(await code(.init("a a a a a a a a a"))?.code == .invalidPhrase)
        let unknown = await code(.init("hey blorptang"))
        #expect(unknown?.code == .unknownWords)
        #expect(unknown?.message.contains("“blorptang”") == true)
        #expect(await code(.init("hey blorptang", phones: ["Blorptang": ["B L AO R P T AE NG"]])) == nil)
        #expect(await code(.init("hey blorptang", phones: ["blorptang": ["B L XX R P"]]))?.code == .unknownWords)
    }

    @Test func thePhraseIsFoundWhereItIsSaidAndNothingElseIs() async throws {
        let detector = try await WakeWordDetector(phrase: Self.phrase)
        let said = try await Self.stream("hey jarvis")
        let spoken = said.count - 16_000
        let found = try await Self.listen(detector, to: said)
        #expect(found.count == 1)
        let first = try #require(found.first)
        #expect(first.phrase == Self.phrase)
        #expect(abs(first.range.lowerBound - Self.begin) < 3200, "\(first.range) of \(Self.begin)..<\(spoken)")
        #expect(abs(first.range.upperBound - spoken) < 4800, "\(first.range) of \(Self.begin)..<\(spoken)")
        #expect((0.5...1).contains(first.score))
        #expect(first.detectedAt > first.range.upperBound)
        #expect(first.detectedAt - first.commandStart < 32_000)
        #expect(first.commandStart == first.range.upperBound - 800)

        for text in ["hey charlie", "good morning", "the garden is"] {
            await detector.reset()
            #expect(try await Self.listen(detector, to: Self.stream(text)).isEmpty, "\(text)")
        }
    }

    @Test func aSecondLookTellsThePhraseFromNearWordsInNoise() async throws {
        let detector = try await WakeWordDetector(phrase: Self.phrase)
        for (voice, ratio) in [(FliteSynthesizer.Voice.rms, Float(10)), (.slt, 10), (.awb, 10), (.slt, 20)] {
            await detector.reset()
            let found = try await Self.listen(detector, to: Self.noisy("hey jarvis", voice, ratio: ratio))
            #expect(found.count == 1, "\(voice) at \(ratio) dB")
        }
        for text in ["hey charlie", "good morning", "the garden is"] {
            await detector.reset()
            let found = try await Self.listen(detector, to: Self.noisy(text, .slt, ratio: 10))
            #expect(found.isEmpty, "\(text)")
        }
    }

    @Test func aCommandInTheSameBreathComesAfterIt() async throws {
        let detector = try await WakeWordDetector(phrase: Self.phrase)
        let alone = try await Self.stream("hey jarvis").count - 16_000
        let found = try await Self.listen(detector, to: Self.stream("hey jarvis what is the capital of ohio"))
        #expect(found.count == 1)
        let command = try #require(found.first).commandStart
        // The words are shorter than alone, and never shorter than half a second.
        #expect((Self.begin + 8000..<alone).contains(command), "\(command) beside \(alone)")
    }

    @Test func howTheStreamIsCutMakesNoDifference() async throws {
        let detector = try await WakeWordDetector(phrase: Self.phrase)
        let said = try await Self.stream("hey jarvis stop")
        let whole = try await Self.listen(detector, to: said, piece: said.count)
        #expect(whole.count == 1)
        for piece in [161, 4000] {
            await detector.reset()
            #expect(try await Self.listen(detector, to: said, piece: piece) == whole, "pieces of \(piece)")
        }
    }

    @Test func positionsAreThoseOfTheCallerAlsoAfterAGap() async throws {
        let detector = try await WakeWordDetector(phrase: Self.phrase)
        let said = try await Self.stream("hey jarvis")
        let plain = try await Self.listen(detector, to: said)
        let later = try await Self.listen(detector, to: said, from: 1_000_003)
        #expect(plain.count == 1)
        #expect(
            later.map(\.range) == plain.map { ($0.range.lowerBound + 1_000_003)..<($0.range.upperBound + 1_000_003) })
        #expect(later.map(\.detectedAt) == plain.map { $0.detectedAt + 1_000_003 })
        // What was being looked at when the sound broke off is decided with what there is.
        let end = try #require(plain.first).detectedAt - 320
        await detector.reset()
        #expect(try await Self.listen(detector, to: Array(said[..<end])).isEmpty)
        let found = try await detector.process(AudioBuffer(silentFrames: 160, format: .speech), at: 900_000)
        #expect(found.map(\.range.lowerBound) == plain.map(\.range.lowerBound))
    }

    @Test func resetForgetsWhatWasBeingHeard() async throws {
        let detector = try await WakeWordDetector(phrase: Self.phrase)
        let said = try await Self.stream("hey jarvis")
        #expect(try await Self.listen(detector, to: Array(said[..<(said.count - 15_000)])).isEmpty)
        await detector.reset()
        #expect(try await Self.listen(detector, to: [Float](repeating: 0, count: 16_000), from: 5).isEmpty)
    }

    @Test func whilePlayingItHasToBeSurer() async throws {
        let said = try await Self.stream("hey jarvis")
        var configuration = WakeWordDetector.Configuration.standard
        let plain = try await WakeWordDetector(phrase: Self.phrase, configuration: configuration)
        let score = try #require(try await Self.listen(plain, to: said).first).score
        // So that the phrase is just good enough, and with the penalty is not.
        configuration.sensitivity = 1 - score + 0.05
        configuration.playingPenalty = 0.1
        let detector = try await WakeWordDetector(phrase: Self.phrase, configuration: configuration)
        #expect(try await Self.listen(detector, to: said).count == 1)
        await detector.reset()
        await detector.setPlaying(true)
        #expect(try await Self.listen(detector, to: said).isEmpty)
        // The phrase began while we played.
        await detector.reset()
        #expect(try await Self.listen(detector, to: Array(said[..<16_000])).isEmpty)
        await detector.setPlaying(false)
        #expect(try await Self.listen(detector, to: Array(said[16_000...]), from: 16_000).isEmpty)
        // This one did not.
        await detector.reset()
        #expect(try await Self.listen(detector, to: said).count == 1)
    }

    @Test func anotherFormatIsRefused() async throws {
        let detector = try await WakeWordDetector(phrase: Self.phrase)
        let wrong = AudioBuffer(silentFrames: 480, format: AudioFormat(sampleRate: 48_000))
        await #expect { try await detector.process(wrong, at: 0) } throws: { error in
            (error as? SpeechError)?.code == .formatNotSupported
        }
    }
}
