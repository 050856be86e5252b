// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// A value that comes later, once, for any number of waiting tasks. Cancelling a task ends its wait alone.
final class Deferred<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, any Error>?
        var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
        var cancelled: Set<Int> = []
        var next = 0
    }

    private let state = Guarded(State())

    /// Gives the value; later ones are ignored.
    func resolve(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
            guard state.result == nil else { return [] }
            state.result = result
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(with: result) }
    }

    /// Waits for the value.
    func value() async throws -> Value {
        let number = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let early: Result<Value, any Error>? = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
                    if let result = state.result { return result }
                    state.waiting[number] = continuation
                    return nil
                }
                if let early { continuation.resume(with: early) }
            }
        } onCancel: {
            let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
                guard state.result == nil else { return nil }
                if let continuation = state.waiting.removeValue(forKey: number) { return continuation }
                state.cancelled.insert(number)
                return nil
            }
            continuation?.resume(throwing: CancellationError())
        }
    }
}
