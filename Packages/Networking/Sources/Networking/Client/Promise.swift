// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// A value that one task waits for and another gives. Cancelling the waiting task ends the wait.
final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, any Error>)
        case kept(Result<Value, any Error>)
    }

    private let state = Guarded(State.open)

    /// Gives the value.
    ///
    /// - Returns: False if it was given before, or if nobody waits for it any more.
    @discardableResult
    func resolve(_ result: Result<Value, any Error>) -> Bool {
        let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Value, any Error>?) in
            switch state {
            case .open:
                state = .kept(result)
                return (true, nil)
            case .awaited(let continuation):
                state = .kept(result)
                return (true, continuation)
            case .kept: return (false, nil)
            }
        }
        continuation?.resume(with: result)
        return isFirst
    }

    /// Waits for the value. For one task only.
    func value() async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let kept: Result<Value, any Error>? = state.withLock { state in
                    if case .kept(let result) = state { return result }
                    state = .awaited(continuation)
                    return nil
                }
                if let kept { continuation.resume(with: kept) }
            }
        } onCancel: {
            resolve(.failure(CancellationError()))
        }
    }
}
