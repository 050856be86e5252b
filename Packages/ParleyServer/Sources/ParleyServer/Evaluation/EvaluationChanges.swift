// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Domain

/// Tells whoever waits for a recording's evaluation that there is something new to look at.
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

    /// Something of a recording of that name is new; whose, those who wait find out.
    func changed(_ recording: Identifier<Recording>) {
        let entries = state.withLock { state in
            state.waiting.values.compactMap { $0.recording == recording ? $0.entry : nil }
        }
        for entry in entries { entry.yield() }
    }

    /// The number of waiters; for tests.
    var count: Int { state.withLock { $0.waiting.count } }
}
