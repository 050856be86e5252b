// SPDX-License-Identifier: MIT
import AudioKitLinux
import AudioKitLinuxTestSupport
import Testing

/// Several periods at once.
@Suite("Capture that is gathered") struct GatherTests {
    /// With so little room between device and consumer, the device waits when the consumer gets no processor.
    private let narrow = StreamConfiguration(period: .milliseconds(20), buffer: .milliseconds(320), backlog: .zero)

    /// The lengths of the buffers in frames, and their samples, while `periods` names how many are wanted after these.
    private func hear(
        _ card: VirtualCard, _ configuration: StreamConfiguration, _ periods: (_ lengths: [Int]) -> Int
    ) async throws -> (lengths: [Int], sound: AudioBuffer) {
        let capture = try await AudioCapture.start(device: .virtual(card), configuration: configuration)
        var sound = AudioBuffer(samples: [], format: configuration.format)
        var lengths: [Int] = []
        for try await captured in capture.buffers {
            #expect(captured.position == sound.frameCount)
            lengths.append(captured.buffer.frameCount)
            sound.samples += captured.buffer.samples
            capture.gather(periods: periods(lengths))
        }
        await capture.stop()
        #expect(capture.statistics == StreamStatistics())
        return (lengths, sound)
    }

    @Test func asManyPeriodsAsAreWantedComeInOneBuffer() async throws {
        let sound = TestSignal.noise(frames: 160_000, seed: 21)
        let card = try VirtualCard(speed: 10, capture: .samples(sound), playback: nil)
        // Three periods one by one, then six at once twelve times, then one by one again.
        let (lengths, heard) = try await hear(card, narrow) { lengths in
            lengths.count < 3 || lengths.count(where: { $0 == 1_920 }) >= 12 ? 1 : 6
        }
        #expect(difference(heard.int16Samples().prefix(160_000), sound.int16Samples()) == nil)
        #expect(lengths.prefix(3) == [320, 320, 320])
        #expect(lengths.dropLast().allSatisfy { $0 == 320 || $0 == 1_920 }, "\(lengths)")
        #expect(lengths.count { $0 == 1_920 } >= 12, "\(lengths)")
        #expect(lengths.dropLast().suffix(20).allSatisfy { $0 == 320 }, "\(lengths)")
    }

    @Test func neverMoreThanHalfOfWhatTheDeviceHolds() async throws {
        let sound = TestSignal.noise(frames: 160_000, seed: 22)
        let card = try VirtualCard(speed: 10, capture: .samples(sound), playback: nil)
        let (lengths, _) = try await hear(card, narrow) { _ in 1_000 }
        #expect(lengths.max() == 8 * 320, "\(lengths)")
        #expect(lengths.count < 160_000 / 320 / 2)
    }

    @Test func convertedSoundIsGatheredToo() async throws {
        let format = AudioFormat(sampleRate: 48_000)
        let sound = TestSignal.sine(440, frames: 480_000, format: format)
        let card = try VirtualCard(format: format, speed: 10, capture: .samples(sound), playback: nil)
        let (lengths, heard) = try await hear(card, narrow) { _ in 5 }
        #expect(lengths.dropLast(2).suffix(20).allSatisfy { $0 == 1_600 }, "\(lengths)")
        #expect(abs(heard.frameCount - 160_000) < 100 + 16_000)
    }

    /// A strict card loses what is not fetched in time.
    @Test func nothingIsLostOnAStrictCard() async throws {
        let sound = TestSignal.noise(frames: 32_000, seed: 23)
        let card = try VirtualCard(capture: .samples(sound), playback: nil, timing: .strict)
        let generous = StreamConfiguration(period: .milliseconds(20), buffer: .seconds(6))
        let (_, heard) = try await hear(card, generous) { _ in 5 }
        #expect(difference(heard.int16Samples().prefix(32_000), sound.int16Samples()) == nil)
    }
}
