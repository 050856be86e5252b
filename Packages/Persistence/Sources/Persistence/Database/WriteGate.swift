// SPDX-License-Identifier: MIT

import Concurrency

/// Lets writes through one at a time, in order. A waiting write can be cancelled at once; in the queue of an actor it
/// would notice only at its turn.
final class WriteGate: Sendable {
    private typealias Continuation = CheckedContinuation<Void, any Error>

    private struct State {
        var isTaken = false
        var waiters: [(id: UInt64, continuation: Continuation)] = []
        var nextID: UInt64 = 0
    }

    private let state = Guarded(State())

    /// Runs a closure at its turn.
    ///
    /// - Throws: The closure's error; `CancellationError` when the task is cancelled before its turn; ``DatabaseError``
    ///   (`transactionOpen`) when the task would wait for itself.
    func pass<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        if !takeIfFree() {
            try OpenTurn.checkWait(for: self)
            try await waitForTurn()
        }
        defer { leave() }
        return try await body()
    }

    private func takeIfFree() -> Bool {
        state.withLock { state in
            if state.isTaken { return false }
            state.isTaken = true
            return true
        }
    }

    private func waitForTurn() async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: Continuation) in
                let isFree = state.withLock { state in
                    if state.isTaken { state.waiters.append((id, continuation)) }
                    defer { state.isTaken = true }
                    return !state.isTaken
                }
                if isFree { continuation.resume() }
                // A cancellation before the waiter was in the queue did not find it there.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: UInt64) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0).continuation }
        }
        waiter?.resume(throwing: CancellationError())
    }

    private func leave() {
        let next = state.withLock { state in
            if state.waiters.isEmpty {
                state.isTaken = false
                return Continuation?.none
            }
            return state.waiters.removeFirst().continuation
        }
        next?.resume()
    }
}
