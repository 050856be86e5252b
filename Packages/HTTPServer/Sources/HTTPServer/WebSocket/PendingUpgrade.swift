// SPDX-License-Identifier: MIT

import Concurrency

/// Passes an upgraded socket from the library's thread to the handler's task, and reports that the server stops.
final class PendingUpgrade: Sendable {
    private struct State {
        var isOver = false
        var socket: UpgradedSocket?
    }

    private let state = Guarded(State())
    private let arrival = Promise<UpgradedSocket?>()
    private let stop = Promise<Void>()

    /// Passes the socket.
    ///
    /// - Returns: False after ``close()``.
    func resolve(_ socket: UpgradedSocket) -> Bool {
        let isWanted = state.withLock { state in
            guard !state.isOver else { return false }
            state.socket = socket
            return true
        }
        if isWanted { arrival.resolve(.success(socket)) }
        return isWanted
    }

    /// Waits for the socket; `nil` if the upgrade failed.
    func value() async -> UpgradedSocket? {
        let socket = try? await arrival.valueDespiteCancellation()
        return state.withLock { $0.isOver } ? nil : socket ?? nil
    }

    /// Waits until the server is about to stop, or the task is cancelled.
    func stopping() async { try? await stop.value() }

    /// Reports that the server is about to stop.
    func goAway() { stop.resolve() }

    /// Ends it, also after the socket was passed on.
    func close() {
        let socket = state.withLock { state in
            state.isOver = true
            return state.socket
        }
        arrival.resolve(.success(nil))
        stop.resolve()
        socket?.close()
    }
}
