// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// The first of several ends of something, for one who waits.
final class FirstOutcome<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, any Error>)
        case ended(Result<Value, any Error>)
    }

    private let state = Guarded(State.open)

    /// Ends it, unless it has ended.
    func resolve(_ result: Result<Value, any Error>) {
        let continuation: CheckedContinuation<Value, any Error>? = state.withLock { state in
            switch state {
            case .open:
                state = .ended(result)
                return nil
            case .awaited(let continuation):
                state = .ended(result)
                return continuation
            case .ended: return nil
            }
        }
        continuation?.resume(with: result)
    }

    /// Waits for the end.
    ///
    /// - Throws: What it ended with; `CancellationError` when the task is cancelled, which ends it.
    func value() async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let ended: Result<Value, any Error>? = state.withLock { state in
                    if case .ended(let result) = state { return result }
                    state = .awaited(continuation)
                    return nil
                }
                if let ended { continuation.resume(with: ended) }
            }
        } onCancel: {
            resolve(.failure(CancellationError()))
        }
    }
}
