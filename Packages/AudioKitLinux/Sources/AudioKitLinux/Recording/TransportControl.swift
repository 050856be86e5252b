// SPDX-License-Identifier: MIT
import Concurrency
internal import Diagnostics

/// The buttons of a recorder or a player, for use by another task.
public final class TransportControl: Sendable {
    fileprivate struct State {
        var isPaused = false
        var isStopped = false
        /// The reason for replacing the device; nil without a request.
        var replacement: AudioError?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Guarded(State())

    /// Makes a control that is neither paused nor stopped.
    public init() {}

    /// True while paused, until `resume()` or `stop()`.
    public var isPaused: Bool { state.withLock { $0.isPaused && !$0.isStopped } }

    /// True once it was stopped.
    public var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Pauses or resumes.
    public func togglePause() {
        state.withLock { state in
            state.isPaused.toggle()
            return state.isPaused ? nil : state.takeWaiter()
        }?.resume()
    }

    /// Pauses; has no effect while paused.
    public func pause() { state.withLock { $0.isPaused = true } }

    /// Resumes; has no effect unless paused.
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

    /// Makes a recorder leave its device and look for another one, as if that had failed.
    ///
    /// - Parameter reason: The error that the recorder's `Replacement` gets.
    public func replaceDevice(_ reason: AudioError) { state.withLock { $0.replacement = reason } }

    /// The reason for replacing the device; nil after the first call.
    func takeReplacement() -> AudioError? {
        state.withLock { state in
            defer { state.replacement = nil }
            return state.replacement
        }
    }

    /// Waits while paused; one task at a time.
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
