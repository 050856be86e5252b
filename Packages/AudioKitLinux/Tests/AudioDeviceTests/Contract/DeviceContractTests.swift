// SPDX-License-Identifier: MIT

internal import AudioDSP
import AudioKitLinux
import AudioKitLinuxTestSupport
import Testing

extension InTurn {
    /// What every device must do, whatever is behind it. No time of the test's own is looked at.
    @Suite(.serialized) struct DeviceContractTests {
        /// The device holds so much that whoever waits for a processor causes no gap.
        private let wide = StreamConfiguration(
            format: PulseDaemon.format, period: .milliseconds(20), buffer: .milliseconds(500), backlog: .seconds(60))

        @Test(arguments: DeviceUnderTest.Kind.present)
        func itOpensAndClosesAgainAndAgain(_ kind: DeviceUnderTest.Kind) async throws {
            let device = try await DeviceUnderTest(kind)
            for _ in 0..<5 {
                let capture = try await AudioCapture.start(device: device.capture, configuration: wide)
                let playback = try await AudioPlayback.start(device: device.playback, configuration: wide)
                #expect(playback.route == device.playback.name && capture.route == device.capture.name)
                await playback.stop()
                await capture.stop()
                await playback.stop()
                let error = await #expect(throws: AudioError.self) {
                    try await playback.play(AudioBuffer(silentFrames: 10, format: PulseDaemon.format))
                }
                #expect(error?.code == .closed)
            }
        }

