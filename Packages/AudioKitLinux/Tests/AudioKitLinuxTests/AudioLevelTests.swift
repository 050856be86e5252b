// SPDX-License-Identifier: MIT
import AudioKitLinux
import AudioKitLinuxTestSupport
import Testing

@Suite struct AudioLevelTests {
    @Test func silenceIsAtTheFloor() {
        for frames in [0, 100] {
            let level = AudioLevel(of: AudioBuffer(silentFrames: frames, format: .speech))
            #expect(level.rms == -120 && level.peak == -120 && level.clippedSamples == 0)
        }
    }

    @Test(arguments: [(1.0, 0.0), (0.5, -6.0206), (0.1, -20.0), (0.001, -60.0)])
    func aSineHasItsLevel(_ amplitude: Double, _ decibels: Double) {
        // 16 samples a turn, so that the top is among them.
        let level = AudioLevel(of: TestSignal.sine(1_000, amplitude: amplitude, frames: 16_000))
        #expect(abs(Double(level.peak) - decibels) < 0.01)
        #expect(abs(Double(level.rms) - (decibels - 3.0103)) < 0.01)
    }

    @Test func clippedSamplesAreCounted() {
        let level = AudioLevel(of: AudioBuffer(int16: [0, 32_767, -32_768, 32_766, -32_767], format: .speech))
        #expect(level.clippedSamples == 3)
        #expect(level.peak == 0)
    }

    @Test func whatIsNotANumberIsLeftOut() {
        let level = AudioLevel(of: AudioBuffer(samples: [.nan, 0.5, -0.5], format: .speech))
        #expect(abs(level.rms + 6.02) < 0.01)
        #expect(AudioLevel(of: AudioBuffer(samples: [2], format: .speech)).peak > 6)
    }
}
