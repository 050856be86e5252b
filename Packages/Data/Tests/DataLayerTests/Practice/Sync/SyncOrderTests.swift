// SPDX-License-Identifier: MIT

import DataLayerTestSupport
import Domain
import DomainTestSupport
import Persistence
import Testing

@testable import DataLayer

/// Items that wait for others.
@Suite(.timeLimit(.minutes(5))) struct SyncOrderTests {
    private let fixture: SyncFixture
    private var queue: OutboxSyncQueue { fixture.queue }
    private var index: SQLiteRecordingIndex { fixture.index }
    private var results: SQLitePracticeRepository { fixture.results }
    private var sound: InMemoryRecordingRepository { fixture.sound }
    private var receiver: ScriptedReceiver { fixture.receiver }
    private var time: ManualOutboxTime { fixture.time }

    init() async throws { fixture = try await SyncFixture() }

    private func drain() async throws -> Int { try await fixture.drain() }

    @Test func aResultWaitsForItsRecordingAndADeletionForBoth() async throws {
        let recording = try await fixture.record()
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
        let recording = try await fixture.record()
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
        let recording = try await fixture.record()
        _ = await sound.delete(recording.id)
        #expect(try await drain() == 0)
        // An attempt before may have got there, although its answer did not.
        #expect(await receiver.calls == [.delete(.result, result.id)])
        #expect(try await queue.items().isEmpty)
    }

    @Test func aDeletionWaitsForNothingThatIsTriedAgainLater() async throws {
        let recording = try await fixture.record()
        let (spoken, silent) = try (PracticeSamples.result(recording: recording.id), PracticeSamples.result())
        try await results.store([spoken, silent])
        await receiver.fail(DomainError.server("broken"), DomainError.server("broken"))
        #expect(try await drain() == 3)
        #expect(try await results.delete(spoken.id))
        #expect(try await results.delete(silent.id))
        #expect(try await !results.delete(silent.id))
        #expect(try await drain() == 1)
        #expect(
            await Array(receiver.calls.dropFirst(2)) == [.delete(.result, spoken.id), .delete(.result, silent.id)])
        time.advance(3_600)
        #expect(try await drain() == 0)
        #expect(await receiver.calls.last == .send(.recording, recording.id))
        #expect(await receiver.results.isEmpty, "a result that is gone is not tried again")
        #expect(await receiver.recordings.count == 1, "the recording stays")
        #expect(try await queue.items().isEmpty)
    }

    @Test func theDeletionOfARecordingThatTheServerRefusedIsSent() async throws {
        let recording = try await fixture.record()
        await receiver.fail(DomainError.invalidInput("not FLAC"))
        #expect(try await drain() == 0)
        #expect(try await queue.items().count == 1)
        #expect(try await index.delete(recording.id))
        #expect(try await drain() == 0)
        #expect(await receiver.deleted == [recording.id])
        #expect(try await queue.items().isEmpty, "nothing is stuck")
    }

    @Test func aDeletionWaitsForTheAttemptThatIsUnderWay() async throws {
        let recording = try await fixture.record()
        let attempt = try #require(try await queue.outbox.claim(lanes: queue.lanes(.allowed)))
        #expect(try await index.delete(recording.id))
        #expect(try await queue.outbox.claim(lanes: queue.lanes(.allowed)) == nil)
        try await queue.outbox.finish(attempt, .retry(reason: "lost"))
        // Uploads have ended meanwhile, and with them everyone who would take the other one up.
        let next = try await queue.outbox.claim(lanes: queue.lanes(.refused(.withdrawn)))
        #expect(next?.item.work == .delete(.recording, recording.id))
    }
}
