// SPDX-License-Identifier: MIT

import DataLayerTestSupport
import Domain
import DomainTestSupport
import Foundation
import Security
import TestKit
import Testing

@testable import DataLayer

/// What a worker does when the person or the server changes their mind.
@Suite(.timeLimit(.minutes(5))) struct GatedSyncWorkerTests {
    private let folder: TemporaryFolder
    private let database: PracticeDatabase
    private let consents: SQLiteUploadConsentStore
    private let queue: OutboxSyncQueue
    private let index: SQLiteRecordingIndex
    private let results: SQLitePracticeRepository
    private let sound = InMemoryRecordingRepository(hash: { "\($0.count)" })
    private let flag = Switch()

    init() async throws {
        folder = try TemporaryFolder()
        database = try await PracticeDatabase(path: folder.file("practice"))
        consents = SQLiteUploadConsentStore(database)
        _ = try await consents.openGate(of: "ada")
        queue = OutboxSyncQueue(database, account: "ada")
        index = SQLiteRecordingIndex(database, owner: "ada", queue: queue)
        results = SQLitePracticeRepository(database, owner: "ada", queue: queue)
    }

    private func worker(_ receiver: any SyncReceiver) -> OutboxSyncWorker {
        let flag = flag
        return OutboxSyncWorker(
            queue: queue, routes: [.recordings(sound, to: receiver), .results(results, to: receiver)],
            gate: UploadGate(account: "ada", store: consents) { await flag.isOn })
    }

    private func record() async throws -> Recording {
        let recording = Recording(
            cue: .init(), createdAt: Date(timeIntervalSince1970: 1), duration: 1, format: .flac, sampleRate: 16_000,
            byteCount: 3, contentHash: "3")
        try await sound.store(recording, content: InMemoryContent([1, 2, 3]))
        _ = try await index.insert(recording)
        return recording
    }

    private func withdraw() async throws {
        try await consents.store(
            UploadConsent(.withdrawn, at: Date(timeIntervalSince1970: 2)), of: "ada", includingEarlier: false)
    }

    @Test func `withdrawing cancels the upload that runs`() async throws {
        _ = try await record()
        let receiver = EndlessReceiver()
        let run = Task { try await worker(receiver).run { _ in } }
        await receiver.waitForStart()
        try await withdraw()
        await receiver.waitForCancellation()
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(try await queue.items().isEmpty)
        #expect(try await consents.held(of: "ada").held == 1)
    }

    @Test func `a worker that waits takes up what is released`() async throws {
        try await withdraw()
        let recording = try await record()
        let receiver = ScriptedReceiver()
        let run = Task { try await worker(receiver).run { _ in } }
        try await consents.store(
            UploadConsent(.given, at: Date(timeIntervalSince1970: 3)), of: "ada", includingEarlier: true)
        await receiver.waitForCalls(1)
        #expect(await receiver.calls == [.send(.recording, recording.id)])
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
    }

    @Test func `with the flag off only deletions go`() async throws {
        let gone = try PracticeSamples.result()
        try await results.store([gone])
        let receiver = ScriptedReceiver()
        #expect(try await worker(receiver).drain { _ in } == 0)
        await flag.turn(false)
        _ = try await record()
        try await results.store([PracticeSamples.result()])
        #expect(try await results.delete(gone.id))
        #expect(try await worker(receiver).drain { _ in } == 2)
        #expect(await receiver.calls == [.send(.result, gone.id), .delete(.result, gone.id)])
        await flag.turn(true)
        #expect(try await worker(receiver).drain { _ in } == 0)
        #expect(await receiver.calls.count == 4)
    }

    private actor Switch {
        private(set) var isOn = true
        func turn(_ isOn: Bool) { self.isOn = isOn }
    }
}

/// An upload that never ends, and says when it began and when it was cancelled.
private actor EndlessReceiver: SyncReceiver {
    private let (starts, start) = AsyncStream<Void>.makeStream()
    private let (ends, end) = AsyncStream<Void>.makeStream()

    func waitForStart() async { for await _ in starts { return } }
    func waitForCancellation() async { for await _ in ends { return } }

    func send(_ result: PracticeResult) async throws {}
    func delete(_ recording: Identifier<Recording>) async throws {}
    func delete(_ result: Identifier<PracticeResult>) async throws {}

    func upload(
        _ recording: Recording, content: any RecordingContent, report: @Sendable (Int) async -> Void
    ) async throws {
        start.yield()
        for await _ in AsyncStream<Never>.makeStream().stream {}
        end.yield()
        try Task.checkCancellation()
    }
}
