// SPDX-License-Identifier: MIT
import AudioDSP
import AudioKitLinux
import AudioKitLinuxTestSupport
import Testing

@testable import Echo

/// The small values under the ear.
@Suite struct VoiceSoundTests {
    @Test func bytesAreSamplesAndBack() {
        let noise = TestSignal.noise(frames: 4_800, format: .voice, seed: 81)
        #expect(difference(AudioBuffer(pcm16: noise.pcm16), noise) == nil)
        #expect(AudioBuffer(pcm16: [0x34, 0x12, 0xFF, 0x7F, 0x00, 0x80]).int16Samples() == [0x1234, 0x7FFF, -0x8000])
        // Half a sample is not one.
        #expect(AudioBuffer(pcm16: [1, 0, 7]).int16Samples() == [1])
        #expect(AudioBuffer(pcm16: []).frameCount == 0)
    }

    @Test func theLoudspeakerRingsOnAndIsForgotten() {
        var heard = HeardSound()
        #expect(heard.envelope(from: at(0), to: at(20)) == 0)
        heard.follow(.playing(piece(level: 0.5, from: 100, milliseconds: 100)))
        #expect(heard.envelope(from: at(0), to: at(20)) == 0)
        #expect(heard.envelope(from: at(120), to: at(140)) == 0.25)
        // A little before and after it, the devices' delays being what they are.
        #expect(heard.envelope(from: at(40), to: at(60)) == 0.25)
        #expect(heard.envelope(from: at(220), to: at(240)) == 0.25)
        // 200 ms later by the doubt of 60 ms and 7 dB.
        let later = heard.envelope(from: at(400), to: at(420))
        #expect(abs(Decibels.ofPower(later / 0.25) + 7) < 0.1)
        #expect(heard.envelope(from: at(501), to: at(521)) == 0)
        #expect(heard.peak(from: at(100), to: at(150)) == 0.5)
        #expect(heard.peak(from: at(200), to: at(250)) == 0)
        heard.forget(before: at(2_201))
        #expect(heard.envelope(from: at(120), to: at(140)) == 0)
    }

    @Test func theLoudspeakersSoundIsRecognised() {
        var waveform = FarWaveform()
        let far = SpeakingRoom.speech(seconds: 1, seed: 83, level: 0.3)
        waveform.add(played: far)
        var isEcho = waveform.isEcho
        #expect(!isEcho)
        // A little of it from anywhere, quieter, and with noise.
        let noise = TestSignal.noise(frames: 1_440, format: .voice, seed: 84).samples
        for first in [7_777, 12_345, 20_000] {
            waveform.add(captured: (0..<1_440).map { 0.01 * far[first + $0] + 1e-5 * noise[$0] })
            isEcho = waveform.isEcho
            #expect(isEcho, "\(first)")
        }
        for seed in 85...94 as ClosedRange<UInt64> {
            waveform.add(captured: Array(SpeakingRoom.speech(seconds: 0.3, seed: seed, level: 0.3).suffix(1_440)))
            isEcho = waveform.isEcho
            #expect(!isEcho, "\(seed)")
        }
    }

    @Test func whatIsFlushedIsNotHeard() {
        var heard = HeardSound()
        heard.follow(.playing(piece(level: 0.5, from: 0, milliseconds: 1_000)))
        heard.follow(.flushed(at: at(500)))
        #expect(heard.peak(from: at(450), to: at(500)) == 0.5)
        #expect(heard.peak(from: at(500), to: at(1_000)) == 0)
    }

    @Test(arguments: [1, 7, 240, 480, 1_199, 1_200, 5_000])
    func levelsAreTwentyASecondHoweverTheSoundComes(_ length: Int) {
        let sound = TestSignal.noise(frames: 24_000, format: .voice, seed: 82).samples
        var meter = VoiceLevelMeter()
        var ends: [Int] = []
        var peaks: [Float] = []
        for first in stride(from: 0, to: sound.count, by: length) {
            let end = min(sound.count, first + length)
            for piece in meter.add(Array(sound[first..<end])) {
                ends.append(end - piece.framesAfter)
                peaks.append(piece.peak)
            }
        }
        #expect(ends == (1...20).map { $0 * 1_200 })
        let expected = (0..<20).map { part in sound[part * 1_200..<(part + 1) * 1_200].map { abs($0) }.max() ?? 0 }
        #expect(peaks == expected)
    }

    @Test func aLevelIsAPeakInDecibels() {
        #expect(VoiceLevelMeter.level(of: 0) == 0)
        #expect(VoiceLevelMeter.level(of: 1) == 1)
        #expect(VoiceLevelMeter.level(of: 2) == 1)
        #expect(abs(VoiceLevelMeter.level(of: 0.0316228) - 0.5) < 1e-4)
        #expect(VoiceLevelMeter.level(of: 0.0005) == 0)
    }

    @Test func noiseTakesTheSoundsPlaceWithoutAClick() {
        var noise = ComfortNoise()
        let tone = TestSignal.sine(400, amplitude: 0.5, frames: 2_400, format: .voice).samples
        let sound = noise.pass(tone, admits: true) + noise.pass(tone, admits: false) + noise.pass(tone, admits: true)
        #expect(difference(sound[0..<2_400], tone[...]) == nil)
        let quiet = sound[2_400 + 120..<4_800]
        #expect(quiet.allSatisfy { abs($0) <= 4.01 / 32_768 } && Set(quiet).count > 4)
        #expect(difference(sound[4_800 + 120..<7_200], tone[120...]) == nil)
        // No step is larger than the tone's own and the fade's.
        #expect(zip(sound, sound.dropFirst()).allSatisfy { abs($1 - $0) < 0.06 })
    }

    private let start = ContinuousClock.now

    private func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    private func piece(level: Float, from: Int, milliseconds: Int) -> PlayedPiece {
        PlayedPiece(
            buffer: AudioBuffer(samples: [Float](repeating: level, count: 24 * milliseconds), format: .voice),
            position: 0, audibleAt: at(from))
    }
}
