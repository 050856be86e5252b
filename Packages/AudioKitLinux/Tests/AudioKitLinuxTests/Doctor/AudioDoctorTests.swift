// SPDX-License-Identifier: MIT
import Testing

@testable import AudioKitLinux

@Suite struct AudioDoctorTests {
    private let stereo = AudioCapabilities(
        sampleRates: [44_100, 48_000], rateRange: 44_100...48_000, channels: 2...2, sampleFormats: ["S16_LE"])

    @Test func aWorkingDeviceHasNoProblem() {
        let device = AudioDevice.alsa("quiet", configuration: "pcm.quiet { type null }")
        for direction in AudioDirection.allCases {
            let diagnosis = AudioDoctor.examine(device, direction)
            #expect(diagnosis.isHealthy && diagnosis.device == "quiet", "\(diagnosis.problems)")
            #expect(diagnosis.capabilities?.includes(.speech) == true)
        }
    }

    /// Real ALSA PCMs that cannot be used, with the real files of this machine.
    @Test func realFailuresAreNamed() throws {
        let missing = AudioDoctor.examine(.alsa("hw:CARD=Nowhere"), .playback)
        #expect([.unplugged, .permission].contains(missing.problems.first?.code))
        let number = AudioDoctor.examine(.alsa("hw:29,0"), .capture)
        #expect([.notFound, .permission].contains(number.problems.first?.code))
        #expect(AudioDoctor.examine(.alsa("nonsense"), .capture).problems.first?.code == .notFound)
        let narrow = AudioDevice.alsa(
            "narrow",
            configuration: """
                pcm.quiet { type null }
                pcm.narrow { type linear slave { pcm quiet format S16_LE } }
                """)
        let wide = AudioFormat(sampleRate: 16_000, channels: 1)
        #expect(AudioDoctor.examine(narrow, .playback, format: wide).capabilities != nil)
        for diagnosis in [missing, number] {
            #expect(diagnosis.capabilities == nil && !diagnosis.isHealthy)
            #expect(diagnosis.problems.allSatisfy { $0.sentence.hasSuffix(".") })
        }
    }

    @Test func aVirtualCardIsJudgedByItsFormat() throws {
        let card = try VirtualCard.loopback(format: AudioFormat(sampleRate: 48_000))
        #expect(AudioDoctor.examine(.virtual(card), .capture).problems.map(\.code) == [.wrongFormat])
        #expect(AudioDoctor.examine(.virtual(card), .capture, format: card.format).isHealthy)
    }

    @Test func aBusyDeviceNamesItsHolder() {
        var findings = DoctorFindings(device: "hw:0,0", direction: .playback, format: .speech)
        findings.failure = AudioError(.deviceBusy, "busy")
        #expect(findings.problems.first?.code == .busy)
        #expect(findings.problems.first?.sentence.contains("another user") == true)
        findings.holders = [.init(process: 77, name: "firefox"), .init(process: 78, name: "mpv")]
        #expect(findings.problems.first?.sentence.contains("firefox (process 77), mpv (process 78)") == true)
    }

    @Test func whyADeviceIsNotThere() {
        func codes(_ name: String, _ change: (inout DoctorFindings) -> Void = { _ in }) -> [AudioDiagnosis.Problem.Code]
        {
            var findings = DoctorFindings(device: name, direction: .playback, format: .speech)
            findings.failure = AudioError(.deviceNotFound, "not there")
            change(&findings)
            return findings.problems.map(\.code)
        }
        #expect(codes("default") == [.noSoundServer])
        #expect(codes("pulse:sink") == [.noSoundServer])
        #expect(codes("default") { $0.hasSoundServer = true } == [.notFound])
        #expect(codes("hw:CARD=USB") == [.unplugged])
        #expect(codes("hw:3,0") == [.notFound])
        #expect(codes("hw:CARD=USB") { $0.cards = [.init(number: 3, id: "USB", name: "x")] } == [.notFound])
        #expect(codes("hw:3,0") { $0.nodes = .forbidden } == [.permission])
        #expect(codes("hw:3,0") { $0.failure = AudioError(.permission, "no") } == [.permission])
        #expect(codes("hw:3,0") { $0.failure = AudioError(.unplugged, "gone.") } == [.unplugged])
        #expect(codes("hw:3,0") { $0.failure = AudioError(.io, "disk.") } == [.other])
    }

