// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// Sends each event to every listener.
final class EventBroadcast: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<AuthEvent>.Continuation] = [:]
        var last = 0
        var isClosed = false
    }

    /// The number of events that wait for a slow listener before the oldest is lost.
    static let capacity = 64

    private let state = Guarded(State())

    /// A new listener, from now on.
    func listen() -> AsyncStream<AuthEvent> {
        let (stream, continuation) = AsyncStream<AuthEvent>.makeStream(bufferingPolicy: .bufferingNewest(Self.capacity))
        let number = state.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            state.last += 1
            state.listeners[state.last] = continuation
            return state.last
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            // The removed listener is released after the lock, since its release may end the stream.
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    func send(_ events: [AuthEvent]) {
        let listeners = state.withLock { $0.listeners.values.map { $0 } }
        for event in events {
            for listener in listeners { listener.yield(event) }
        }
    }

    func close() {
        let listeners = state.withLock { state in
            state.isClosed = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
