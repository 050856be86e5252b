// SPDX-License-Identifier: MIT
import AudioKitLinux
import AudioKitLinuxTestSupport
import Testing

@Suite struct VoiceProcessorTests {
    @Test func steadyNoiseGetsQuieterAndSpeechStays() throws {
        let noise = SyntheticRoom.noise(frames: 128_000, level: 0.01, seed: 5)
        let voice = [Float](repeating: 0, count: 64_000) + SyntheticRoom.babble(seconds: 4, seed: 6, level: 0.5)
        let input = zip(noise, voice).map { $0 + $1 }
        let output = try run(VoiceProcessor(suppressor: SpeexNoiseSuppressor(rate: 16_000)), input)
        #expect(decibels(input[32_000..<60_000]) - decibels(output[32_000..<60_000]) > 8)
        #expect(abs(decibels(input[64_000..<120_000]) - decibels(output[64_000..<120_000])) < 3)
    }

    @Test func quietSpeechIsRaisedAndLoudSpeechIsNotClipped() throws {
        let quiet = SyntheticRoom.babble(seconds: 20, seed: 6, level: 0.01)
        let control = try SpeexGainControl(rate: 16_000)
        let output = try run(VoiceProcessor(gainControl: control), quiet)
        #expect(decibels(output.suffix(48_000)) - decibels(quiet.suffix(48_000)) > 6)
        #expect(control.gain > 6 && control.gain <= 24)
        let loud = SyntheticRoom.babble(seconds: 5, seed: 6, level: 0.9)
        let limited = try run(VoiceProcessor(gainControl: SpeexGainControl(rate: 16_000)), loud)
        #expect(AudioLevel(of: AudioBuffer(samples: limited, format: .speech)).clippedSamples == 0)
    }

    @Test func theStagesAreInOrderAndPositionsAreTheSounds() throws {
        let processor = try VoiceProcessor.speex()
        #expect(processor.stages == [.echoCanceller, .noiseSuppressor, .gainControl])
        #expect(processor.latencyFrames == 320)
        // Every stage one after the other: a click stays at its position.
        var input = SyntheticRoom.noise(frames: 32_000, level: 0.0001, seed: 8)
        input[20_000] = 0.8
        let start = ContinuousClock.now
        var next: Int?
        var found: Int?
        for first in stride(from: 0, to: input.count, by: 500) {
            let piece = CapturedBuffer(
                buffer: AudioBuffer(samples: Array(input[first..<first + 500]), format: .speech), position: first,
                capturedAt: start + AudioFormat.speech.duration(ofFrames: first + 499))
            guard let output = try processor.process(piece) else { continue }
            #expect(output.position == next ?? 0)
            next = output.position + output.buffer.frameCount
            let last = start + AudioFormat.speech.duration(ofFrames: (next ?? 0) - 1)
            let off = (output.capturedAt - last) / .microseconds(1)
            #expect(abs(off) < 2)
            if let top = output.buffer.samples.indices.max(by: {
                abs(output.buffer.samples[$0]) < abs(output.buffer.samples[$1])
            }), abs(output.buffer.samples[top]) > 0.2 {
                found = output.position + top
            }
        }
        let click = try #require(found)
        #expect(abs(click - 20_000) <= 1)
    }

    @Test func anEmptyProcessorPassesSoundThrough() throws {
        let processor = try VoiceProcessor()
        let sound = SyntheticRoom.noise(frames: 16_000, level: 0.3, seed: 2)
        let output = try run(processor, sound)
        #expect(difference(output, sound) == nil)
        #expect(processor.stages.isEmpty && processor.latencyFrames == 0)
    }

    @Test func differentRatesAreRefused() throws {
        let failure = code {
            _ = try VoiceProcessor(
                canceller: SpeexEchoCanceller(rate: 16_000), suppressor: SpeexNoiseSuppressor(rate: 48_000))
        }
        #expect(failure == .formatNotSupported)
        #expect(code { _ = try SpeexNoiseSuppressor(rate: 16_000, attenuation: 99) } == .formatNotSupported)
        #expect(code { _ = try SpeexGainControl(rate: 16_000, target: 3) } == .formatNotSupported)
        #expect(code { _ = try SpeexGainControl(rate: 1) } == .formatNotSupported)
    }

    @Test func soundThatIsNoNumberDoesNotStay() throws {
        let processor = try VoiceProcessor.speex()
        var sound = SyntheticRoom.noise(frames: 32_000, level: 0.1, seed: 2)
        for index in 4_000..<4_100 { sound[index] = .nan }
        let output = try run(processor, sound)
        #expect(!output.contains { !$0.isFinite })
        #expect(decibels(output.suffix(8_000)) > -60)
    }

    private func run(_ processor: VoiceProcessor, _ sound: [Float]) throws -> [Float] {
        try EchoRun().run(near: sound, far: [], through: processor)
    }
}