    @Test func formatsThatDoNotFitAreNamed() throws {
        var findings = DoctorFindings(device: "hw:0,0", direction: .playback, format: .speech)
        findings.capabilities = stereo
        let problem = try #require(findings.problems.first)
        #expect(problem.code == .wrongFormat)
        #expect(problem.sentence.contains("44100, 48000 Hz, not 16000") && problem.sentence.contains("plughw:0,0"))
        var fitting = DoctorFindings(
            device: "hw:0,0", direction: .playback, format: AudioFormat(sampleRate: 48_000, channels: 2))
        fitting.capabilities = stereo
        #expect(fitting.problems.isEmpty)
    }

    @Test func mutedAndSilentControlsAreNamed() {
        func problem(_ direction: AudioDirection, _ mixer: [MixerControl]) -> String {
            var findings = DoctorFindings(device: "hw:0,0", direction: direction, format: .speech)
            findings.mixer = mixer
            return findings.problems.map { "\($0.code.rawValue) \($0.sentence.split(separator: "\"")[1])" }.joined()
        }
        let master = MixerControl(name: "Master", isOn: true, volume: 0.5)
        let off = MixerControl(name: "Speaker", isOn: false, volume: 0.5)
        #expect(problem(.playback, [master]).isEmpty)
        #expect(problem(.playback, [MixerControl(name: "Master", isOn: false, volume: 1)]) == "muted Master")
        #expect(problem(.playback, [master, MixerControl(name: "PCM", isOn: nil, volume: 0)]) == "silent PCM")
        #expect(problem(.playback, [master, off]) == "muted Speaker")
        #expect(problem(.playback, [master, off, MixerControl(name: "Headphone", isOn: true, volume: 0.7)]).isEmpty)
        #expect(problem(.capture, [MixerControl(name: "Capture", isOn: false, volume: 1)]) == "muted Capture")
        #expect(problem(.capture, [MixerControl(name: "Mic", isOn: true, volume: 0)]) == "silent Mic")
        #expect(problem(.capture, [MixerControl(name: "Beep", isOn: false, volume: 0)]).isEmpty)
    }

    @Test func emptySocketsAreNamed() {
        func codes(
            _ name: String, _ direction: AudioDirection, _ jacks: [(String, Bool)], _ mixer: [MixerControl] = []
        ) -> [AudioDiagnosis.Problem.Code] {
            var findings = DoctorFindings(device: name, direction: direction, format: .speech)
            findings.jacks = jacks.map { JackState(name: $0.0, isPluggedIn: $0.1) }
            findings.mixer = mixer
            return findings.problems.map(\.code)
        }
        let empty = [("Headphone Jack", false), ("Mic Jack", false), ("HDMI/DP,pcm=3 Jack", false)]
        #expect(codes("hw:0,0", .playback, empty) == [.nothingPluggedIn])
        #expect(codes("hw:0,0", .capture, empty) == [.nothingPluggedIn])
        #expect(codes("hw:0,3", .playback, empty) == [.nothingPluggedIn])
        #expect(
            codes("hw:0,3", .playback, [("Headphone Jack", true), ("HDMI/DP,pcm=3 Jack", false)]) == [.nothingPluggedIn]
        )
        #expect(codes("hw:0,0", .playback, [("Headphone Jack", true)]).isEmpty)
        #expect(codes("hw:0,0", .playback, empty + [("Speaker Phantom Jack", true)]).isEmpty)
        #expect(codes("hw:0,0", .playback, empty, [MixerControl(name: "Speaker", isOn: true, volume: 1)]).isEmpty)
        #expect(codes("hw:0,0", .capture, empty + [("Internal Mic Phantom Jack", true)]).isEmpty)
        #expect(codes("hw:0,0", .playback, []).isEmpty)
    }
}
