// SPDX-License-Identifier: MIT

import AudioKitLinuxTestSupport
import Testing

@testable import AudioKitLinux

extension InTurn {
    /// The volume of a sound server's loudspeaker, and devices without one.
    @Suite(.enabled(if: PulseDaemon.isInstalled), .timeLimit(.minutes(5))) struct OutputMixerTests {
        @Test func `the server has the volume that was set`() async throws {
            let server = try await PulseDaemon()
            let mixer = OutputMixer(server.playback)
            for percent in [0, 33, 100, 70] {
                #expect(try mixer.change { $0.percent = percent } == OutputVolume(percent: percent))
                let heard = try await server.volume()
                #expect(heard.percent == percent)
            }
            #expect(try mixer.change { $0.isMuted = true } == OutputVolume(percent: 70, isMuted: true))
            #expect(try await server.volume() == (70, true))
            #expect(try mixer.volume() == OutputVolume(percent: 70, isMuted: true))
            #expect(try mixer.change { $0 = OutputVolume(percent: 200) } == OutputVolume(percent: 100))
            #expect(try await server.volume() == (100, false))
        }

        @Test func `a server that is gone is an error that says so`() async throws {
            let server = try await PulseDaemon()
            let mixer = OutputMixer(server.playback)
            server.kill()
            let error = #expect(throws: AudioError.self) { _ = try mixer.volume() }
            #expect(error?.code == .deviceNotFound)
        }

        @Test func `files and unknown devices have no volume`() throws {
            let file = AudioDevice.virtual(try VirtualCard.loopback())
            for device in [file, .alsa("no-such-device")] {
                let error = #expect(throws: AudioError.self) { _ = try OutputMixer(device).volume() }
                #expect(error?.code == .deviceNotFound)
            }
        }

        @Test(arguments: [
            ("default", "default"), ("pulse", "pulse"), ("plughw:CARD=PCH,DEV=0", "hw:CARD=PCH"), ("hw:1,0", "hw:1"),
            ("sysdefault:CARD=PCH", "hw:CARD=PCH"), ("hw:", "hw:"), ("plughw:0", "hw:0"),
        ])
        func `the mixer of a card is the one of its number`(_ pcm: String, _ control: String) {
            #expect(OutputMixer.controlName(of: pcm) == control)
        }
    }
}
