// SPDX-License-Identifier: MIT

import Diagnostics
import Synchronization

/// `PlaybackState` behind a lock, with tasks that wait on one side and the playback thread on the other.
final class PlaybackQueue: Sendable {
    private let state: Guarded<PlaybackState>
    private let wake: WakeSignal
    private let nextID = Atomic(0)
    /// Frames per second of real time.
    let rate: Double

    init(format: AudioFormat, limit: Int, rate: Double, wake: WakeSignal) {
        state = Guarded(PlaybackState(format: format, limit: limit))
        self.rate = rate
        self.wake = wake
    }

    /// Changes the state and wakes whoever waited for that.
    @discardableResult
    func update<Result: Sendable>(_ body: (inout PlaybackState) -> Result) -> Result {
        let (result, ready) = state.withLock { state in
            let result = body(&state)
            return (result, state.settle(rate: rate))
        }
        for (waiter, outcome) in ready { waiter.continuation.resume(returning: outcome) }
        return result
    }

    /// Looks at the state.
    func read<Result: Sendable>(_ body: (borrowing PlaybackState) -> Result) -> Result {
        state.withLock { body($0) }
    }

    /// Lets the playback thread look at the state.
    func signal() { wake.signal() }

    /// Waits until a wish comes true, the stream ends, or the task is cancelled.
    func wait(for wish: PlaybackState.Wish) async -> PlaybackState.Outcome {
        let id = nextID.add(1, ordering: .relaxed).newValue
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = state.withLock { state -> PlaybackState.Outcome? in
                    if let outcome = state.outcome(of: wish, rate: rate) { return outcome }
                    state.add(PlaybackState.Waiter(id: id, wish: wish, continuation: continuation))
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
                // Cancelled before it waited: the handler found nobody to wake.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: Int) {
        let waiter = state.withLock { $0.remove(id) }
        waiter?.continuation.resume(returning: .cancelled)
    }
}
