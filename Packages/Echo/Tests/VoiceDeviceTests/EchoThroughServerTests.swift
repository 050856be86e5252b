// SPDX-License-Identifier: MIT
import AudioKitLinux
import AudioKitLinuxTestSupport
import Testing

@testable import Echo

extension VoiceDevicesInTurn {
    /// A loudspeaker whose sound comes back to the microphone in real time: a sound server's null sink and its monitor.
    @Suite(.serialized, .enabled(if: PulseDaemon.isInstalled)) struct EchoThroughServerTests {
        /// The number of tries. A gap in the server's sound moves the echo, and the canceller has to learn it anew. Of 16 runs
        /// in the build of the tests, 8 of them beside two busy processes, each reduced the echo by 36 to 46 dB.
        private static let tries = 6

        /// The canceller alone: no gate hides what it leaves.
        @Test func theAssistantIsTakenOutAndSomebodyElseIsNot() async throws {
            var options = VoiceDeviceOptions.unprocessed
            options.cancelsEcho = true
            options.buffer = .milliseconds(500)
            var figures: [String] = []
            for _ in 0..<Self.tries {
                let run = try await ServerRun(options)
                let rate = SpeakingRoom.rate
                let enhancement = decibels(run.far[6 * rate..<9 * rate]) - run.decibels(6...9)
                let voice = run.decibels(10...13)
                figures.append("echo reduced by \(enhancement) dB, somebody else at \(voice) dB")
                // Somebody else speaks for two of these three seconds.
                if enhancement > 25, abs(voice - decibels(run.near)) < 4 { return }
            }
            Issue.record("\(figures)")
        }

        /// Everything on. That no echo at all is taken for the user is proved on a clock of the test's own
        /// (`VoiceEarTests`); here a server that lets seconds slip may try again.
        @Test func theAssistantNeverInterruptsItselfAndSomebodyElseDoes() async throws {
            var options = VoiceDeviceOptions()
            options.buffer = .milliseconds(500)
            var figures: [String] = []
            for _ in 0..<Self.tries {
                let run = try await ServerRun(options)
                let began = run.log.voices.filter(\.isVoice).map(\.at)
                let second = try #require(run.places[10])
                figures.append(
                    "voices \(began.map { $0 - second }) frames after somebody else's, \(run.decibels(1...10)) dB before and"
                        + " \(run.decibels(10...13)) dB then")
                let isQuiet = began.allSatisfy { $0 >= second } && run.decibels(1...10) < -65
                if isQuiet, !began.isEmpty, run.decibels(10...13) > -40 { return }
            }
            Issue.record("\(figures)")
        }
    }
}

/// One conversation over a sound server: the assistant speaks for 14 seconds, and in the eleventh and twelfth somebody else.
private struct ServerRun {
    var log = DeviceLog()
    /// The captured frames when so many seconds of the assistant's had been heard.
    var places: [Int: Int] = [:]
    let far = SpeakingRoom.speech(seconds: 14, seed: 111, level: 0.3)
    let near = SpeakingRoom.speech(seconds: 2, seed: 112, level: 0.4)

    init(_ options: VoiceDeviceOptions) async throws {
        let daemon = try await PulseDaemon()
        let stream = try await ALSAVoiceDevice(
            capture: daemon.capture, playback: daemon.playback, options: options
        ).open()
        // The server's monitor has what any program plays.
        let person = try await AudioPlayback.start(
            device: daemon.playback,
            configuration: StreamConfiguration(format: .voice, buffer: .milliseconds(500), backlog: .seconds(60)))
        try await log.read(stream, frames: 2 * SpeakingRoom.rate)
        stream.play(AudioBuffer(samples: far, format: .voice).pcm16)
        for second in 1...14 {
            try await log.read(stream) { $0.framesHeard >= second * SpeakingRoom.rate }
            places[second] = log.sound.count
            if second == 10 { try await person.play(AudioBuffer(samples: near, format: .voice)) }
        }
        await person.stop()
        await stream.close()
    }

    /// How loud the captured sound was between two seconds of the assistant's.
    func decibels(_ seconds: ClosedRange<Int>) -> Double {
        let from = places[seconds.lowerBound] ?? 0
        let sound = log.sound[from..<max(from, places[seconds.upperBound] ?? 0)]
        return VoiceDeviceTests.decibels(sound.map { Float($0) / 32_768 })
    }
}
