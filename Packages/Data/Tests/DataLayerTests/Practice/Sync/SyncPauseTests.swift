// SPDX-License-Identifier: MIT

import DataLayerTestSupport
import Domain
import DomainTestSupport
import TestKit
import Testing

@testable import DataLayer

/// Waits after failures that concern every item.
@Suite(.timeLimit(.minutes(5))) struct SyncPauseTests {
    private let fixture: SyncFixture
    private var queue: OutboxSyncQueue { fixture.queue }
    private var results: SQLitePracticeRepository { fixture.results }
    private var receiver: ScriptedReceiver { fixture.receiver }
    private var reports: SyncReports { fixture.reports }
    private var time: ManualOutboxTime { fixture.time }

    init() async throws { fixture = try await SyncFixture() }

    /// A clock on which no wait passes.
    private static func endless() -> ScriptedClock { ScriptedClock(isFrozen: true) { _, _ in false } }

    private func drain() async throws -> Int { try await fixture.drain() }

    @Test(arguments: [
        (DomainError.offline("no network"), Duration.seconds(1)), (.signInNeeded, .seconds(60)),
        (.rateLimited(retryAfter: 17), .seconds(17)),
    ])
    func whatConcernsEverythingUsesUpNoAttempt(_ error: DomainError, _ wait: Duration) async throws {
        let stored = try [PracticeSamples.result(), PracticeSamples.result()]
        try await results.store(stored)
        for _ in 0..<60 {
            await receiver.fail(error)
            #expect(try await drain() == 2)
        }
        // One call each time: the others would have met with the same.
        #expect(await receiver.calls.count == 60)
        #expect(try await queue.items().map(\.attempts) == [0, 0])
        #expect(reports.all.last == .postponed(.send(.result, stored[0].id), error))

        await receiver.fail(error)
        let clock = ScriptedClock(isFrozen: true)
        let run = Task { try await fixture.worker(clock: clock).run { _ in } }
        await receiver.waitForCalls(63)
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(clock.waits == [wait])
        #expect(await receiver.results == stored.map(\.id))
    }

    @Test func pausesGrowWhileThereIsNoNetwork() async throws {
        try await results.store([PracticeSamples.result()])
        for _ in 0..<9 { await receiver.fail(DomainError.offline("no network")) }
        let clock = ScriptedClock(isFrozen: true)
        let run = Task { try await fixture.worker(clock: clock).run { _ in } }
        await receiver.waitForCalls(10)
        run.cancel()
        _ = await run.result
        #expect(clock.waits == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
    }

    @Test(arguments: [DomainError.offline("no network"), .signInNeeded])
    func aRingEndsAPauseAndTheNextOneIsShortAgain(_ error: DomainError) async throws {
        let stored = try PracticeSamples.result()
        try await results.store([stored])
        await receiver.fail(error, error, error)
        let (clock, wakeup) = (Self.endless(), SyncWakeup())
        let worker = fixture.worker(clock: clock, wakeup: wakeup)
        let run = Task { try await worker.run { _ in } }
        for number in 1...3 {
            await receiver.waitForCalls(number)
            try await eventually { clock.waits.count >= number }
            wakeup.wake()
        }
        await receiver.waitForCalls(4)
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(await receiver.results == [stored.id])
        #expect(clock.waits == Array(repeating: .seconds(error == .signInNeeded ? 60 : 1), count: 3))
    }

    @Test func aRingBetweenTheFailureAndThePauseIsHeard() async throws {
        let wakeup = SyncWakeup()
        let heard = wakeup.count
        wakeup.wake()
        #expect(try await wakeup.wait(after: heard, for: .seconds(60), clock: Self.endless()))
        #expect(try await !wakeup.wait(after: wakeup.count, for: .seconds(60), clock: ScriptedClock(isFrozen: true)))
        let waiting = Task { try await wakeup.wait(after: wakeup.count, for: .seconds(60), clock: Self.endless()) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func aRingDoesNotMakeABusyServerLessBusy() async throws {
        try await results.store([PracticeSamples.result()])
        await receiver.fail(DomainError.rateLimited(retryAfter: 17))
        let (clock, wakeup) = (Self.endless(), SyncWakeup())
        let worker = fixture.worker(clock: clock, wakeup: wakeup)
        let run = Task { try await worker.run { _ in } }
        try await eventually { !clock.waits.isEmpty }
        #expect(clock.waits == [.seconds(17)])
        #expect(wakeup.waiterCount == 0, "nobody listens")
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
    }
}
