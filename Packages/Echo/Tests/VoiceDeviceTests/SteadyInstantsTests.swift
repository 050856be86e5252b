// SPDX-License-Identifier: MIT
import AudioKitLinux
import TestKit
import Testing

@testable import Echo

/// What is made of a device's instants, on a clock of the test's own.
@Suite struct SteadyInstantsTests {
    private let start = ContinuousClock.now

    /// The instants of pieces of 20 ms, each `error(number)` seconds late.
    private func run(
        _ steady: inout SteadyInstants, _ numbers: Range<Int>, error: (Int) -> Double
    ) -> [Double] {
        numbers.map { number in
            let right = Double(number * devicePeriod) / 24_000
            let told = start + .seconds(right + error(number))
            return (steady.steadied(told, of: number * devicePeriod) - start) / .seconds(1) - right
        }
    }

    @Test func exactInstantsAreLeftAsTheyAre() {
        var steady = SteadyInstants()
        // A clock that is 60 ppm slow, and jitters by a tenth of a millisecond.
        func error(_ number: Int) -> Double { Double(number) * 0.02 * 6e-5 + (number % 2 == 0 ? 5e-5 : -5e-5) }
        let errors = run(&steady, 0..<2_000, error: error)
        for number in 20..<2_000 { #expect(abs(errors[number] - error(number)) < 1e-6) }
        #expect(steady.isSettled && steady.isSteady)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func aServersGuessesBecomeOneOffset(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var steady = SteadyInstants()
        var wander = 0.0
        // Wrong by up to 6 ms, for half a second at a time.
        let errors = run(&steady, 0..<1_000) { number in
            if number % 25 == 0 { wander = Double.random(in: -0.005...0.005, using: &generator) }
            return wander + Double.random(in: -0.001...0.001, using: &generator)
        }
        #expect(Set(errors[50...].map { Int(($0 * 1e6).rounded()) }).count == 1, "seed \(seed)")
        #expect(errors.allSatisfy { abs($0) < 0.01 })
    }

    @Test func aStreamThatStartsIsNotBelievedBeforeItHasSettled() throws {
        var steady = SteadyInstants()
        var settled: Int?
        for number in 0..<200 {
            // As PulseAudio's: still for 30 pieces, then 20 ms of each, then right.
            _ = run(&steady, number..<number + 1) { $0 < 30 ? -0.6 : min(0, -0.6 + Double($0 - 30) * 0.02) }
            if (31..<60).contains(number), number > 36 { #expect(!steady.isSteady) }
            if number >= 60, steady.isSettled, steady.isSteady, settled == nil { settled = number }
        }
        #expect((60...140).contains(try #require(settled)))
    }

    @Test func aNewRunIsTakenAtOnceAndAnAccidentIsNot() {
        var steady = SteadyInstants()
        _ = run(&steady, 0..<300) { $0 % 2 == 0 ? 0.001 : -0.001 }
        let before = run(&steady, 300..<301) { _ in 0 }
        let accident = run(&steady, 301..<303) { _ in 0.03 }
        #expect(accident == before || abs(accident[0] - before[0]) < 1e-9)
        #expect(steady.isSteady)
        let after = run(&steady, 303..<310) { _ in 0.5 }
        #expect(after.allSatisfy { abs($0 - 0.5) < 1e-6 })
        #expect(!steady.isSteady)
    }

    /// An error that stays is slid away, no faster than a clock drifts.
    @Test func aDriftIsFollowedSlowly() {
        var steady = SteadyInstants()
        let errors = run(&steady, 0..<60_000) { number in
            Double(number) * 0.02 * 5e-5 + (number % 2 == 0 ? 0.001 : -0.001)
        }
        // 60 ms in twenty minutes.
        #expect(abs((errors.last ?? 0) - 0.06) < 0.014)
        #expect(zip(errors, errors.dropFirst()).allSatisfy { abs($1 - $0) < 2.1e-6 })
    }
}
