// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Domain

/// Notifies the tasks that wait for a recording's evaluation of changes.
final class EvaluationChanges: Sendable {
    private struct State {
        var waiting: [Int: (recording: Identifier<Recording>, entry: AsyncStream<Void>.Continuation)] = [:]
        var next = 0
    }

    private let state = Guarded(State())

    /// An element at once, and one after each change; several changes may be one. It ends with the task that iterates.
    func stream(of recording: Identifier<Recording>) -> AsyncStream<Void> {
        let (stream, entry) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            defer { state.next += 1 }
            state.waiting[state.next] = (recording, entry)
            return state.next
        }
        entry.onTermination = { [weak self] _ in _ = self?.state.withLock { $0.waiting.removeValue(forKey: number) } }
        entry.yield()
        return stream
    }

    /// Notes a change of a recording with that id; the waiting tasks check the account.
    func changed(_ recording: Identifier<Recording>) {
        let entries = state.withLock { state in
            state.waiting.values.compactMap { $0.recording == recording ? $0.entry : nil }
        }
        for entry in entries { entry.yield() }
    }

    /// The number of waiters; for tests.
    var count: Int { state.withLock { $0.waiting.count } }
}
