// SPDX-License-Identifier: MIT

import Diagnostics
import Networking

/// The way of an upgraded socket from the library's thread to the handler's task, and what is to be closed when the
/// server stops.
final class PendingUpgrade: Sendable {
    private struct State {
        var isOver = false
        var isStopping = false
        var socket: UpgradedSocket?
        var waiter: CheckedContinuation<UpgradedSocket?, Never>?
        var webSocket: WebSocketConnection?
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

    /// The connection that runs on the socket.
    ///
    /// - Returns: Whether it is to be closed at once.
    func attach(_ webSocket: WebSocketConnection) -> Bool {
        state.withLock { state in
            state.webSocket = webSocket
            return state.isStopping
        }
    }

    /// The server is about to stop.
    ///
    /// - Returns: What should be told.
    func goAway() -> WebSocketConnection? {
        state.withLock { state in
            state.isStopping = true
            return state.webSocket
        }
    }

    /// Ends it, whatever it has come to.
    func close() {
        let (socket, waiter) = state.withLock { state in
            state.isOver = true
            defer { (state.waiter, state.webSocket) = (nil, nil) }
            return (state.socket, state.waiter)
        }
        waiter?.resume(returning: nil)
        socket?.close()
    }
}
