// SPDX-License-Identifier: MIT

import AudioKitLinux
import AudioKitLinuxTestSupport
import Foundation
import TestKit
import Testing

/// Real ALSA PCMs that need no hardware: the `null` and `file` plugins, by a configuration of their own.
@Suite struct ALSADeviceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func theNullDeviceTakesAndGivesSound() async throws {
        let device = AudioDevice.alsa("quiet", configuration: "pcm.quiet { type null }")
        let playback = try await AudioPlayback.start(device: device)
        try await playback.play(TestSignal.noise(frames: 16_000, seed: 1))
        try await playback.drain()
        #expect(playback.framesHeard == 16_000)
        #expect(await playback.firstFrameAudible() != nil)
        await playback.stop()
        let capture = try await AudioCapture.start(device: device)
        let buffers = try await collect(capture, frames: 3_200)
        await capture.stop()
        #expect(buffers.allSatisfy { AudioLevel(of: $0.buffer).peak == AudioLevel.floor })
        #expect(capture.statistics.dropped == 0)
    }

    @Test func theFileDeviceRecordsSampleForSample() async throws {
        let raw = folder.file("out.raw")
        let device = AudioDevice.alsa(
            "tape",
            configuration: """
                pcm.quiet { type null }
                pcm.tape { type file slave.pcm quiet file "\(raw)" format raw }
                """)
        let sound = TestSignal.noise(frames: 10_000, seed: 2)
        let playback = try await AudioPlayback.start(device: device)
        try await playback.play(sound)
        try await playback.drain()
        await playback.stop()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: raw))
        let samples = stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
        #expect(difference(samples, sound.int16Samples()) == nil)
    }

    @Test func theFileDevicePlaysIntoCapture() async throws {
        let sound = TestSignal.noise(frames: 3_200, seed: 3)
        let raw = try folder.write(
            sound.int16Samples().flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] },
            to: "in.raw")
        let device = AudioDevice.alsa(
            "tape",
            configuration: """
                pcm.quiet { type null }
                pcm.tape { type file slave.pcm quiet file "/dev/null" infile "\(raw)" format raw }
                """)
        let capture = try await AudioCapture.start(device: device)
        let heard = samples(of: try await collect(capture, frames: 3_200))
        await capture.stop()
        #expect(difference(heard.prefix(3_200), sound.int16Samples()) == nil)
    }

    @Test func aPlugConvertsRateAndChannels() async throws {
        let raw = folder.file("out.raw")
        let device = AudioDevice.alsa(
            "wide",
            configuration: """
                pcm.quiet { type null }
                pcm.tape { type file slave.pcm quiet file "\(raw)" format raw }
                pcm.wide { type plug slave { pcm tape format S16_LE rate 48000 channels 2 } }
                """)
        let playback = try await AudioPlayback.start(device: device)
        try await playback.play(TestSignal.sine(1_000, frames: 16_000))
        try await playback.drain()
        await playback.stop()
        let size = try #require(try FileManager.default.attributesOfItem(atPath: raw)[.size] as? Int)
        // One second of 48 kHz stereo, to within what the plugin keeps of the last period.
        #expect(abs(size - 192_000) < 192_000 / 20)
    }

    @Test func namesThatDoNotExistSayWhatToDo() async throws {
        for device in [
            AudioDevice.alsa("hw:17,0"), .alsa("no-such-device"), .alsa("x", configuration: "pcm.y { type null }"),
            .alsa("x", configuration: "pcm.x { type nonsense }"), .alsa("x", configuration: "{{{"),
        ] {
            let error = await #expect(throws: AudioError.self) { try await AudioCapture.start(device: device) }
            #expect(error?.code == .deviceNotFound || error?.code == .permission, "\(device)")
            #expect(error?.underlying?.isEmpty == false)
        }
    }

    @Test func aDefaultDeviceWorksOrSaysWhatToDo() async throws {
        do {
            let playback = try await AudioPlayback.start()
            await playback.stop()
        } catch {
            #expect([.deviceNotFound, .deviceBusy, .permission].contains(error.code))
            #expect(error.message.contains("\"default\""))
        }
    }

    @Test func anUnsuitableConfigurationIsRefused() async throws {
        let quiet = AudioDevice.alsa("quiet", configuration: "pcm.quiet { type null }")
        for configuration in [
            StreamConfiguration(format: AudioFormat(sampleRate: 0, channels: 1)),
            StreamConfiguration(format: AudioFormat(sampleRate: 16_000, channels: 0)),
            StreamConfiguration(period: .zero), StreamConfiguration(buffer: .milliseconds(20)),
        ] {
            let error = await #expect(throws: AudioError.self) {
                try await AudioCapture.start(device: quiet, configuration: configuration)
            }
            #expect(error?.code == .formatNotSupported)
        }
    }

    @Test func devicesAreListedByNameWithReadableDescriptions() throws {
        let devices = try AudioDevices.plugins()
        // ALSA's own configuration names the null device on every machine.
        let null = try #require(devices.first { $0.name == "null" })
        #expect(null.directions == [.capture, .playback])
        for device in devices {
            #expect(!device.name.isEmpty && !device.description.isEmpty)
            #expect(!device.description.contains("\n"))
        }
    }
}
