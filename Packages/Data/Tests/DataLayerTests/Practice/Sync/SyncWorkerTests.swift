// SPDX-License-Identifier: MIT

import Concurrency
import DataLayerTestSupport
import Diagnostics
import Digests
import Domain
import DomainTestSupport
import Foundation
import PracticeWire
import Security
import TestKit
import Testing

@testable import DataLayer

@Suite(.timeLimit(.minutes(2))) struct SyncWorkerTests {
    private let folder: TemporaryFolder
    private let time = ManualOutboxTime()
    private let database: PracticeDatabase
    private let queue: OutboxSyncQueue
    private let gate: UploadGate
    private let index: SQLiteRecordingIndex
    private let results: SQLitePracticeRepository
    private let sound = InMemoryRecordingRepository(hash: { Hexadecimal.text(try SHA256.hash($0)) })
    private let receiver = ScriptedReceiver()
    private let reports = Reports()

    init() async throws {
        folder = try TemporaryFolder()
        database = try await PracticeDatabase(path: folder.file("practice"))
        gate = try await SQLiteUploadConsentStore(database).openGate(of: "ada")
        queue = OutboxSyncQueue(database, account: "ada", clock: time.clock, random: SeededGenerator(seed: 1))
        index = SQLiteRecordingIndex(database, owner: "ada", queue: queue)
        results = SQLitePracticeRepository(database, owner: "ada", queue: queue)
    }

    private func routes(to receiver: any SyncReceiver) -> [SyncRoute] {
        [.recordings(sound, to: receiver), .results(results, to: receiver)]
    }

    private func worker(_ clock: any Clock<Duration> = PromptClock()) -> OutboxSyncWorker {
        OutboxSyncWorker(
            queue: queue, routes: routes(to: receiver), gate: gate, clock: clock)
    }

    private func drain() async throws -> Int {
        try await worker().drain { [reports] in reports.add($0) }
    }

    private func record(_ bytes: [UInt8] = [1, 2, 3]) async throws -> Recording {
        let recording = Recording(
            cue: .init(), createdAt: Date(timeIntervalSince1970: 1), duration: 1, format: .flac, sampleRate: 16_000,
            byteCount: bytes.count, contentHash: Hexadecimal.text(try SHA256.hash(bytes)))
        try await sound.store(recording, content: InMemoryContent(bytes))
        _ = try await index.insert(recording)
        return recording
    }

    private static func add(to results: any PracticeRepository) async throws -> SyncItem.Work {
        let result = try PracticeSamples.result()
        try await results.store([result])
        return .send(.result, result.id)
    }

    /// Queues of earlier versions are read, and theirs are read by them.
    @Test(arguments: [
        (SyncItem.Work.Action.send, SyncItem.Kind.recording, "upload", "recording"),
        (.send, .result, "result", "result"),
        (.delete, .recording, "deletion", "deletion"), (.delete, .result, "result-deletion", "result-deletion"),
    ])
    func `work is stored by the names that it always had`(
        action: SyncItem.Work.Action, kind: SyncItem.Kind, name: String, key: String
    ) throws {
        let id = Identifier<PracticeResult>()
        let work = SyncItem.Work(action, kind, id)
        let payload = "{\"id\":\"\(id)\",\"kind\":\"\(name)\"}"
        #expect(try String(decoding: WireJSON.encode(SyncWorkRecord(work)), as: UTF8.self) == payload)
        #expect(try JSONDecoder().decode(SyncWorkRecord.self, from: Data(payload.utf8)).work == work)
        #expect(work.idempotencyKey == "\(key):\(id)")
        #expect(work.orderingKey(after: nil) == "\(kind.rawValue):\(id)")
        #expect(work.orderingKey(after: .init(id.uuid)) == "recording:\(id)")
        #expect(SyncWorkRecord(work).work?.undone == (action == .delete ? .send(kind, id) : nil))
    }

    @Test(arguments: SyncQueueContract.checks)
    func `the queue keeps the contract`(_ check: ContractCheck<SyncQueueSubject>) async throws {
        let (worker, receiver, results) = (worker(), receiver, results)
        try await check.run(
            SyncQueueSubject(
                queue: queue, add: { try await Self.add(to: results) },
                fail: {
                    await receiver.fail(DomainError.invalidInput("It is not as it should be."))
                    _ = try await worker.drain { _ in }
                }))
    }

    @Test(arguments: SyncWorkerContract.checks)
    func `the worker keeps the contract`(_ check: ContractCheck<SyncWorkerSubject>) async throws {
        let (receiver, results) = (receiver, results)
        try await check.run(
            SyncWorkerSubject(
                worker: worker(), queue: queue, add: { try await Self.add(to: results) },
                fail: { await receiver.fail($0) },
                sent: { await receiver.results.map { SyncItem.Work.send(.result, $0) } }))
    }

    @Test func everythingArrivesOnceAndInOrder() async throws {
        let first = try await record()
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

    @Test func nothingIsSentWhereNothingIsToBe() async throws {
        try await SQLitePracticeRepository(database, owner: "ada").store([PracticeSamples.result()])
        try await SQLitePracticeRepository(database, owner: nil).store([PracticeSamples.result()])
        #expect(try await drain() == 0)
        #expect(await receiver.calls.isEmpty)
    }

    @Test func anotherAccountsItemsAreLeftAlone() async throws {
        _ = try await SQLiteUploadConsentStore(database).openGate(of: "bob")
        let other = OutboxSyncQueue(database, account: "bob", clock: time.clock)
        try await SQLitePracticeRepository(database, owner: "bob", queue: other).store([PracticeSamples.result()])
        #expect(try await drain() == 0)
        #expect(await receiver.calls.isEmpty)
        let item = try #require(try await other.items().first)
        #expect(try await queue.items().isEmpty)
        for change in [queue.retry, queue.discard] {
            await #expect(throws: DomainError.notFound("stuck item \(item.id)")) { try await change(item.id) }
        }
    }

    @Test func aResultIsStoredWithItsPlaceInTheQueueOrNotAtAll() async throws {
        let result = try PracticeSamples.result()
        // What makes the second of them fail undoes the first and its place.
        var damaged = try PracticeSamples.result()
        damaged = PracticeResult(
            cue: damaged.cue, cueText: "", language: damaged.language, practisedAt: Date(timeIntervalSince1970: .nan),
            day: damaged.day, rating: .good)
        await #expect(throws: DomainError.self) { try await results.store([result, damaged]) }
        #expect(try await results.result(result.id) == nil)
        #expect(try await queue.items().isEmpty)
    }

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
        let clock = PromptClock()
        let run = Task { try await worker(clock).run { _ in } }
        await receiver.waitForCalls(63)
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(clock.waits == [wait])
        #expect(await receiver.results == stored.map(\.id))
    }

    @Test func pausesGrowWhileThereIsNoNetwork() async throws {
        try await results.store([PracticeSamples.result()])
        for _ in 0..<9 { await receiver.fail(DomainError.offline("no network")) }
        let clock = PromptClock()
        let run = Task { try await worker(clock).run { _ in } }
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
        let (clock, wakeup) = (EndlessClock(), SyncWakeup())
        let worker = OutboxSyncWorker(
            queue: queue, routes: routes(to: receiver), gate: gate, clock: clock,
            wakeup: wakeup)
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
        #expect(try await wakeup.wait(after: heard, for: .seconds(60), clock: EndlessClock()))
        #expect(try await !wakeup.wait(after: wakeup.count, for: .seconds(60), clock: PromptClock()))
        let waiting = Task { try await wakeup.wait(after: wakeup.count, for: .seconds(60), clock: EndlessClock()) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func aRingDoesNotMakeABusyServerLessBusy() async throws {
        try await results.store([PracticeSamples.result()])
        await receiver.fail(DomainError.rateLimited(retryAfter: 17))
        let (clock, wakeup) = (EndlessClock(), SyncWakeup())
        let worker = OutboxSyncWorker(
            queue: queue, routes: routes(to: receiver), gate: gate, clock: clock,
            wakeup: wakeup)
        let run = Task { try await worker.run { _ in } }
        try await eventually { !clock.waits.isEmpty }
        #expect(clock.waits == [.seconds(17)])
        #expect(wakeup.waiterCount == 0, "nobody listens")
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
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
        #expect(item.work == .send(.result, bad.id) && item.stage == .stuck("The server turned it down: no such cue"))
        #expect(
            reports.all.first
                == .stuck(.send(.result, bad.id), "The server turned it down: no such cue"))
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
        #expect(try await queue.items().map(\.stage) == [.stuck("broken")])
        guard case .stuck = reports.all.last else {
            Issue.record("not told")
            return
        }
    }

    @Test func aResultWaitsForItsRecordingAndADeletionForBoth() async throws {
        let recording = try await record()
        let result = try PracticeSamples.result(recording: recording.id)
        try await results.store([result])
        await receiver.fail(DomainError.server("broken"))
        #expect(try await drain() == 2)
        #expect(await receiver.calls == [.send(.recording, recording.id)])
        #expect(try await queue.isWaiting(for: recording.id))
        time.advance(3_600)
        #expect(try await drain() == 0)
        #expect(try await !queue.isWaiting(for: recording.id))
        #expect(try await index.delete(recording.id))
        #expect(try await drain() == 0)
        #expect(await receiver.recordings.isEmpty)
        #expect(await receiver.deleted == [recording.id])
        #expect(await receiver.calls.last == .delete(.recording, recording.id))
    }

    @Test func aStuckRecordingHoldsItsResultUpUntilItIsGivenUp() async throws {
        let recording = try await record()
        let result = try PracticeSamples.result(recording: recording.id)
        try await results.store([result])
        await receiver.fail(DomainError.invalidInput("not FLAC"))
        #expect(try await drain() == 1)
        #expect(await receiver.results.isEmpty)
        let stuck = try #require(try await queue.items().first)
        try await queue.discard(stuck.id)
        #expect(try await drain() == 0)
        #expect(await receiver.results == [result.id])
    }

    @Test func whatWasDeletedBeforeItWasSentIsNotSent() async throws {
        let result = try PracticeSamples.result()
        try await results.store([result])
        #expect(try await results.delete(result.id))
        let recording = try await record()
        _ = await sound.delete(recording.id)
        #expect(try await drain() == 0)
        // An attempt before may have got there, although its answer did not.
        #expect(await receiver.calls == [.delete(.result, result.id)])
        #expect(try await queue.items().isEmpty)
    }

    @Test func theDeletionOfAResultComesAfterItAndItsRecording() async throws {
        let recording = try await record()
        let (spoken, silent) = try (PracticeSamples.result(recording: recording.id), PracticeSamples.result())
        try await results.store([spoken, silent])
        // The first attempts fail, and the deletions must not overtake what is tried again later.
        await receiver.fail(DomainError.server("broken"), DomainError.server("broken"))
        #expect(try await drain() == 3)
        #expect(try await results.delete(spoken.id))
        #expect(try await results.delete(silent.id))
        #expect(try await !results.delete(silent.id))
        #expect(try await drain() == 5)
        #expect(await receiver.calls.count == 2)
        time.advance(3_600)
        #expect(try await drain() == 0)
        let calls = await receiver.calls.dropFirst(2)
        #expect(
            Array(calls) == [.send(.recording, recording.id), .delete(.result, silent.id), .delete(.result, spoken.id)]
                || Array(calls) == [
                    .send(.recording, recording.id), .delete(.result, spoken.id), .delete(.result, silent.id),
                ])
        #expect(await receiver.results.isEmpty)
        #expect(await Set(receiver.deletedResults) == [spoken.id, silent.id])
        #expect(await receiver.recordings.count == 1, "the recording stays")
        #expect(try await queue.items().isEmpty)
    }

    @Test func whatIsDeletedOfNobodysIsToldToNobody() async throws {
        let mine = SQLitePracticeRepository(database, owner: nil)
        let result = try PracticeSamples.result()
        try await mine.store([result])
        #expect(try await mine.delete(result.id))
        #expect(try await queue.items().isEmpty)
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
            try await OutboxSyncWorker(
                queue: queue, routes: routes(to: HangingReceiver()), gate: gate
            ).drain { _ in }
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
            try await OutboxSyncWorker(
                queue: queue, routes: routes(to: HangingReceiver()), gate: gate
            ).run { _ in }
        }
        try await eventually { try await queue.items().first?.stage == .sending }
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(try await queue.items().map(\.attempts) == [0])
        #expect(try await drain() == 0)
    }
}

private final class Reports: Sendable {
    private let reports = Guarded<[SyncReport]>([])

    var all: [SyncReport] { reports.withLock { $0 } }
    func add(_ report: SyncReport) { reports.withLock { $0.append(report) } }
}

/// Answers nothing until it is cancelled.
private struct HangingReceiver: SyncReceiver {
    func send(_ result: PracticeResult) async throws { try await hang() }
    func delete(_ recording: Identifier<Recording>) async throws { try await hang() }
    func delete(_ result: Identifier<PracticeResult>) async throws { try await hang() }
    func upload(
        _ recording: Recording, content: any RecordingContent, report: @Sendable (Int) async -> Void
    ) async throws { try await hang() }

    private func hang() async throws {
        for await _ in AsyncStream<Never>.makeStream().stream {}; try Task.checkCancellation()
    }
}
