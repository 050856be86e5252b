// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// Tasks that wait for an event in one actor, in their order of arrival. The actor resumes them; cancelling a task
/// takes it out of the line at once, from any thread.
final class WaitingLine<Value: Sendable>: Sendable {
    private struct Entry {
        let identifier: UInt64
        let continuation: CheckedContinuation<Value, any Error>
        /// True if cancelling has no effect any more.
        var isCommitted = false
    }

    private let entries = Guarded<ArraySlice<Entry>>([])

    /// Waits in the line, from the moment of the call: nothing else may run in the actor between the caller's look at
    /// the state and the wait, or a wake-up would be missed.
    ///
    /// - Throws: The error that the line is resumed with, or `CancellationError`.
    func wait(_ identifier: UInt64, isolation: isolated any Actor = #isolation) async throws -> Value {
        try await withTaskCancellationHandler(
            operation: {
                try await withCheckedThrowingContinuation(isolation: isolation) { continuation in
                    // Only a closure that captures the actor stays in it.
                    isolation.assertIsolated()
                    entries.withLock { $0.append(Entry(identifier: identifier, continuation: continuation)) }
                    // The handler below may have run before the entry.
                    if Task.isCancelled { cancel(identifier) }
                }
            },
            onCancel: { cancel(identifier) },
            isolation: isolation)
    }

    /// Makes a wait one that cancelling does not end.
    ///
    /// - Returns: False if it has ended already.
    func commit(_ identifier: UInt64) -> Bool {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.identifier == identifier }) else { return false }
            entries[index].isCommitted = true
            return true
        }
    }

    /// Resumes the task that waits longest; false if none waits.
    @discardableResult
    func resumeFirst(returning value: Value) -> Bool {
        guard let first = entries.withLock({ $0.popFirst() }) else { return false }
        first.continuation.resume(returning: value)
        return true
    }

    func resume(_ identifier: UInt64, returning value: Value) {
        remove(identifier)?.continuation.resume(returning: value)
    }

    func resumeAll(_ result: (_ identifier: UInt64) -> Result<Value, any Error>) {
        let all = entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
        for entry in all { entry.continuation.resume(with: result(entry.identifier)) }
    }

    private func cancel(_ identifier: UInt64) {
        remove(identifier) { !$0.isCommitted }?.continuation.resume(throwing: CancellationError())
    }

    private func remove(_ identifier: UInt64, if mayLeave: (Entry) -> Bool = { _ in true }) -> Entry? {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.identifier == identifier }), mayLeave(entries[index])
            else { return nil }
            return entries.remove(at: index)
        }
    }
}
