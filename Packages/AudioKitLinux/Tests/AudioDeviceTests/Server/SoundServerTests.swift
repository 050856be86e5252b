// SPDX-License-Identifier: MIT
import AudioKitLinux
import AudioKitLinuxTestSupport
import Testing

extension InTurn {
    /// Streams over a real sound server, PulseAudio with a null sink, through ALSA's plugin.
    @Suite(
        .serialized, .enabled(if: PulseDaemon.isInstalled, "pulseaudio is not installed: Scripts/bootstrap test"))
    struct SoundServerTests {
        let server: PulseDaemon
        private let configuration = StreamConfiguration(
            format: PulseDaemon.format, period: .milliseconds(5), buffer: .milliseconds(20), backlog: .seconds(20))
        let quick = AudioRecovery(
            reopens: true, firstDelay: .milliseconds(5), maximumDelay: .milliseconds(50), patience: .milliseconds(500))

        init() async throws { server = try await PulseDaemon() }

        @Test func startAndStopLeaveNothingBehind() async throws {
            for _ in 0..<3 { try await startAndStop() }
            let before = openDescriptors()
            for _ in 0..<100 { try await startAndStop() }
            // Other tests run at the same time and hold some of their own.
            #expect(openDescriptors() < before + 60)
        }

        private func startAndStop() async throws {
            let capture = try await AudioCapture.start(device: server.capture, configuration: configuration)
            let playback = try await AudioPlayback.start(device: server.playback, configuration: configuration)
            try await playback.play(TestSignal.noise(frames: 480, format: PulseDaemon.format, seed: 1))
            await playback.stop()
            await capture.stop()
        }

        @Test func aDeadServerIsATypedError() async throws {
            let capture = try await AudioCapture.start(device: server.capture, configuration: configuration)
            let playback = try await AudioPlayback.start(device: server.playback, configuration: configuration)
            try await playback.play(TestSignal.noise(frames: 480_000, format: PulseDaemon.format, seed: 2))
            _ = await playback.firstFrameAudible()
            server.kill()
            var error = await #expect(throws: AudioError.self) { for try await _ in capture.buffers {} }
            #expect(error?.code == .io || error?.code == .unplugged)
            error = await #expect(throws: AudioError.self) { try await playback.drain() }
            #expect(error?.code == .io || error?.code == .unplugged)
            await capture.stop()
            await playback.stop()
            await #expect(throws: AudioError.self) {
                try await AudioCapture.start(device: server.capture, configuration: configuration)
            }
        }

        @Test func aSuspendedLoudspeakerIsNoticed() async throws {
            let playback = try await AudioPlayback.start(
                device: server.playback, configuration: configuration, recovery: quick)
            let task = Task {
                try await playback.play(TestSignal.noise(frames: 96_000, format: PulseDaemon.format, seed: 4))
            }
            _ = await playback.firstFrameAudible()
            server.suspend(true)
            var isNoticed = false
            for await event in playback.events {
                if case .interruptionBegan(.deviceLost) = event { isNoticed = true }
                if isNoticed { break }
            }
            #expect(isNoticed)
            server.suspend(false)
            _ = try await task.value
            try await playback.drain()
            #expect(playback.framesHeard == 96_000 && playback.statistics.reopens > 0)
            await playback.stop()
        }
    }
}
