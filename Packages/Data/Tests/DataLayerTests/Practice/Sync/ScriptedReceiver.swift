// SPDX-License-Identifier: MIT

import DataLayer
import Domain

/// A server that takes each thing once, and fails as it is told.
actor ScriptedReceiver: SyncReceiver {
    private(set) var results: [Identifier<PracticeResult>] = []
    private(set) var recordings: [Identifier<Recording>: [UInt8]] = [:]
    private(set) var deleted: [Identifier<Recording>] = []
    private(set) var deletedResults: [Identifier<PracticeResult>] = []
    /// Each call, in order, the failed ones included.
    private(set) var calls: [SyncItem.Work] = []
    /// What the next calls throw; an error after the effect when `isLate`.
    private var failures: [(error: any Error, isLate: Bool)] = []
    private var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    func fail(_ errors: any Error..., isLate: Bool = false) { failures += errors.map { ($0, isLate) } }

    /// Returns when there were so many calls.
    func waitForCalls(_ count: Int) async {
        if calls.count >= count { return }
        await withCheckedContinuation { waiters.append((count, $0)) }
    }

    func send(_ result: PracticeResult) async throws {
        try carryOut(.sendResult(result.id)) {
            if !results.contains(result.id) { results.append(result.id) }
        }
    }

    func upload(
        _ recording: Recording, content: any RecordingContent, report: @Sendable (Int) async -> Void
    ) async throws {
        let bytes = try await content.bytes(at: 0, maximum: content.byteCount)
        await report(bytes.count)
        try carryOut(.uploadRecording(recording.id)) { recordings[recording.id] = bytes }
    }

    func delete(_ recording: Identifier<Recording>) async throws {
        try carryOut(.deleteRecording(recording)) {
            recordings[recording] = nil
            deleted.append(recording)
        }
    }

    func delete(_ result: Identifier<PracticeResult>) async throws {
        try carryOut(.deleteResult(result)) {
            results.removeAll { $0 == result }
            deletedResults.append(result)
        }
    }

    private func carryOut(_ work: SyncItem.Work, _ effect: () -> Void) throws {
        calls.append(work)
        for waiter in waiters where calls.count >= waiter.count { waiter.continuation.resume() }
        waiters.removeAll { calls.count >= $0.count }
        let failure = failures.isEmpty ? nil : failures.removeFirst()
        if failure?.isLate ?? true { effect() }
        if let failure { throw failure.error }
    }
}
