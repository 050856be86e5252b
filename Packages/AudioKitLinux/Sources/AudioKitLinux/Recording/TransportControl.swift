// SPDX-License-Identifier: MIT
import Concurrency
internal import Diagnostics

/// The buttons of a recorder or a player, for another task to press.
public final class TransportControl: Sendable {
    fileprivate struct State {
        var isPaused = false
        var isStopped = false
        /// Why the device is to be another one.
        var replacement: AudioError?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Guarded(State())

    /// Makes buttons that nobody has pressed.
    public init() {}

    /// True if it rests until `resume()` or `stop()`.
    public var isPaused: Bool { state.withLock { $0.isPaused && !$0.isStopped } }

    /// True if it has ended, or is about to.
    public var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Rests, or goes on.
    public func togglePause() {
        state.withLock { state in
            state.isPaused.toggle()
            return state.isPaused ? nil : state.takeWaiter()
        }?.resume()
    }

    /// Rests; no change when it does.
    public func pause() { state.withLock { $0.isPaused = true } }

    /// Goes on; no change when it does.
    public func resume() {
        state.withLock { state in
            state.isPaused = false
            return state.takeWaiter()
        }?.resume()
    }

    /// Ends it in order.
    public func stop() {
        state.withLock { state in
            state.isStopped = true
            return state.takeWaiter()
        }?.resume()
    }

    /// Has a recorder leave its device and look for another one, as if that had gone.
    ///
    /// - Parameter reason: What the recorder's `Replacement` is told.
    public func replaceDevice(_ reason: AudioError) { state.withLock { $0.replacement = reason } }

    /// Why the device is to be replaced, once.
    func takeReplacement() -> AudioError? {
        state.withLock { state in
            defer { state.replacement = nil }
            return state.replacement
        }
    }

    /// Waits while it rests; one task at a time.
    func waitWhilePaused() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    guard state.isPaused, !state.isStopped, !Task.isCancelled else { return true }
                    state.waiter = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.takeWaiter() }?.resume()
        }
    }
}

extension TransportControl.State {
    fileprivate mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
        defer { waiter = nil }
        return waiter
    }
}
