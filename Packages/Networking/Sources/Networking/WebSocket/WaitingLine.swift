// SPDX-License-Identifier: MIT

/// Tasks that wait for something in one actor, in the order in which they came. Belongs to that actor.
final class WaitingLine<Value: Sendable> {
    private var entries: ArraySlice<(identifier: UInt64, continuation: CheckedContinuation<Value, any Error>)> = []

    func add(_ identifier: UInt64, _ continuation: CheckedContinuation<Value, any Error>) {
        entries.append((identifier, continuation))
    }

    /// Resumes the one that waits longest; false if nobody waits.
    @discardableResult
    func resumeFirst(returning value: Value) -> Bool {
        guard let first = entries.popFirst() else { return false }
        first.continuation.resume(returning: value)
        return true
    }

    func resume(_ identifier: UInt64, with result: Result<Value, any Error>) {
        guard let index = entries.firstIndex(where: { $0.identifier == identifier }) else { return }
        entries.remove(at: index).continuation.resume(with: result)
    }

    func resumeAll(_ result: (_ identifier: UInt64) -> Result<Value, any Error>) {
        let all = entries
        entries = []
        for entry in all { entry.continuation.resume(with: result(entry.identifier)) }
    }

    /// Ends a wait because its task was cancelled.
    func cancel(_ identifier: UInt64) {
        resume(identifier, with: .failure(CancellationError()))
    }
}