        /// What the device has not is made up for: the stream has the caller's format.
        @Test(
            arguments: DeviceUnderTest.Kind.present,
            [AudioFormat.speech, AudioFormat(sampleRate: 44_100, channels: 2), AudioFormat(sampleRate: 48_000)])
        func itAgreesOnAnyFormat(_ kind: DeviceUnderTest.Kind, _ format: AudioFormat) async throws {
            let device = try await DeviceUnderTest(kind)
            let configuration = StreamConfiguration(format: format, buffer: .milliseconds(500), backlog: .seconds(60))
            let capture = try await AudioCapture.start(device: device.capture, configuration: configuration)
            let heard = try await collect(capture, frames: format.sampleRate / 5)
            await capture.stop()
            #expect(heard.allSatisfy { $0.buffer.format == format })
            let playback = try await AudioPlayback.start(device: device.playback, configuration: configuration)
            try await playback.play(
                TestSignal.sine(440, amplitude: 0.05, frames: format.sampleRate / 5, format: format))
            try await playback.drain()
            #expect(playback.framesHeard == format.sampleRate / 5)
            let error = await #expect(throws: AudioError.self) {
                try await playback.play(AudioBuffer(silentFrames: 10, format: AudioFormat(sampleRate: 12_345)))
            }
            #expect(error?.code == .formatNotSupported)
            await playback.stop()
        }

        @Test(arguments: DeviceUnderTest.Kind.present)
        func capturedFramesAreNumberedAndInOrder(_ kind: DeviceUnderTest.Kind) async throws {
            let device = try await DeviceUnderTest(kind)
            let capture = try await AudioCapture.start(device: device.capture, configuration: wide)
            let buffers = try await collect(capture, frames: 24_000)
            await capture.stop()
            var expected = 0
            for buffer in buffers {
                #expect(buffer.position == expected && buffer.buffer.frameCount > 0)
                expected = buffer.position + buffer.buffer.frameCount
            }
            // One without a clock, as ALSA's "null", is faster than anybody reads until it is known for one.
            if kind != .named { #expect(capture.statistics.lost == 0 && capture.statistics.xruns == 0) }
        }

        @Test(arguments: DeviceUnderTest.Kind.present)
        func everyFrameIsAccountedFor(_ kind: DeviceUnderTest.Kind) async throws {
            let device = try await DeviceUnderTest(kind)
            let playback = try await AudioPlayback.start(device: device.playback, configuration: wide)
            let sound = TestSignal.sine(440, amplitude: 0.05, frames: 12_000, format: PulseDaemon.format)
            for round in 0..<3 {
                #expect(try await playback.play(sound) == round * 24_000)
                #expect(try await playback.play(sound) == round * 24_000 + 12_000)
                try await playback.drain()
                #expect(playback.framesAccepted == (round + 1) * 24_000)
                #expect(playback.framesHeard == (round + 1) * 24_000)
                let first = try #require(await playback.audible(frame: round * 24_000))
                let last = try #require(await playback.audible(frame: round * 24_000 + 23_999))
                #expect(first < last)
            }
            #expect(playback.statistics.reopens == 0)
            await playback.stop()
        }

        @Test(arguments: DeviceUnderTest.Kind.present)
        func aFlushEndsTheSoundAndTheNextOnePlays(_ kind: DeviceUnderTest.Kind) async throws {
            let device = try await DeviceUnderTest(kind)
            let playback = try await AudioPlayback.start(device: device.playback, configuration: wide)
            let long = TestSignal.sine(440, amplitude: 0.05, frames: 480_000, format: PulseDaemon.format)
            let short = TestSignal.sine(880, amplitude: 0.05, frames: 9_600, format: PulseDaemon.format)
            for _ in 0..<2 {
                let first = try await playback.play(long)
                _ = await playback.audible(frame: first + 4_800)
                let before = playback.framesHeard
                await playback.flush()
                #expect(playback.framesHeard >= before)
                // A device without a clock may have played all of it by now.
                let heard = playback.framesHeard
                let next = try await playback.play(short)
                #expect(next == first + 480_000)
                try await playback.drain()
                #expect(playback.framesHeard >= heard + 9_600)
                #expect(await playback.audible(frame: next) != nil)
            }
            await playback.stop()
        }

        @Test(arguments: DeviceUnderTest.Kind.present)
        func aSecondStreamIsTakenOrRefusedAsBusy(_ kind: DeviceUnderTest.Kind) async throws {
            let device = try await DeviceUnderTest(kind)
            let playback = try await AudioPlayback.start(device: device.playback, configuration: wide)
            do {
                let second = try await AudioPlayback.start(device: device.playback, configuration: wide)
                await second.stop()
                #expect(device.isExclusive != true)
            } catch {
                #expect(error.code == .deviceBusy && device.isExclusive != false)
            }
            await playback.stop()
            let again = try await AudioPlayback.start(device: device.playback, configuration: wide)
            await again.stop()
        }

        /// A loop brings the sound back. A cable changes level and waveform a little; what is inside this machine does not, but a
        /// server that waits for a processor may run dry: then the sound is played again, five times at most.
        @Test(arguments: DeviceUnderTest.Kind.present)
        func aLoopBringsTheSoundBack(_ kind: DeviceUnderTest.Kind) async throws {
            let device = try await DeviceUnderTest(kind)
            guard device.isLoopback else { return }
            let capture = try await AudioCapture.start(device: device.capture, configuration: wide)
            let playback = try await AudioPlayback.start(device: device.playback, configuration: wide)
            var listener = LoopListener(capture)
            try await listener.hear(frames: 1)
            let wanted = kind == .named ? 0.5 : 0.999
            var best = 0.0
            for seed in 5..<10 as Range<UInt64> where best < wanted {
                let sound = LoopSound(frames: 48_000, seed: seed)
                let before = listener.heard.count
                try await playback.play(sound.buffer)
                try await playback.drain()
                // Some of what is heard next may be from before.
                let end = listener.heard.count + 6 * PulseDaemon.format.sampleRate
                best = 0
                while listener.heard.count < end, best < wanted {
                    try await listener.hear(frames: 24_000)
                    let heard = Array(listener.heard.dropFirst(before))
                    best = abs(CrossCorrelation.find(sound.samples, in: heard)?.similarity ?? 0)
                }
            }
            #expect(best >= wanted)
            await playback.stop()
            await capture.stop()
        }
    }
}
