// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// The queue between the delivery thread and the stream's consumer: a ring that drops the oldest buffer when full.
final class CaptureQueue: Sendable {
    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<CapturedBuffer?, any Error>
    }

    private struct State {
        var ring: [CapturedBuffer?]
        var first = 0
        var count = 0
        var end: Result<Void, AudioError>?
        var waiters: [Waiter] = []
        var nextID = 0
        var statistics = StreamStatistics()

        /// Doubles the capacity.
        mutating func grow() {
            ring = Array(ring[first...] + ring[..<first])
            first = 0
            ring += [CapturedBuffer?](repeating: nil, count: ring.count)
        }
    }

    private let state: Guarded<State>
    private let space: WakeSignal

    /// `capacity` in buffers; `space` is signalled when a consumer takes one from a full queue.
    init(capacity: Int, space: WakeSignal) {
        self.space = space
        state = Guarded(State(ring: [CapturedBuffer?](repeating: nil, count: max(1, capacity))))
    }

    var isFull: Bool { state.withLock { $0.count == $0.ring.count } }
    var statistics: StreamStatistics { state.withLock { $0.statistics } }

    /// Appends a buffer before which `lost` frames are missing. Drops the oldest if the queue is full, unless `isLast`
    /// is true: a stream that was stopped delivers everything.
    func push(_ buffer: CapturedBuffer, lost: Int, isLast: Bool) {
        let waiter = state.withLock { state -> Waiter? in
            state.statistics.lost += lost
            if !state.waiters.isEmpty { return state.waiters.removeFirst() }
            if state.count == state.ring.count, isLast { state.grow() }
            if state.count == state.ring.count {
                state.first = (state.first + 1) % state.ring.count
                state.count -= 1
                state.statistics.dropped += 1
            }
            state.ring[(state.first + state.count) % state.ring.count] = buffer
            state.count += 1
            return nil
        }
        waiter?.continuation.resume(returning: buffer)
    }

    /// Ends the stream after what is queued: quietly, or with an error. The first end counts.
    func finish(_ end: Result<Void, AudioError>) {
        let waiters = state.withLock { state -> [Waiter] in
            if state.end == nil { state.end = end }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { Self.resume(waiter.continuation, end) }
    }

    /// The next buffer; nil at the end and when the task is cancelled.
    func next() async throws -> CapturedBuffer? {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                take(Waiter(id: id, continuation: continuation))
                // Cancelled before it waited: the handler found no waiting consumer.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private enum Step {
        case wait
        case deliver(CapturedBuffer, wasFull: Bool)
        case end(Result<Void, AudioError>)
    }

    private func take(_ waiter: Waiter) {
        let step = state.withLock { state -> Step in
            if state.count > 0, let buffer = state.ring[state.first] {
                let wasFull = state.count == state.ring.count
                state.ring[state.first] = nil
                state.first = (state.first + 1) % state.ring.count
                state.count -= 1
                return .deliver(buffer, wasFull: wasFull)
            }
            if let end = state.end { return .end(end) }
            state.waiters.append(waiter)
            return .wait
        }
        switch step {
        case .wait: break
        case .deliver(let buffer, let wasFull):
            if wasFull { space.signal() }
            waiter.continuation.resume(returning: buffer)
        case .end(let end): Self.resume(waiter.continuation, end)
        }
    }

    private func cancel(_ id: Int) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiters.remove(at: index)
        }
        waiter?.continuation.resume(returning: nil)
    }

    private static func resume(
        _ continuation: CheckedContinuation<CapturedBuffer?, any Error>, _ end: Result<Void, AudioError>
    ) {
        switch end {
        case .success: continuation.resume(returning: nil)
        case .failure(let error): continuation.resume(throwing: error)
        }
    }
}
