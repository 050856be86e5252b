// SPDX-License-Identifier: MIT

import DataLayerTestSupport
import Domain
import DomainTestSupport
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

    @Test func theDeletionOfAResultComesAfterItAndItsRecording() async throws {
        let recording = try await fixture.record()
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
}
