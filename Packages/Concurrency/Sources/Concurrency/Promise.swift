// SPDX-License-Identifier: MIT

/// A value that arrives later, once, for any number of waiting tasks.
public final class Promise<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, any Error>?
        var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
        var cancelled: Set<Int> = []
        var next = 0
    }

    private let state = Guarded(State())

    /// A promise without a value yet.
    public init() {}

    /// Sets the value.
    ///
    /// - Returns: False if it was set before, or given up by ``valueOrGivingUp()``; the call then does nothing.
    @discardableResult
    public func resolve(_ result: Result<Value, any Error>) -> Bool {
        let waiting = state.withLock { state -> [Int: CheckedContinuation<Value, any Error>]? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in (waiting ?? [:]).values { continuation.resume(with: result) }
        return waiting != nil
    }

    /// Waits for the value.
    ///
    /// - Throws: The error that it was resolved with; `CancellationError`, which ends only this task's wait.
    public func value() async throws -> Value {
        let number = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        return try await withTaskCancellationHandler {
            try await wait(number)
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

    /// Waits for the value, as its only receiver: cancelling the task gives the promise up, so that ``resolve(_:)``
    /// returns false, and its caller can serve the next instead.
    ///
    /// - Throws: As ``value()``.
    public func valueOrGivingUp() async throws -> Value {
        try await withTaskCancellationHandler {
            try await valueDespiteCancellation()
        } onCancel: {
            resolve(.failure(CancellationError()))
        }
    }

    /// Waits for the value, even if the task is cancelled.
    ///
    /// - Throws: The error that it was resolved with.
    public func valueDespiteCancellation() async throws -> Value {
        try await wait(
            state.withLock { state in
                defer { state.next += 1 }
                return state.next
            })
    }

    private func wait(_ number: Int) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let early = state.withLock { state -> Result<Value, any Error>? in
                if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
                if let result = state.result { return result }
                state.waiting[number] = continuation
                return nil
            }
            if let early { continuation.resume(with: early) }
        }
    }
}

extension Promise<Void> {
    /// Sends the signal to the waiting tasks.
    @discardableResult
    public func resolve() -> Bool { resolve(.success(())) }
}
