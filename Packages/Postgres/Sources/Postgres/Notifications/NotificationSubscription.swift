// SPDX-License-Identifier: MIT

import Concurrency

/// One reader of a channel. The hub forgets it with its last reference.
final class NotificationSubscription: Sendable {
    private typealias Continuation = CheckedContinuation<PostgresNotification?, any Error>

    private struct State {
        var buffer = NotificationBuffer()
        var waiter: Continuation?
        var end: Result<PostgresNotification?, any Error>?
    }

    let channel: String
    private let state = Guarded(State())
    private let onEnd: @Sendable () -> Void

    /// - Parameter onEnd: Called when the reader has gone.
    init(channel: String, onEnd: @escaping @Sendable () -> Void) {
        (self.channel, self.onEnd) = (channel, onEnd)
    }

    deinit { onEnd() }

    func next() async throws -> PostgresNotification? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<PostgresNotification?, any Error>? in
                    if let next = state.buffer.next() { return .success(next) }
                    if let end = state.end { return end }
                    state.waiter = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
                if Task.isCancelled { wake() }
            }
        } onCancel: {
            wake()
        }
    }

    func add(_ payload: String) { change { $0.add(payload) } }

    func addBreak() { change { $0.addBreak() } }

    /// Ends the sequence, with an error or without.
    func finish(_ error: PostgresError?) {
        let end: Result<PostgresNotification?, any Error> = error.map { .failure($0) } ?? .success(nil)
        let waiter = state.withLock { state in
            state.end = state.end ?? end
            return state.waiter.take()
        }
        waiter?.resume(with: end)
    }

    private func change(_ body: (inout NotificationBuffer) -> Void) {
        let (waiter, next) = state.withLock { state -> (Continuation?, PostgresNotification?) in
            body(&state.buffer)
            guard state.waiter != nil, let next = state.buffer.next() else { return (nil, nil) }
            return (state.waiter.take(), next)
        }
        waiter?.resume(returning: next)
    }

    private func wake() { state.withLock { $0.waiter.take() }?.resume(returning: nil) }
}
