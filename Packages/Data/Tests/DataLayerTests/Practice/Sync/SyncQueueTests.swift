// SPDX-License-Identifier: MIT

import DataLayerTestSupport
import Domain
import DomainTestSupport
import Foundation
import PracticeWire
import Testing

@testable import DataLayer

/// The content of the queue.
@Suite(.timeLimit(.minutes(5))) struct SyncQueueTests {
    private let fixture: SyncFixture
    private var database: PracticeDatabase { fixture.database }
    private var queue: OutboxSyncQueue { fixture.queue }
    private var results: SQLitePracticeRepository { fixture.results }
    private var receiver: ScriptedReceiver { fixture.receiver }
    private var time: ManualOutboxTime { fixture.time }

    init() async throws { fixture = try await SyncFixture() }

    private func drain() async throws -> Int { try await fixture.drain() }

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
        let (worker, receiver, results) = (fixture.worker(), receiver, results)
        try await check.run(
            SyncQueueSubject(
                queue: queue, add: { try await SyncFixture.add(to: results) },
                fail: {
                    await receiver.fail(DomainError.invalidInput("It is not as it should be."))
                    _ = try await worker.drain { _ in }
                }))
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
        // The second of them cannot be stored, which takes the first out of the table and of the queue again.
        var damaged = try PracticeSamples.result()
        damaged = PracticeResult(
            cue: damaged.cue, cueText: "", language: damaged.language, practisedAt: Date(timeIntervalSince1970: .nan),
            day: damaged.day, rating: .good)
        await #expect(throws: DomainError.self) { try await results.store([result, damaged]) }
        #expect(try await results.result(result.id) == nil)
        #expect(try await queue.items().isEmpty)
    }

    @Test func whatIsDeletedOfNobodysIsToldToNobody() async throws {
        let mine = SQLitePracticeRepository(database, owner: nil)
        let result = try PracticeSamples.result()
        try await mine.store([result])
        #expect(try await mine.delete(result.id))
        #expect(try await queue.items().isEmpty)
    }
}
