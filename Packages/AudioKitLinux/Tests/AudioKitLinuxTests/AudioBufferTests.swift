// SPDX-License-Identifier: MIT
import AudioKitLinux
import Testing

@Suite struct AudioBufferTests {
    private let stereo = AudioFormat(sampleRate: 48_000, channels: 2)

    @Test func floatsAreRoundedAndClamped() {
        let buffer = AudioBuffer(
            samples: [0, 1, -1, 2, -2, 0.5, 1.4 / 32768, 1.6 / 32768, -1.6 / 32768, .nan, .infinity, -.infinity],
            format: .speech)
        #expect(
            buffer.int16Samples() == [0, 32_767, -32_768, 32_767, -32_768, 16_384, 1, 2, -2, 0, 32_767, -32_768])
    }

    @Test func framesAndDurationFollowTheFormat() {
        let buffer = AudioBuffer(silentFrames: 4_800, format: stereo)
        #expect(buffer.samples.count == 9_600)
        #expect(buffer.frameCount == 4_800)
        #expect(buffer.duration == .milliseconds(100))
        #expect(stereo.frames(in: .milliseconds(20)) == 960)
        #expect(stereo.frames(in: .seconds(3_600)) == 172_800_000)
        #expect(stereo.duration(ofFrames: 172_800_000) == .seconds(3_600))
        #expect(stereo.frames(in: .seconds(Int64.max)) > 1 << 60)
        #expect(stereo.frames(in: .seconds(Int64.min)) < 0)
        #expect(stereo.description == "48000 Hz, 2 channels")
    }

    @Test func channelsAreMixedAndSpread() {
        let buffer = AudioBuffer(samples: [0.5, 0.25, -1, 1], format: stereo)
        #expect(buffer.mixedToMono() == AudioBuffer(samples: [0.375, 0], format: AudioFormat(sampleRate: 48_000)))
        #expect(buffer.mixedToMono().withChannels(3).samples == [0.375, 0.375, 0.375, 0, 0, 0])
        #expect(buffer.withChannels(2) == buffer)
    }

    @Test func aPartIsClampedToTheBuffer() {
        let buffer = AudioBuffer(samples: [0, 1, 2, 3, 4, 5], format: stereo)
        #expect(buffer.frames(1..<3).samples == [2, 3, 4, 5])
        #expect(buffer.frames(2..<9).samples == [4, 5])
        #expect(buffer.frames(7..<9).samples.isEmpty)
    }
}
