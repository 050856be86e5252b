// SPDX-License-Identifier: MIT
import AudioKitLinux
import AudioKitLinuxTestSupport
import Testing

@testable import Echo

/// What is on a sound server runs one after the other: the first seconds of each take all that the machine has.
@Suite(.serialized) struct VoiceDevicesInTurn {}

extension VoiceDevicesInTurn {
    /// What every device must do, whatever is behind it. No time of the test's own is looked at.
    @Suite(.serialized) struct VoiceDeviceContractTests {
        @Test(arguments: VoiceDeviceUnderTest.Kind.present)
        func itOpensAndClosesAgainAndAgain(_ kind: VoiceDeviceUnderTest.Kind) async throws {
            let subject = try await VoiceDeviceUnderTest(kind)
            for _ in 0..<3 {
                let stream = try await subject.device.open()
                var log = DeviceLog()
                try await log.read(stream) { !$0.statuses.isEmpty }
                #expect(log.statuses.first?.status == .listening && log.sound.isEmpty)
                #expect(await stream.flush() == 0)
                await stream.close()
                await stream.close()
                try await log.read(stream) { _ in false }
                #expect(log.hasFinished && log.framesHeard == 0)
                // To no avail, and harmless.
                stream.play([1, 2, 3, 4])
                await stream.setMuted(true)
                #expect(await stream.flush() == 0)
            }
        }

        @Test(arguments: VoiceDeviceUnderTest.Kind.present)
        func allThatIsPlayedIsHeard(_ kind: VoiceDeviceUnderTest.Kind) async throws {
            let subject = try await VoiceDeviceUnderTest(kind)
            let stream = try await subject.device.open()
            var log = DeviceLog()
            let sound = TestSignal.sine(440, amplitude: 0.05, frames: 2_400, format: .voice).pcm16
            for round in 1...2 {
                for _ in 0..<10 { stream.play(sound) }
                stream.play([])
                try await log.read(stream) { $0.framesHeard == round * 24_000 }
            }
            await stream.close()
            #expect(!log.hasFinished && log.framesHeard == 48_000)
            #expect(zip(log.heard, log.heard.dropFirst()).allSatisfy { $0 < $1 })
        }

        @Test(arguments: VoiceDeviceUnderTest.Kind.present)
        func whatIsFlushedIsNotCounted(_ kind: VoiceDeviceUnderTest.Kind) async throws {
            let subject = try await VoiceDeviceUnderTest(kind)
            let stream = try await subject.device.open()
            var log = DeviceLog()
            let sound = TestSignal.sine(440, amplitude: 0.05, frames: 12_000, format: .voice).pcm16
            var before = 0
            for _ in 0..<2 {
                for _ in 0..<40 { stream.play(sound) }
                try await log.read(stream) { $0.framesHeard >= before + 9_600 }
                let heard = await stream.flush()
                #expect(heard >= before + 9_600 && heard < before + 480_000)
                #expect(await stream.flush() == heard)
                // What was told by then, and nothing more before there is something to hear.
                try await log.read(stream, frames: 9_600)
                #expect(log.framesHeard == heard)
                stream.play(sound)
                try await log.read(stream) { $0.framesHeard >= heard + 12_000 }
                #expect(log.framesHeard == heard + 12_000)
                before = heard + 12_000
            }
            await stream.close()
        }

        @Test(arguments: VoiceDeviceUnderTest.Kind.present)
        func soundComesInPiecesWithItsLevels(_ kind: VoiceDeviceUnderTest.Kind) async throws {
            let subject = try await VoiceDeviceUnderTest(kind)
            let stream = try await subject.device.open()
            var log = DeviceLog()
            try await log.read(stream, frames: 24_000)
            // The last piece's levels come behind it.
            try await log.read(stream) { $0.pieces.count > 51 }
            await stream.close()
            #expect(log.pieces.dropLast().allSatisfy { (1...devicePeriod).contains($0) })
            #expect(log.levels.count == log.sound.count / 1_200 || log.levels.count == (log.sound.count - 480) / 1_200)
            #expect(log.levels.allSatisfy { (0...1).contains($0.input) && $0.output == 0 })
        }

        @Test(arguments: VoiceDeviceUnderTest.Kind.present)
        func aClosedMicrophoneHearsNothing(_ kind: VoiceDeviceUnderTest.Kind) async throws {
            let subject = try await VoiceDeviceUnderTest(kind)
            let stream = try await subject.device.open()
            var log = DeviceLog()
            try await log.read(stream, frames: 4_800)
            await stream.setMuted(true)
            // A second and a half of the microphone's clock goes by.
            try await log.read(stream) { $0.levels.count > 30 + $0.sound.count / 1_200 }
            await stream.setMuted(false)
            try await log.read(stream) { $0.statuses.count == 3 }
            try await log.read(stream, frames: 4_800)
            await stream.close()
            #expect(log.statuses.map(\.status) == [.listening, .muted, .listening])
            #expect(log.statuses[1].at == log.statuses[2].at)
        }

        /// Whoever plays and whoever flushes need not know of each other.
        @Test(arguments: VoiceDeviceUnderTest.Kind.present)
        func playingAndFlushingAtOnceLosesNoAccount(_ kind: VoiceDeviceUnderTest.Kind) async throws {
            let subject = try await VoiceDeviceUnderTest(kind)
            let stream = try await subject.device.open()
            let sound = TestSignal.sine(440, amplitude: 0.05, frames: 2_400, format: .voice).pcm16
            let answers = await withTaskGroup(of: Int?.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        if number % 4 == 3 { return await stream.flush() }
                        stream.play(sound)
                        return nil
                    }
                }
                var answers: [Int] = []
                for await answer in group { if let answer { answers.append(answer) } }
                return answers
            }
            #expect(answers.count == 10)
            let heard = await stream.flush()
            #expect(heard >= answers.max() ?? 0 && heard <= 30 * 2_400)
            var log = DeviceLog()
            stream.play(sound)
            try await log.read(stream) { $0.framesHeard >= heard + 2_400 }
            #expect(log.framesHeard == heard + 2_400)
            await stream.close()
        }
    }
}
