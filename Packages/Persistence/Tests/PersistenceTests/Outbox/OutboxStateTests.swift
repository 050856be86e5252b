// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import Testing

@testable import Persistence

@Suite struct OutboxStateTests {
    private let rules = OutboxState.Rules(
        maximumAttempts: 3, lease: .seconds(60), backoff: .init(first: .seconds(2), longest: .seconds(10)))
    private let now = OutboxTime(boot: "a", awake: 1_000, elapsed: 5_000, wall: Date(timeIntervalSince1970: 0))

    private func after(
        _ state: OutboxState, _ event: OutboxState.Event, at time: OutboxTime? = nil
    ) -> Result<OutboxState, OutboxState.Refusal> {
        Result { () throws(OutboxState.Refusal) in try state.after(event, at: time ?? now, rules: rules) }
    }

    private func leased(_ attempts: Int) -> OutboxState {
        .leased(attempts: attempts, token: 7, until: .init(.seconds(60), after: now.awake, boot: "a"))
    }

    @Test func aClaimCountsTheAttemptAndStartsTheLease() {
        let pending = OutboxState.pending(attempts: 1, due: .passed)
        #expect(after(pending, .claim(token: 7)) == .success(leased(2)))
        let later = OutboxState.pending(attempts: 1, due: .init(.milliseconds(1), after: now.elapsed, boot: "a"))
        #expect(after(later, .claim(token: 7)) == .failure(.notDue))
        for state in [leased(1), .poisoned(attempts: 1, reason: ""), .done] {
            #expect(after(state, .claim(token: 8)) == .failure(.notDue))
        }
    }

    @Test func everyOutcomeHasItsState() {
        func finish(_ outcome: OutboxOutcome, _ attempts: Int = 1) -> OutboxState? {
            try? after(leased(attempts), .finish(token: 7, outcome, jitter: 0.5)).get()
        }
        #expect(finish(.done) == .done)
        #expect(finish(.release) == .pending(attempts: 0, due: .passed))
        #expect(finish(.poison(reason: "x")) == .poisoned(attempts: 1, reason: "x"))
        #expect(
            finish(.retry(reason: "x"), 2)
                == .pending(attempts: 2, due: .init(boot: "a", at: 5_000 + 2_000, span: 2_000)))
        #expect(
            finish(.retry(reason: "x", after: .seconds(30)))
                == .pending(attempts: 1, due: .init(boot: "a", at: 5_000 + 30_000, span: 30_000)))
        #expect(finish(.retry(reason: "x"), 3) == .poisoned(attempts: 3, reason: "x"))
    }

    @Test func onlyTheLeasesOwnWorkerCounts() {
        for state in [leased(1), .pending(attempts: 1, due: .passed), .poisoned(attempts: 1, reason: ""), .done] {
            #expect(after(state, .finish(token: 8, .done, jitter: 0)) == .failure(.leaseLost))
            #expect(after(state, .renew(token: 8)) == .failure(.leaseLost))
        }
        var later = now
        later.awake += 70_000
        let renewed = OutboxState.leased(attempts: 1, token: 7, until: .init(.seconds(60), after: 71_000, boot: "a"))
        // Nobody has taken it in the meantime.
        #expect(after(leased(1), .renew(token: 7), at: later) == .success(renewed))
    }

    @Test func aLeaseEndsWithItsTimeOrTheMachine() {
        var time = now
        time.awake += 59_999
        time.elapsed += 10_000_000
        #expect(after(leased(1), .look, at: time) == .success(leased(1)))
        time.awake += 1
        #expect(after(leased(1), .look, at: time) == .success(.pending(attempts: 1, due: .passed)))
        #expect(
            after(leased(3), .look, at: time)
                == .success(.poisoned(attempts: 3, reason: OutboxState.workerLost)))
        time = now
        time.boot = "b"
        #expect(after(leased(1), .look, at: time) == .success(.pending(attempts: 1, due: .passed)))
    }

    @Test func aClockThatGoesBackMakesNoWaitLonger() {
        var time = now
        time.awake -= 900
        time.elapsed -= 4_000
        let lease = OutboxDeadline(boot: "a", at: 60_100, span: 60_000)
        #expect(after(leased(1), .look, at: time) == .success(.leased(attempts: 1, token: 7, until: lease)))
        let waiting = OutboxState.pending(attempts: 1, due: .init(boot: "a", at: 7_000, span: 2_000))
        #expect(
            after(waiting, .look, at: time)
                == .success(.pending(attempts: 1, due: .init(boot: "a", at: 3_000, span: 2_000))))
    }

    @Test func onlyPoisonIsRevived() {
        #expect(
            after(.poisoned(attempts: 3, reason: "x"), .revive) == .success(.pending(attempts: 0, due: .passed)))
        for state in [leased(1), .pending(attempts: 1, due: .passed), .done] {
            #expect(after(state, .revive) == .failure(.notPoisoned))
        }
    }
}
