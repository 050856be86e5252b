// SPDX-License-Identifier: MIT
import AudioKitLinux
import AudioKitLinuxTestSupport
import TestKit
import Testing

@testable import Echo

/// The microphone's way in a room that is known exactly, on a clock of its own.
@Suite struct VoiceEarTests {
    private static let rate = SpeakingRoom.rate

    /// What came of a room.
    private struct Heard {
        var sound: [Float] = []
        /// When the user was said to begin and to end, in seconds.
        var began: [Double] = []
        var ended: [Double] = []

        init(_ room: SpeakingRoom, _ options: VoiceDeviceOptions) throws {
            var ear = try VoiceEar(options)
            try room.hear(with: &ear) { event, frame in
                switch event {
                case .captured(let bytes): sound += AudioBuffer(pcm16: bytes).samples
                case .voice(true): began.append(Double(frame) / Double(rate))
                case .voice(false): ended.append(Double(frame) / Double(rate))
                default: break
                }
            }
        }

        /// How loud it was between two seconds.
        func decibels(_ seconds: Range<Double>) -> Double { VoiceDeviceTests.decibels(part(sound, seconds)) }
    }

    private static func part(_ sound: [Float], _ seconds: Range<Double>) -> [Float] {
        let frames = Int(seconds.lowerBound * Double(rate))..<Int(seconds.upperBound * Double(rate))
        return Array(sound[frames.clamped(to: 0..<sound.count)])
    }

    /// The gate, with all of SpeexDSP before it or alone.
    private static func options(processed: Bool) -> VoiceDeviceOptions {
        var options = processed ? VoiceDeviceOptions() : .unprocessed
        options.gatesEcho = true
        return options
    }

    /// From the assistant's first word on, by whatever loudspeaker; its sound may be a quarter of a second late.
    @Test(arguments: [0.03, 0.3, 1] as [Float], [(true, 5), (false, 5), (false, 250)])
    func theAssistantNeverInterruptsItself(_ coupling: Float, _ way: (isProcessed: Bool, lateness: Int)) throws {
        var room = SpeakingRoom(far: SpeakingRoom.speech(seconds: 6, seed: 61, level: 0.2), coupling: coupling)
        room.lateness = .milliseconds(way.lateness)
        let heard = try Heard(room, Self.options(processed: way.isProcessed))
        #expect(heard.began.isEmpty)
        #expect(heard.decibels(0..<6) < -75, "\(decibels(room.microphone())) dB at the microphone")
    }

    /// A gap in a sound server moves the echo away from where the canceller has learned it.
    @Test(arguments: [200, 480, 4_800, -480])
    func anEchoThatMovesIsNotTakenForTheUser(_ later: Int) throws {
        var room = SpeakingRoom(far: SpeakingRoom.speech(seconds: 8, seed: 72, level: 0.2), coupling: 0.3)
        room.lateness = .milliseconds(25)
        room.jump = (4 * Self.rate, later)
        let heard = try Heard(room, Self.options(processed: true))
        #expect(heard.began.isEmpty)
        #expect(heard.decibels(0..<8) < -70)
    }

    @Test(arguments: [true, false])
    func theUserIsHeardOverTheAssistant(_ isProcessed: Bool) throws {
        let voice = SpeakingRoom.speech(seconds: 1, seed: 63, level: 0.3)
        var room = SpeakingRoom(far: SpeakingRoom.speech(seconds: 7, seed: 62, level: 0.2), coupling: 0.1)
        room.near = SpeakingRoom.placed(voice, at: 4 * Self.rate, of: 7 * Self.rate)
        var options = Self.options(processed: isProcessed)
        options.controlsGain = false
        let heard = try Heard(room, options)
        // A syllable takes 50 ms to become as loud as that.
        #expect(heard.began.first.map { (4.0...4.2).contains($0) } ?? false, "\(heard.began)")
        #expect(heard.ended.last.map { (5.0...5.6).contains($0) } ?? false, "\(heard.ended)")
        #expect(abs(heard.decibels(4.2..<5) - decibels(Self.part(room.near, 4.2..<5))) < 3)
        #expect(heard.decibels(1..<4) < -75)
        #expect(heard.decibels(6..<7) < -75)
    }

