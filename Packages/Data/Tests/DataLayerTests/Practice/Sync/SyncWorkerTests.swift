// SPDX-License-Identifier: MIT

import DataLayerTestSupport
import Domain
import DomainTestSupport
import Foundation
import TestKit
import Testing

@testable import DataLayer

/// Sending, and failures of single items.
@Suite(.timeLimit(.minutes(5))) struct SyncWorkerTests {
    private let fixture: SyncFixture
    private var queue: OutboxSyncQueue { fixture.queue }
    private var index: SQLiteRecordingIndex { fixture.index }
    private var results: SQLitePracticeRepository { fixture.results }
    private var receiver: ScriptedReceiver { fixture.receiver }
    private var reports: SyncReports { fixture.reports }
    private var time: ManualOutboxTime { fixture.time }

    init() async throws { fixture = try await SyncFixture() }

    private func drain() async throws -> Int { try await fixture.drain() }

    @Test(arguments: SyncWorkerContract.checks)
    func `the worker keeps the contract`(_ check: ContractCheck<SyncWorkerSubject>) async throws {
        let (receiver, results) = (receiver, results)
        try await check.run(
            SyncWorkerSubject(
                worker: fixture.worker(), queue: queue, add: { try await SyncFixture.add(to: results) },
                fail: { await receiver.fail($0) },
                sent: { await receiver.results.map { SyncItem.Work.send(.result, $0) } }))
    }

    @Test func everythingArrivesOnceAndInOrder() async throws {
        let first = try await fixture.record()
        let result = try PracticeSamples.result(recording: first.id)
        let alone = try PracticeSamples.result()
        try await results.store([result, alone])
        try await results.store([result, alone])
        _ = try await index.insert(first)
        #expect(try await queue.items().map(\.stage) == [.waiting, .waiting, .waiting])
        #expect(try await drain() == 0)
        #expect(
            await receiver.calls == [.send(.recording, first.id), .send(.result, result.id), .send(.result, alone.id)])
        #expect(await receiver.recordings == [first.id: [1, 2, 3]])
        #expect(
            reports.all == [
                .uploading(first.id, 3, of: 3), .done(.send(.recording, first.id)), .done(.send(.result, result.id)),
                .done(.send(.result, alone.id)),
            ])
        #expect(try await queue.items().isEmpty)
        #expect(try await drain() == 0)
        #expect(await receiver.calls.count == 3)
    }

    @Test func anAnswerThatIsLostDoublesNothing() async throws {
        let result = try PracticeSamples.result()
        try await results.store([result])
        await receiver.fail(DomainError.timedOut(.answer), isLate: true)
        #expect(try await drain() == 1)
        time.advance(3_600)
        #expect(try await drain() == 0)
        #expect(await receiver.calls.count == 2)
        #expect(await receiver.results == [result.id])
    }

    @Test func aKilledWorkersItemComesBack() async throws {
        let result = try PracticeSamples.result()
        try await results.store([result])
        // A worker that never answers, and whose lease nobody renews: as if it were killed.
        let killed = Task {
            try await fixture.worker(to: HangingReceiver()).drain { _ in }
        }
        try await eventually { try await queue.items().first?.stage == .sending }
        #expect(try await drain() == 1)
        time.advance(16)
        #expect(try await drain() == 0)
        #expect(await receiver.results == [result.id])
        killed.cancel()
        _ = await killed.result
        #expect(try await queue.items().isEmpty)
    }

    @Test func aCancelledRunGivesItsItemBackAtOnce() async throws {
        try await results.store([PracticeSamples.result()])
        let run = Task {
            try await fixture.worker(to: HangingReceiver()).run { _ in }
        }
        try await eventually { try await queue.items().first?.stage == .sending }
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(try await queue.items().map(\.attempts) == [0])
        #expect(try await drain() == 0)
    }

    @Test(arguments: [DomainError.server("broken"), .timedOut(.answer)])
    func anItemThatFailsIsTriedAgainLaterAndOthersGoOn(_ error: DomainError) async throws {
        let stored = try [PracticeSamples.result(), PracticeSamples.result()]
        try await results.store(stored)
        await receiver.fail(error)
        #expect(try await drain() == 1)
        #expect(await receiver.results == [stored[1].id])
        #expect(try await queue.items().map(\.attempts) == [1])
        time.advance(3_600)
        #expect(try await drain() == 0)
        #expect(await receiver.results == [stored[1].id, stored[0].id])
    }

    @Test func whatTheServerTurnsDownIsStuckWithTheReason() async throws {
        let (bad, good) = try (PracticeSamples.result(), PracticeSamples.result())
        try await results.store([bad, good])
        await receiver.fail(DomainError.invalidInput("The server turned it down: no such cue"))
        #expect(try await drain() == 0)
        let item = try #require(try await queue.items().first)
        #expect(
            item.work == .send(.result, bad.id) && item.stage == .poisoned("The server turned it down: no such cue"))
        #expect(
            reports.all.first
                == .poisoned(.send(.result, bad.id), "The server turned it down: no such cue"))
        #expect(await receiver.results == [good.id])

        try await queue.retry(item.id)
        await #expect(throws: DomainError.notFound("stuck item \(item.id)")) { try await queue.retry(item.id) }
        await #expect(throws: DomainError.notFound("stuck item \(item.id)")) { try await queue.discard(item.id) }
        await receiver.fail(DomainError.invalidInput("still"))
        #expect(try await drain() == 0)
        try await queue.discard(item.id)
        #expect(try await queue.items().isEmpty)
        #expect(try await results.result(bad.id) == bad)
    }

    @Test func anItemIsGivenUpAfterFiftyAttempts() async throws {
        try await results.store([PracticeSamples.result()])
        for number in 1...50 {
            await receiver.fail(DomainError.server("broken"))
            #expect(try await drain() == (number < 50 ? 1 : 0))
            time.advance(3_600)
        }
        #expect(try await queue.items().map(\.stage) == [.poisoned("broken")])
        guard case .poisoned = reports.all.last else {
            Issue.record("not told")
            return
        }
    }
}
