// SPDX-License-Identifier: MIT

import Concurrency
import Domain

/// Notifies the tasks that wait for a recording's evaluation of changes.
final class EvaluationChanges: Sendable {
    /// A recording that a task waits for.
    struct Awaited: Sendable, Hashable {
        let account: String
        let recording: Identifier<Recording>
    }

    private struct State {
        var waiting: [Int: (awaited: Awaited, entry: AsyncStream<Void>.Continuation)] = [:]
        var next = 0
        var isClosed = false
    }

    private let hints: ChangeHints?
    private let state = Guarded(State())

    /// - Parameter hints: Tells the other instances.
    init(hints: ChangeHints? = nil) {
        self.hints = hints
    }

    /// An element at once, and one after each change; several changes may be one. It ends with the task that iterates.
    func stream(of recording: Identifier<Recording>, account: String) -> AsyncStream<Void> {
        let (stream, entry) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (number, isClosed) = state.withLock { state in
            defer { state.next += 1 }
            state.waiting[state.next] = (Awaited(account: account, recording: recording), entry)
            return (state.next, state.isClosed)
        }
        entry.onTermination = { [weak self] _ in _ = self?.state.withLock { $0.waiting.removeValue(forKey: number) } }
        entry.yield()
        if isClosed { entry.finish() }
        return stream
    }

    /// Notes a change of a recording with that id; the waiting tasks check the account.
    func changed(_ recording: Identifier<Recording>) {
        wake(recording)
        hints?.add(.evaluation(recording))
    }

    /// Lets the waiting tasks of this instance look at a recording.
    func wake(_ recording: Identifier<Recording>) {
        let entries = state.withLock { state in
            state.waiting.values.compactMap { $0.awaited.recording == recording ? $0.entry : nil }
        }
        for entry in entries { entry.yield() }
    }

    /// Lets every waiting task look at its recording.
    func wakeAll() {
        for waiter in state.withLock({ Array($0.waiting.values) }) { waiter.entry.yield() }
    }

    /// Ends every stream, and each later one after its first element. The clients then come back to another instance.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            return Array(state.waiting.values)
        }
        for waiter in waiting { waiter.entry.finish() }
    }

    /// The recordings that tasks wait for.
    var awaited: Set<Awaited> { state.withLock { Set($0.waiting.values.map(\.awaited)) } }

    /// The number of waiters; for tests.
    var count: Int { state.withLock { $0.waiting.count } }
}
