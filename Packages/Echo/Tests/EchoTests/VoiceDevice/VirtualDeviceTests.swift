// SPDX-License-Identifier: MIT
import AudioKitLinux
import AudioKitLinuxTestSupport
import Testing

@testable import Echo

/// A device over a virtual card, whose every frame is known.
@Suite struct VirtualDeviceTests {
    @Test func theMicrophoneHearsTheLoudspeakerSampleForSample() async throws {
        let card = try VirtualCard.loopback(format: .voice, speed: 4)
        let stream = try await ALSAVoiceDevice(card, .wide).open()
        let sound = TestSignal.noise(frames: 24_000, format: .voice, seed: 51)
        var log = DeviceLog()
        for first in stride(from: 0, to: 24_000, by: 2_400) { stream.play(sound.frames(first..<first + 2_400).pcm16) }
        try await log.read(stream) { $0.framesHeard == 24_000 }
        try await log.read(stream, frames: 4_800)
        #expect(find(sound.int16Samples(), in: log.sound) != nil)
        #expect(difference(card.recorded, sound) == nil)
        #expect(log.pieces.allSatisfy { $0 == devicePeriod })
        await stream.close()
        try await log.read(stream) { _ in false }
        #expect(log.hasFinished)
    }

    @Test func heardIsWhatTheCardPlayedAlsoAroundAFlush() async throws {
        let card = try VirtualCard.loopback(format: .voice)
        let stream = try await ALSAVoiceDevice(card, .wide).open()
        let first = TestSignal.noise(frames: 48_000, format: .voice, seed: 52)
        let second = TestSignal.noise(frames: 12_000, format: .voice, seed: 53)
        var log = DeviceLog()
        stream.play(first.pcm16)
        try await log.read(stream) { $0.framesHeard >= 10_000 }
        let heard = await stream.flush()
        #expect((10_000..<20_000).contains(heard))
        stream.play(second.pcm16)
        try await log.read(stream) { $0.framesHeard == heard + 12_000 }
        await stream.close()
        let played = card.recorded
        #expect(abs(played.frameCount - log.framesHeard) <= devicePeriod, "\(played.frameCount) \(log.framesHeard)")
        // The last 7 ms fade out.
        let loud = heard - 168
        #expect(difference(played.frames(0..<loud), first.frames(0..<loud)) == nil)
        #expect(difference(played.frames(played.frameCount - 12_000..<played.frameCount), second) == nil)
        // Told at each period, and never backwards.
        #expect(zip(log.heard, log.heard.dropFirst()).allSatisfy { $0 < $1 })
    }
}

extension ALSAVoiceDevice {
    /// Both on one card.
    init(_ card: VirtualCard, _ options: VoiceDeviceOptions) {
        self.init(capture: .virtual(card), playback: .virtual(card), options: options)
    }
}
