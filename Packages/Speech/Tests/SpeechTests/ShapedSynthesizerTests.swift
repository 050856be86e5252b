// SPDX-License-Identifier: MIT

import AudioKitLinux
import SpeechEngines
import TestKit
import Testing

@testable import Speech

@Suite struct ShapedSynthesizerTests {
    private static let sentence = "The capital of Texas is Austin, and its largest city is Houston."

    private func sound(_ synthesizer: some SpeechSynthesizer) async throws -> [Float] {
        var samples: [Float] = []
        for try await buffer in synthesizer.synthesize(Self.sentence) {
            #expect(buffer.format == synthesizer.format && buffer.frameCount > 0)
            samples += buffer.samples
        }
        return samples
    }

    @Test(arguments: [FliteSynthesizer.Voice.slt, .rms], [0.7, 1.3])
    func `a voice has the pitch that was asked for`(_ voice: FliteSynthesizer.Voice, _ pitch: Double) async throws {
        let base = try FliteSynthesizer(voice: voice)
        let (plain, shaped) = (
            try await sound(base), try await sound(ShapedSynthesizer(base, pitch: pitch))
        )
        #expect(shaped.count == plain.count)
        let (median, near) = ReferencePitch.ratio(
            ReferencePitch.track(plain, sampleRate: 16_000),
            ReferencePitch.track(shaped, sampleRate: 16_000, from: 45))
        #expect(abs(median / pitch - 1) < 0.01, "\(median)")
        #expect(near > 0.8, "\(near)")
    }

    @Test(arguments: [FliteSynthesizer.Voice.slt, .rms], [0.6, 1.5])
    func `a voice has the speed that was asked for and its pitch`(
        _ voice: FliteSynthesizer.Voice, _ rate: Double
    ) async throws {
        let base = try FliteSynthesizer(voice: voice)
        let (plain, shaped) = (
            try await sound(base), try await sound(ShapedSynthesizer(base, rate: { rate }))
        )
        #expect(shaped.count == Int((Double(plain.count) / rate).rounded()))
        let (median, near) = ReferencePitch.ratio(
            ReferencePitch.track(plain, sampleRate: 16_000), ReferencePitch.track(shaped, sampleRate: 16_000),
            rate: rate)
        // Moments differ by up to a block's movement, in which a sentence's melody changes.
        #expect(abs(median - 1) < 0.01, "\(median)")
        #expect(near > 0.7, "\(near)")
    }

    @Test func `both at once, and neither`() async throws {
        let base = try FliteSynthesizer(voice: .slt)
        let plain = try await sound(base)
        #expect(try await sound(ShapedSynthesizer(base)) == plain)
        let both = try await sound(ShapedSynthesizer(base, rate: { 1.25 }, pitch: 0.8))
        #expect(both.count == Int((Double(plain.count) / 1.25).rounded()))
        // A speed beyond the range is the nearest one.
        #expect(try await sound(ShapedSynthesizer(base, rate: { 9 })).count == Int((Double(plain.count) / 2).rounded()))
    }

    @Test func `the speed is asked for with each text`() async throws {
        let rate = SpeechRate()
        let base = try FliteSynthesizer(voice: .slt)
        let shaped = ShapedSynthesizer(base, rate: { Double(rate.percent) / 100 })
        let plain = try await sound(shaped)
        rate.percent = 200
        #expect(try await sound(shaped).count == Int((Double(plain.count) / 2).rounded()))
    }

    @Test func `the engine's error passes`() async throws {
        struct Broken: SpeechSynthesizer {
            struct Failure: Error {}
            let format = AudioFormat.speech
            func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error> {
                AsyncThrowingStream { continuation in
                    continuation.yield(AudioBuffer(silentFrames: 16_000, format: format))
                    continuation.finish(throwing: Failure())
                }
            }
        }
        var frames = 0
        await #expect(throws: Broken.Failure.self) {
            for try await buffer in ShapedSynthesizer(Broken(), pitch: 1.5).synthesize("a") {
                frames += buffer.frameCount
            }
        }
        #expect((8_000..<16_000).contains(frames))
    }

    @Test func `an engine whose consumer stops is told`() async throws {
        struct Endless: SpeechSynthesizer {
            let format = AudioFormat.speech
            let stopped: AsyncStream<Void>.Continuation
            func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error> {
                AsyncThrowingStream { continuation in
                    continuation.onTermination = { _ in stopped.finish() }
                    for _ in 0..<20 { continuation.yield(AudioBuffer(silentFrames: 16_000, format: format)) }
                }
            }
        }
        let (stops, stopped) = AsyncStream.makeStream(of: Void.self)
        for try await _ in ShapedSynthesizer(Endless(stopped: stopped), rate: { 2 }).synthesize("a") { break }
        // Returns once the engine's stream was terminated.
        for await _ in stops {}
    }

    @Test(arguments: [0.75, 1.4]) func `eSpeak NG makes its own pitch`(_ pitch: Double) async throws {
        let (plain, high) = (
            try await sound(ESpeakSynthesizer(language: "en")),
            try await sound(ESpeakSynthesizer(language: "en", pitch: pitch))
        )
        func median(_ sound: [Float]) -> Double {
            let track = ReferencePitch.track(sound, sampleRate: 22_050, from: 50).compactMap(\.self).sorted()
            return track.isEmpty ? 0 : track[track.count / 2]
        }
        #expect(abs(median(high) / median(plain) / pitch - 1) < 0.04)
    }
}
