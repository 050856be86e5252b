// SPDX-License-Identifier: MIT

import Diagnostics

/// Lets one task through at a time, in the order in which they came. Whoever is cancelled leaves the line.
final class SendLine: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [(identifier: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
        var lastIdentifier: UInt64 = 0
    }

    private let state = Guarded(State())

    /// Waits for its turn. Call ``leave()`` after it.
    ///
    /// - Throws: `CancellationError`; the turn is then another's.
    func enter() async throws {
        let identifier = state.withLock { state -> UInt64 in
            state.lastIdentifier += 1
            return state.lastIdentifier
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let isFree = state.withLock { state in
                    if !state.isTaken {
                        state.isTaken = true
                        return true
                    }
                    state.waiting.append((identifier, continuation))
                    return false
                }
                if isFree { return continuation.resume() }
                // The handler below may have come before the entry.
                if Task.isCancelled { cancel(identifier) }
            }
        } onCancel: {
            cancel(identifier)
        }
    }

    /// Lets the next one through.
    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume()
    }

    private func cancel(_ identifier: UInt64) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard let index = state.waiting.firstIndex(where: { $0.identifier == identifier }) else { return nil }
            return state.waiting.remove(at: index).continuation
        }
        continuation?.resume(throwing: CancellationError())
    }
}
