// SPDX-License-Identifier: MIT
import AudioKitLinux
import AudioKitLinuxTestSupport
import Testing

/// Several periods at once.
@Suite("Capture that is gathered") struct GatherTests {
    private let wide = StreamConfiguration(period: .milliseconds(20), buffer: .milliseconds(320))

    /// The lengths of the buffers in frames, and their samples, while `periods` names how many are wanted after each.
    private func hear(
        _ card: VirtualCard, _ configuration: StreamConfiguration, _ periods: (_ heard: Int) -> Int
    ) async throws -> (lengths: [Int], sound: AudioBuffer) {
        let capture = try await AudioCapture.start(device: .virtual(card), configuration: configuration)
        var sound = AudioBuffer(samples: [], format: configuration.format)
        var lengths: [Int] = []
        for try await captured in capture.buffers {
            #expect(captured.position == sound.frameCount)
            lengths.append(captured.buffer.frameCount)
            sound.samples += captured.buffer.samples
            capture.gather(periods: periods(lengths.count))
        }
        await capture.stop()
        #expect(capture.statistics == StreamStatistics())
        return (lengths, sound)
    }

    @Test func asManyPeriodsAsAreWantedComeInOneBuffer() async throws {
        let sound = TestSignal.noise(frames: 48_000, seed: 21)
        let card = try VirtualCard(speed: 4, capture: .samples(sound), playback: nil)
        // Three periods one by one, then six at once, then one by one again.
        let (lengths, heard) = try await hear(card, wide) { $0 < 3 || $0 > 13 ? 1 : 6 }
        #expect(difference(heard.int16Samples().prefix(48_000), sound.int16Samples()) == nil)
        #expect(lengths.prefix(3) == [320, 320, 320])
        #expect(lengths[5..<14].allSatisfy { $0 == 1_920 }, "\(lengths)")
        #expect(lengths[16...].dropLast().allSatisfy { $0 == 320 }, "\(lengths)")
    }

    @Test func neverMoreThanHalfOfWhatTheDeviceHolds() async throws {
        let sound = TestSignal.noise(frames: 48_000, seed: 22)
        let card = try VirtualCard(speed: 4, capture: .samples(sound), playback: nil)
        let (lengths, _) = try await hear(card, wide) { _ in 1_000 }
        #expect(lengths.max() == 8 * 320, "\(lengths)")
        #expect(lengths.count < 48_000 / 320 / 4)
    }

    @Test func convertedSoundIsGatheredToo() async throws {
        let format = AudioFormat(sampleRate: 48_000)
        let sound = TestSignal.sine(440, frames: 144_000, format: format)
        let card = try VirtualCard(format: format, speed: 4, capture: .samples(sound), playback: nil)
        let (lengths, heard) = try await hear(card, wide) { _ in 5 }
        #expect(lengths.dropFirst(3).dropLast(2).allSatisfy { $0 == 1_600 }, "\(lengths)")
        #expect(abs(heard.frameCount - 48_000) < 100 + 16_000)
    }

    /// A strict card loses what is not fetched in time; a device that waits so long must not.
    @Test func nothingIsLostOnAStrictCard() async throws {
        let sound = TestSignal.noise(frames: 32_000, seed: 23)
        let card = try VirtualCard(capture: .samples(sound), playback: nil, timing: .strict)
        let generous = StreamConfiguration(period: .milliseconds(20), buffer: .seconds(1))
        let (_, heard) = try await hear(card, generous) { _ in 5 }
        #expect(difference(heard.int16Samples().prefix(32_000), sound.int16Samples()) == nil)
    }
}