    @Test func theFirstMomentsAreKeptBack() throws {
        var room = SpeakingRoom(far: SpeakingRoom.speech(seconds: 2, seed: 64, level: 0.2), coupling: 0.1)
        room.near = SpeakingRoom.speech(seconds: 2, seed: 65, level: 0.4)
        let heard = try Heard(room, Self.options(processed: false))
        #expect(heard.decibels(0..<0.8) < -75)
    }

    /// Nobody pauses here, so that the echo goes on being taken for a voice for a while.
    @Test func aLouderRoomIsLearnedWithinSeconds() throws {
        var room = SpeakingRoom(far: SpeakingRoom.speech(seconds: 12, seed: 66, level: 0.2), coupling: 0.05)
        room.change = (5 * Self.rate, 0.5)
        let heard = try Heard(room, Self.options(processed: false))
        #expect(heard.began.allSatisfy { (5.0...7.0).contains($0) }, "\(heard.began)")
        #expect(heard.ended.allSatisfy { (5.0...7.0).contains($0) }, "\(heard.ended)")
        #expect(heard.decibels(7..<12) < -75)
    }

    @Test func afterAFlushEverythingPassesAsSoonAsTheRoomIsQuiet() throws {
        var room = SpeakingRoom(far: SpeakingRoom.speech(seconds: 4, seed: 67, level: 0.2), coupling: 0.1)
        room.flush = 2 * Self.rate
        room.near = SpeakingRoom.placed(
            SpeakingRoom.speech(seconds: 1.6, seed: 68, level: 0.01), at: Int(2.4 * 24_000), of: 4 * Self.rate)
        let heard = try Heard(room, Self.options(processed: false))
        let microphone = room.microphone()
        #expect(heard.decibels(1..<2.2) < -75)
        let after = AudioBuffer(samples: Self.part(microphone, 2.5..<4), format: .voice)
        #expect(difference(after.int16Samples(), integers(Self.part(heard.sound, 2.5..<4))) == nil)
    }

    @Test func withoutAnAssistantTheSoundIsLeftAsItIs() throws {
        var room = SpeakingRoom(far: [Float](repeating: 0, count: 2 * Self.rate))
        room.near = SpeakingRoom.speech(seconds: 2, seed: 69, level: 0.3)
        let heard = try Heard(room, Self.options(processed: false))
        let microphone = AudioBuffer(samples: room.microphone(), format: .voice)
        #expect(difference(integers(heard.sound), microphone.int16Samples()) == nil)
        #expect(heard.began.isEmpty)
    }

    /// The canceller and the suppressor alone: no gate hides what they leave.
    @Test func theCancellerTakesTheAssistantOutAndLeavesTheUser() throws {
        var room = SpeakingRoom(far: SpeakingRoom.speech(seconds: 7, seed: 70, level: 0.2), coupling: 0.3)
        room.near = SpeakingRoom.placed(
            SpeakingRoom.speech(seconds: 2, seed: 71, level: 0.3), at: 5 * Self.rate, of: 7 * Self.rate)
        var options = VoiceDeviceOptions()
        options.gatesEcho = false
        options.controlsGain = false
        let heard = try Heard(room, options)
        let enhancement = decibels(Self.part(room.microphone(), 3..<5)) - heard.decibels(3..<5)
        #expect(enhancement > 25, "\(enhancement) dB")
        #expect(abs(heard.decibels(5..<7) - decibels(Self.part(room.near, 5..<7))) < 3)
    }

    /// PulseAudio's null sink and its monitor: one clock, 400 ppm fast. The loudspeaker's instants look exact for a second at a
    /// time, and the microphone's are wrong by up to 3 ms.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `a server's instants teach no drift`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var room = SpeakingRoom(far: SpeakingRoom.speech(seconds: 9, seed: 73, level: 0.3), coupling: 1)
        room.playedError = { -4e-4 * Double($0) / Double(Self.rate) }
        let guesses = (0..<1_000).map { _ in Double.random(in: -0.003...0.003, using: &generator) }
        room.capturedError = { -4e-4 * Double($0) / Double(Self.rate) + guesses[$0 / devicePeriod] }
        var options = VoiceDeviceOptions.unprocessed
        options.cancelsEcho = true
        let heard = try Heard(room, options)
        let enhancement = decibels(Self.part(room.microphone(), 5..<9)) - heard.decibels(5..<9)
        #expect(enhancement > 25, "\(enhancement) dB, seed \(seed)")
    }

    private func integers(_ samples: [Float]) -> [Int16] {
        AudioBuffer(samples: samples, format: .voice).int16Samples()
    }
}
