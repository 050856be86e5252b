// SPDX-License-Identifier: MIT

import Concurrency
import SpeechServices
import TestKit
import Testing

@Suite struct FallbackStateMachineTests {
    private static let backoff = Backoff(first: .seconds(5), longest: .seconds(30), jitter: .none)

    @Test func `an outage is reported once, and tried with growing waits`() {
        var machine = FallbackStateMachine(backoff: Self.backoff)
        #expect(machine.choose(now: .zero) == .primary)
        #expect(machine.choose(now: .zero) == .primary)
        #expect(machine.primaryFailed(now: .seconds(1)) == .seconds(5))
        // The request beside it fails of the same cause.
        #expect(machine.primaryFailed(now: .seconds(2)) == nil)
        #expect(machine.choose(now: .milliseconds(5_999)) == .local)
        for (time, wait) in [(6, 10), (16, 20), (36, 30), (66, 30)] {
            #expect(machine.choose(now: .seconds(time)) == .primary)
            #expect(machine.choose(now: .seconds(time)) == .local)
            #expect(machine.primaryFailed(now: .seconds(time)) == nil)
            #expect(machine.choose(now: .seconds(time + wait) - .milliseconds(1)) == .local)
        }
        #expect(machine.choose(now: .seconds(96)) == .primary)
        #expect(machine.primarySucceeded() == true)
        #expect(machine.primarySucceeded() == false)
        #expect(machine.primaryFailed(now: .seconds(100)) == .seconds(5))
    }

    @Test func `a service's own wait is kept`() {
        var machine = FallbackStateMachine(backoff: Self.backoff)
        _ = machine.choose(now: .zero)
        #expect(machine.primaryFailed(now: .zero, least: .seconds(60)) == .seconds(60))
        #expect(machine.choose(now: .seconds(59)) == .local)
        #expect(machine.choose(now: .seconds(60)) == .primary)
    }

    @Test func `a trial that is given up lets the next one try`() {
        var machine = FallbackStateMachine(backoff: Self.backoff)
        _ = machine.primaryFailed(now: .zero)
        #expect(machine.choose(now: .seconds(5)) == .primary)
        machine.primaryAbandoned(now: .seconds(6))
        #expect(machine.choose(now: .seconds(6)) == .primary)
    }

    /// Any order of events, against the rules written down another way.
    @Test(arguments: 0..<50 as Range<UInt64>) func `any order keeps the rules`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var machine = FallbackStateMachine(backoff: Self.backoff)
        var (now, reports, recoveries, trials) = (Duration.zero, 0, 0, 0)
        for _ in 0..<400 {
            let wasFallen = reports > recoveries
            now += .milliseconds(Int.random(in: 0...8_000, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let choice = machine.choose(now: now)
                #expect(wasFallen || choice == .primary, "seed \(seed)")
                if wasFallen, choice == .primary {
                    trials += 1
                    #expect(machine.choose(now: now) == .local, "two trials at once, seed \(seed)")
                }
            case 1:
                let report = machine.primaryFailed(now: now)
                #expect((report == nil) == wasFallen, "seed \(seed)")
                if report != nil { reports += 1 }
            case 2:
                if machine.primarySucceeded() {
                    recoveries += 1
                    #expect(wasFallen, "seed \(seed)")
                }
            default: machine.primaryAbandoned(now: now)
            }
        }
        #expect(trials > 0 && reports > 0, "seed \(seed)")
    }
}
