// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// The way of an upgraded socket from the library's thread to the handler's task, and the news that the server stops.
final class PendingUpgrade: Sendable {
    private struct State {
        var isOver = false
        var isStopping = false
        var socket: UpgradedSocket?
        var waiter: CheckedContinuation<UpgradedSocket?, Never>?
        var stop: CheckedContinuation<Void, Never>?
    }

    private let state = Guarded(State())

    /// Gives the socket.
    ///
    /// - Returns: False if nobody will want it any more.
    func resolve(_ socket: UpgradedSocket) -> Bool {
        let (isWanted, waiter) = state.withLock { state -> (Bool, CheckedContinuation<UpgradedSocket?, Never>?) in
            guard !state.isOver else { return (false, nil) }
            state.socket = socket
            defer { state.waiter = nil }
            return (true, state.waiter)
        }
        waiter?.resume(returning: socket)
        return isWanted
    }

    /// Waits for the socket; `nil` if there will be none. For one task.
    func value() async -> UpgradedSocket? {
        await withCheckedContinuation { continuation in
            let (isDecided, socket) = state.withLock { state -> (Bool, UpgradedSocket?) in
                if state.isOver || state.socket != nil { return (true, state.isOver ? nil : state.socket) }
                state.waiter = continuation
                return (false, nil)
            }
            if isDecided { continuation.resume(returning: socket) }
        }
    }

    /// Waits until the server is about to stop, or the task is cancelled. For one task.
    func stopping() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isNow = state.withLock { state in
                    if state.isStopping || state.isOver || Task.isCancelled { return true }
                    state.stop = continuation
                    return false
                }
                if isNow { continuation.resume() }
            }
        } onCancel: {
            takeStop()?.resume()
        }
    }

    /// The server is about to stop.
    func goAway() {
        state.withLock { $0.isStopping = true }
        takeStop()?.resume()
    }

    private func takeStop() -> CheckedContinuation<Void, Never>? {
        state.withLock { state in
            defer { state.stop = nil }
            return state.stop
        }
    }

    /// Ends it, whatever it has come to.
    func close() {
        let (socket, waiter) = state.withLock { state in
            state.isOver = true
            defer { state.waiter = nil }
            return (state.socket, state.waiter)
        }
        waiter?.resume(returning: nil)
        takeStop()?.resume()
        socket?.close()
    }
}
