// SPDX-License-Identifier: MIT

import AudioKitLinuxTestSupport
import TestKit
import Testing

@testable import AudioKitLinux

/// The canceller that rests while nothing plays, beside one that never does.
@Suite("An echo canceller that rests") struct EchoRestTests {
    private static let second = 16_000
    private static let first = SyntheticRoom.babble(seconds: 4, seed: 1)
    private static let later = SyntheticRoom.babble(seconds: 3, seed: 2)
    /// When `later` begins: after 7 s without a sound of ours.
    private static let laterBegins = 11 * second
    /// A room with somebody in it, who speaks while nothing plays, and a microphone with an offset.
    private static let near: [Float] = {
        let far = first + [Float](repeating: 0, count: 7 * second) + later
        let echo = SyntheticRoom().echo(of: far)
        let noise = SyntheticRoom.noise(frames: echo.count, level: 0.0005, seed: 4)
        let voice = SyntheticRoom.babble(seconds: 4, seed: 3)
        return echo.indices.map { index in
            let said = index - 6 * second
            return echo[index] + noise[index] + 0.01 + (voice.indices.contains(said) ? voice[said] : 0)
        }
    }()

    private func run(rests: Bool) throws -> [Float] {
        let canceller = try SpeexEchoCanceller(rate: 16_000)
        canceller.mayRest = rests
        let processor = try VoiceProcessor(canceller: canceller)
        let told = 1_600
        let run = EchoRun(ahead: told)
        var generator = SeededGenerator(seed: 1)
        var left = Self.later[...]
        return try run.run(near: Self.near, far: Self.first, through: processor) { frame, _ in
            while !left.isEmpty, Self.laterBegins + left.startIndex < frame + 640 + told {
                let piece = left.prefix(320)
                left = left.dropFirst(320)
                #expect(throws: Never.self) {
                    try processor.playing(
                        AudioBuffer(samples: Array(piece), format: .speech),
                        audibleAt: run.instant(Double(Self.laterBegins + piece.startIndex) / 16_000, &generator))
                }
            }
        }
    }

    @Test func itLeavesNoTraceInTheSoundOrInWhatWasLearnt() throws {
        let (rested, tireless) = (try run(rests: true), try run(rests: false))
        // Only what rests is not rounded to 16 bit.
        #expect(rested[8 * Self.second..<9 * Self.second].contains { ($0 * 32_768).rounded() != $0 * 32_768 })
        // From two seconds after the first sound ended to the next one: the same sound.
        let error = (6 * Self.second..<Self.laterBegins).map { abs(rested[$0] - tireless[$0]) }.max() ?? 1
        #expect(error < 5 / 32_768, "\(error * 32_768) steps of 16 bit")
        for half in 0..<6 {
            let place = Self.laterBegins + half * Self.second / 2..<Self.laterBegins + (half + 1) * Self.second / 2
            let (least, reached) = (decibels(tireless[place]), decibels(rested[place]))
            #expect(reached <= max(least + 0.5, -75), "half second \(half): \(reached) dB, without a rest \(least) dB")
            if half > 1 { #expect(decibels(Self.near[place].map { $0 - 0.01 }) - reached > 15) }
        }
    }

    @Test func whatWasNeverPlayedLeavesNoTrace() throws {
        let canceller = try SpeexEchoCanceller(rate: 16_000)
        let sound = SyntheticRoom.babble(seconds: 2, seed: 5)
        let output = try EchoRun().run(near: sound, far: [], through: VoiceProcessor(canceller: canceller))
        #expect(abs(decibels(sound) - decibels(output)) < 0.5)
        #expect(output.contains { ($0 * 32_768).rounded() != $0 * 32_768 })
    }
}
