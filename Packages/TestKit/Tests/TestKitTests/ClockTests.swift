// SPDX-License-Identifier: MIT

import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct ClockTests {
    @Test func `a manual clock wakes the sleepers that are due`() async throws {
        let clock = ManualClock()
        let short = Task { try await clock.sleep(for: .seconds(1)) }
        let long = Task { try await clock.sleep(for: .seconds(5)) }
        await clock.waitForSleepers(2)
        #expect(clock.remaining == [.seconds(1), .seconds(5)])
        clock.advance(by: .seconds(2), wakes: false)
        #expect(clock.remaining == [.seconds(-1), .seconds(3)])
        clock.advance(by: .seconds(1))
        try await short.value
        await clock.waitForSleeper(of: .seconds(2))
        long.cancel()
        await #expect(throws: CancellationError.self) { try await long.value }
        #expect(clock.remaining.isEmpty && clock.now.offset == .seconds(3))
        try await clock.sleep(until: .init(offset: .seconds(3)))
    }

    @Test func `a wait in a cancelled task fails`() async throws {
        for clock: any Clock<Duration> in [ManualClock(), ScriptedClock()] {
            let task = Task {
                cancelCurrentTask()
                try await clock.sleep(for: .seconds(1))
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func `a scripted clock ends waits by its rule`() async throws {
        let clock = ScriptedClock { wait, number in wait < .seconds(10) && number < 2 }
        try await clock.sleep(for: .seconds(1))
        try await clock.sleep(for: .seconds(9))
        #expect(clock.now.offset == .seconds(10))
        for wait in [2, 60] {
            let endless = Task { try await clock.sleep(for: .seconds(wait)) }
            try await eventually { clock.waits.last == .seconds(wait) }
            endless.cancel()
            await #expect(throws: CancellationError.self) { try await endless.value }
        }
        #expect(clock.waits == [1, 9, 2, 60].map { .seconds($0) } && clock.now.offset == .seconds(10))
        let frozen = ScriptedClock(isFrozen: true)
        try await frozen.sleep(for: .seconds(1))
        #expect(frozen.now.offset == .zero && frozen.waits == [.seconds(1)])
    }
}
