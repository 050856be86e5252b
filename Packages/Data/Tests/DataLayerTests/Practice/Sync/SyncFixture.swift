// SPDX-License-Identifier: MIT

import Concurrency
import DataLayerTestSupport
import Diagnostics
import Digests
import Domain
import DomainTestSupport
import Foundation
import Security
import TestKit

@testable import DataLayer

/// An account's queue on the disk with the worker that empties it, and a receiver that fails as a test says.
struct SyncFixture {
    let folder: TemporaryFolder
    let time = ManualOutboxTime()
    let database: PracticeDatabase
    let queue: OutboxSyncQueue
    let gate: UploadGate
    let index: SQLiteRecordingIndex
    let results: SQLitePracticeRepository
    let sound = InMemoryRecordingRepository(hash: { Hexadecimal.text(try SHA256.hash($0)) })
    let receiver = ScriptedReceiver()
    let reports = SyncReports()

    init() async throws {
        folder = try TemporaryFolder()
        database = try await PracticeDatabase(path: folder.file("practice"))
        gate = try await SQLiteUploadConsentStore(database).openGate(of: "ada")
        queue = OutboxSyncQueue(database, account: "ada", clock: time.clock, random: SeededGenerator(seed: 1))
        index = SQLiteRecordingIndex(database, owner: "ada", queue: queue)
        results = SQLitePracticeRepository(database, owner: "ada", queue: queue)
    }

    func worker(
        to receiver: (any SyncReceiver)? = nil, clock: any Clock<Duration> = ScriptedClock(isFrozen: true),
        wakeup: SyncWakeup = SyncWakeup()
    ) -> OutboxSyncWorker {
        let receiver = receiver ?? self.receiver
        return OutboxSyncWorker(
            queue: queue, routes: [.recordings(sound, to: receiver), .results(results, to: receiver)], gate: gate,
            clock: clock, wakeup: wakeup)
    }

    func drain() async throws -> Int {
        try await worker().drain { [reports] in reports.add($0) }
    }

    func record(_ bytes: [UInt8] = [1, 2, 3]) async throws -> Recording {
        let recording = Recording(
            cue: .init(), createdAt: Date(timeIntervalSince1970: 1), duration: 1, format: .flac, sampleRate: 16_000,
            byteCount: bytes.count, contentHash: Hexadecimal.text(try SHA256.hash(bytes)))
        try await sound.store(recording, content: InMemoryContent(bytes))
        _ = try await index.insert(recording)
        return recording
    }

    static func add(to results: any PracticeRepository) async throws -> SyncItem.Work {
        let result = try PracticeSamples.result()
        try await results.store([result])
        return .send(.result, result.id)
    }
}

/// The reports of a worker, in order.
final class SyncReports: Sendable {
    private let reports = Guarded<[SyncReport]>([])

    var all: [SyncReport] { reports.withLock { $0 } }
    func add(_ report: SyncReport) { reports.withLock { $0.append(report) } }
}

/// Answers nothing until it is cancelled.
struct HangingReceiver: SyncReceiver {
    func send(_ result: PracticeResult) async throws { try await hang() }
    func delete(_ recording: Identifier<Recording>) async throws { try await hang() }
    func delete(_ result: Identifier<PracticeResult>) async throws { try await hang() }
    func upload(
        _ recording: Recording, content: any RecordingContent, report: @Sendable (Int) async -> Void
    ) async throws { try await hang() }

    private func hang() async throws {
        await untilCancelled()
        try Task.checkCancellation()
    }
}
