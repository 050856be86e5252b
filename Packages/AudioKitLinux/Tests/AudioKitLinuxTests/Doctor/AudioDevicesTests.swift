// SPDX-License-Identifier: MIT
import AudioKitLinuxTestSupport
import Testing

@testable import AudioKitLinux

@Suite struct AudioDevicesTests {
    @Test func theListHasNoPluginsAndNoDoubles() throws {
        let devices = try AudioDevices.list()
        #expect(Set(devices.map(\.id)).count == devices.count)
        #expect(devices.allSatisfy { $0.kind != .plugin && !$0.description.isEmpty && !$0.directions.isEmpty })
        #expect(devices.isEmpty || devices.first?.id == "default")
        for device in devices { #expect(try AudioDevices.find(device.id) == device) }
        #expect(try AudioDevices.find("null")?.kind == .plugin)
        #expect(try AudioDevices.find("no-such-device") == nil)
    }

    @Test func `the default comes before the server's devices and the cards`() {
        let cards = [
            AudioCards.device(cardID: "PCH", cardName: "HDA", number: 0, name: "ALC257", [.capture, .playback]),
            AudioCards.device(cardID: "U", cardName: "Blue Snowball", number: 0, name: "", [.capture]),
        ]
        let served = SoundServer.parse("Sink #0\n\tName: a\n\tDescription: A\n", .playback)
        let plugins = ["null", "default"].map {
            AudioDeviceInfo(name: $0, description: "The \($0)", directions: [.capture, .playback])
        }
        let devices = AudioDevices.merged(cards: cards, served: served, hasServer: true, plugins: plugins)
        #expect(devices.map(\.id) == ["default", "pulse:a", "hw:CARD=PCH,DEV=0", "hw:CARD=U,DEV=0"])
        #expect(devices[0].description == "System default: The default" && devices[0].directions == [.playback])
        let alone = AudioDevices.merged(cards: cards, served: [], hasServer: false, plugins: [])
        #expect(alone.map(\.id) == ["default", "hw:CARD=PCH,DEV=0", "hw:CARD=U,DEV=0"])
        #expect(alone[0].description == "System default: Default" && alone[0].directions == [.capture, .playback])
        #expect(AudioDevices.merged(cards: [], served: [], hasServer: true, plugins: []).map(\.id) == ["default"])
        #expect(AudioDevices.merged(cards: [], served: [], hasServer: false, plugins: plugins).isEmpty)
    }

    @Test func aCardsDeviceHasAStableIdAndAReadableName() {
        let analog = AudioCards.device(
            cardID: "PCH", cardName: "HDA Intel PCH", number: 0, name: "ALC257 Analog", [.capture, .playback])
        #expect(analog.id == "hw:CARD=PCH,DEV=0" && analog.name == "plughw:CARD=PCH,DEV=0")
        #expect(analog.description == "HDA Intel PCH: ALC257 Analog" && analog.kind == .card)
        let plain = AudioCards.device(
            cardID: "U", cardName: "Blue Snowball", number: 0, name: "Blue Snowball", [.capture])
        #expect(plain.description == "Blue Snowball")
    }

    @Test func theServersDevicesAreRead() {
        let sinks = """
            Sink #0
            \tState: SUSPENDED
            \tName: alsa_output.pci-0000_00_1f.3.analog-stereo
            \tDescription: Built-in Audio Analog Stereo
            \tDriver: module-alsa-card.c
            \tProperties:
            \t\tdevice.description = "Built-in Audio Analog Stereo"
            \t\tName: not this one
            \tPorts:
            \t\tanalog-output-speaker: Speakers (type: Speaker, priority: 10000)

            Sink #3
            \tState: RUNNING
            \tName: bluez_output.AA_BB.1
            \tDescription: Köpfhörer "Zwei"

            """
        let devices = SoundServer.parse(sinks, .playback)
        #expect(devices.map(\.description) == ["Built-in Audio Analog Stereo", "Köpfhörer \"Zwei\""])
        #expect(
            devices.map(\.id) == ["pulse:alsa_output.pci-0000_00_1f.3.analog-stereo", "pulse:bluez_output.AA_BB.1"])
        #expect(devices.allSatisfy { $0.directions == [.playback] && $0.kind == .soundServer })
        let sources =
            "Source #1\n\tName: a.monitor\n\tDescription: Monitor of a\nSource #2\n\tName: mic\n\tDescription: Mic\n"
        #expect(SoundServer.parse(sources, .capture).map(\.id) == ["pulse:mic"])
        for cut in 0...sinks.count { _ = SoundServer.parse(String(sinks.prefix(cut)), .playback) }
    }

    @Test func theServerIsLookedForWhereItSays() {
        #expect(
            SoundServer.candidates(server: "unix:/a/b tcp:host:4713", runtimeFolder: "/run/user/1")
                == ["/a/b", "tcp:host:4713"])
        #expect(SoundServer.candidates(server: "{machine}unix:/a/b", runtimeFolder: nil) == ["/a/b"])
        #expect(SoundServer.candidates(server: nil, runtimeFolder: "/r").first == "/r/pulse/native")
    }

    @Test func capabilitiesComeFromTheDevice() throws {
        let quiet = AudioDevice.alsa("quiet", configuration: "pcm.quiet { type null }")
        let able = try AudioDevices.capabilities(of: quiet, .playback)
        #expect(able.sampleRates.contains(48_000) && able.channels.contains(2) && able.sampleFormats.contains("S16_LE"))
        #expect(able.includes(AudioFormat(sampleRate: 48_000, channels: 2)))
        let card = try VirtualCard.loopback()
        let own = try AudioDevices.capabilities(of: .virtual(card), .capture)
        #expect(own.sampleRates == [16_000] && !own.includes(AudioFormat(sampleRate: 48_000)))
        #expect(code { _ = try AudioDevices.capabilities(of: .alsa("hw:29"), .capture) } != nil)
    }

    @Test func aChildsOutputIsReadAndItsFailureIsNil() {
        #expect(ChildOutput.run("sh", ["-c", "echo $LC_ALL"]) == "C\n")
        #expect(ChildOutput.run("sh", ["-c", "echo x; exit 3"]) == nil)
        #expect(ChildOutput.run("no-such-program-here", []) == nil)
    }
}
