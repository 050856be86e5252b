// SPDX-License-Identifier: MIT

import DataLayer
package import Domain

/// A server that takes each item once, and fails by script.
package actor ScriptedReceiver: SyncReceiver {
    package private(set) var results: [Identifier<PracticeResult>] = []
    package private(set) var recordings: [Identifier<Recording>: [UInt8]] = [:]
    package private(set) var deleted: [Identifier<Recording>] = []
    package private(set) var deletedResults: [Identifier<PracticeResult>] = []
    /// Each call, in order, the failed ones included.
    package private(set) var calls: [SyncItem.Work] = []
    /// The errors of the next calls; an error follows the effect if `isLate`.
    private var failures: [(error: any Error, isLate: Bool)] = []
    private var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    package init() {}

    /// Makes the next calls fail.
    package func fail(_ errors: any Error..., isLate: Bool = false) { failures += errors.map { ($0, isLate) } }

    /// Returns after `count` calls in all.
    package func waitForCalls(_ count: Int) async {
        if calls.count >= count { return }
        await withCheckedContinuation { waiters.append((count, $0)) }
    }

    package func send(_ result: PracticeResult) async throws {
        try carryOut(.send(.result, result.id)) {
            if !results.contains(result.id) { results.append(result.id) }
        }
    }

    package func upload(
        _ recording: Recording, content: any RecordingContent, report: @Sendable (Int) async -> Void
    ) async throws {
        let bytes = try await content.bytes(at: 0, maximum: content.byteCount)
        await report(bytes.count)
        try carryOut(.send(.recording, recording.id)) { recordings[recording.id] = bytes }
    }

    package func delete(_ recording: Identifier<Recording>) async throws {
        try carryOut(.delete(.recording, recording)) {
            recordings[recording] = nil
            deleted.append(recording)
        }
    }

    package func delete(_ result: Identifier<PracticeResult>) async throws {
        try carryOut(.delete(.result, result)) {
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
