// SPDX-License-Identifier: MIT
import AudioDSP
import TestKit
import Testing

@testable import Echo

/// The gate on powers alone.
@Suite struct BargeInGateTests {
    private static let piece = 0.02

    /// A gate that has heard the assistant for two seconds, its echo `share` (decibels) of what was played.
    private func taught(share: Double = -20, noise: Double = 1e-9) -> BargeInGate {
        var gate = BargeInGate()
        for _ in 0..<20 { _ = gate.judge(.init(power: noise, played: 0, seconds: Self.piece)) }
        for _ in 0..<100 {
            _ = gate.judge(.init(power: noise + 0.01 * power(share), played: 0.01, seconds: Self.piece))
        }
        return gate
    }

    private func power(_ decibels: Double) -> Double { Decibels.power(decibels) }

    @Test func itKnowsNothingAtFirstAndLetsNothingThrough() {
        var gate = BargeInGate()
        for _ in 0..<41 {
            #expect(
                gate.judge(.init(power: 1, played: 0.01, seconds: Self.piece)) == .init(admits: false, isVoice: false))
        }
        #expect(gate.expectedShare == nil)
        for _ in 0..<4 { _ = gate.judge(.init(power: 1, played: 0.01, seconds: Self.piece)) }
        #expect(gate.expectedShare != nil)
    }

    @Test func itLearnsTheLoudestOfTheEcho() throws {
        var gate = BargeInGate()
        // One piece of ten is 10 dB louder than the others; the smoothing spreads it.
        for number in 0..<150 {
            _ = gate.judge(.init(power: 0.01 * power(number % 10 == 0 ? -20 : -30), played: 0.01, seconds: Self.piece))
        }
        let share = try #require(gate.expectedShare)
        #expect((-25.0 ... -19.0).contains(share))
    }

    @Test(arguments: [(5.0, false), (7.5, true)])
    func onlyWhatIsClearlyLouderPasses(_ louder: Double, _ passes: Bool) {
        var gate = taught()
        var last = BargeInGate.Judgement(admits: false, isVoice: false)
        for _ in 0..<10 {
            last = gate.judge(.init(power: 0.01 * power(-20 + louder), played: 0.01, seconds: Self.piece))
        }
        #expect(last == .init(admits: passes, isVoice: passes))
    }

    @Test func aVoiceBeginsWithin100MillisecondsAndEndsAfterAPause() throws {
        var gate = taught()
        let loud = (1...10).first { _ in gate.judge(.init(power: 0.001, played: 0.01, seconds: Self.piece)).isVoice }
        #expect(try #require(loud) <= 5)
        // The assistant is silenced by it; the user goes on, and pauses for less than what ends it.
        for number in 0..<60 {
            let isPause = number % 20 > 12
            #expect(
                gate.judge(.init(power: isPause ? 1e-9 : 0.001, played: 0, seconds: Self.piece)).isVoice, "\(number)")
        }
        let quiet = (1...60).first { _ in !gate.judge(.init(power: 1e-9, played: 0, seconds: Self.piece)).isVoice }
        #expect((20...35).contains(try #require(quiet)))
    }

    /// A canceller that errs for a moment leaves more than it does mostly, and far less than of a voice.
    @Test(arguments: [(-20.0, false), (-10.0, true)])
    func whatTheCancellerTakesAwayIsNoVoice(_ left: Double, _ isVoice: Bool) {
        var gate = taught(share: -60)
        var last = BargeInGate.Judgement(admits: false, isVoice: false)
        for _ in 0..<10 {
            last = gate.judge(.init(power: 0.001 * power(left), raw: 0.001, played: 0.01, seconds: Self.piece))
        }
        #expect(last.isVoice == isVoice)
    }

    @Test func aPieceThatIsLouderPassesAndIsNoVoice() {
        var gate = taught()
        #expect(gate.judge(.init(power: 0.1, played: 0.01, seconds: Self.piece)) == .init(admits: true, isVoice: false))
    }

    @Test func theUserAloneAlwaysPassesAndIsNotSpokenOf() {
        var gate = BargeInGate()
        for number in 0..<200 {
            let judgement = gate.judge(.init(power: number % 3 == 0 ? 0.1 : 1e-7, played: 0, seconds: Self.piece))
            #expect(judgement == .init(admits: true, isVoice: false))
        }
    }

    @Test func steadyNoiseIsNoVoice() {
        // As loud as the echo, and there all the time.
        var gate = taught(share: -20, noise: 1e-4)
        for _ in 0..<200 {
            #expect(!gate.judge(.init(power: 2e-4, played: 0.01, seconds: Self.piece)).isVoice)
            #expect(!gate.judge(.init(power: 1e-4, played: 2e-6, seconds: Self.piece)).isVoice)
        }
    }

    /// Somebody turns the volume up by 20 dB: the gate errs a few times at most, and hears the user again afterwards.
    @Test func aLouderEchoIsLearned() {
        var gate = taught(share: -30)
        var began = 0
        var was = false
        for number in 0..<500 {
            // Whoever is told of a voice pauses the assistant for two seconds.
            let isPaused = was && number % 2 == 0
            let now = gate.judge(
                .init(power: isPaused ? 1e-9 : 0.01 * power(-10), played: isPaused ? 0 : 0.01, seconds: Self.piece)
            ).isVoice
            if now, !was { began += 1 }
            was = now
            if now {
                for _ in 0..<100 { was = gate.judge(.init(power: 1e-9, played: 0, seconds: Self.piece)).isVoice }
            }
        }
        #expect((1...2).contains(began))
        let isHeard = (0..<10).contains { _ in gate.judge(.init(power: 0.01, played: 0.01, seconds: Self.piece)).isVoice
        }
        #expect(isHeard)
    }

    /// Any echo of any loudness that varies by 12 dB, from its first moment on.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func noEchoIsTakenForAVoice(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var gate = BargeInGate()
        let share = Double.random(in: -60...20, using: &generator)
        for number in 0..<1_000 {
            let played = power(Double.random(in: -40 ... -10, using: &generator))
            let echo = played * power(share + Double.random(in: -12...0, using: &generator))
            let isVoice = gate.judge(.init(power: echo + 1e-9, played: played, seconds: Self.piece)).isVoice
            #expect(!isVoice, "seed \(seed), piece \(number)")
            if isVoice { return }
        }
    }
}
