// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Glibc
import Synchronization

/// The reason why a connection ends at its deadline.
enum DeadlineKind: UInt8, Sendable, CaseIterable {
    case header = 1
    case idle
    case body
    case write
    case linger

    /// The name in logs and metrics.
    var name: String {
        switch self {
        case .header: "header"
        case .idle: "idle"
        case .body: "body"
        case .write: "write"
        case .linger: "linger"
        }
    }
}

/// One connection, from accepting it until just before its socket is closed.
final class ServerConnection: Sendable {
    private struct State {
        var isOpen = true
        var hasHungUp = false
        var exchange: Exchange?
    }

    /// The id of this connection, unique in the server.
    let identifier: UInt64
    let socket: Int32
    let remoteAddress: SocketAddress?
    private let state = Guarded(State())
    private let deadlineNanoseconds = Atomic<Int64>(.max)
    private let deadlineKindCode = Atomic<UInt8>(0)

    init(identifier: UInt64, socket: Int32, remoteAddress: SocketAddress?) {
        self.identifier = identifier
        self.socket = socket
        self.remoteAddress = remoteAddress
    }

    var deadline: MonotonicTime {
        MonotonicTime(nanoseconds: deadlineNanoseconds.load(ordering: .sequentiallyConsistent))
    }

    var deadlineKind: DeadlineKind {
        DeadlineKind(rawValue: deadlineKindCode.load(ordering: .sequentiallyConsistent)) ?? .idle
    }

    /// Sets the deadline. Only the watch may call it, since it must know the deadline.
    func setDeadline(_ deadline: MonotonicTime, _ kind: DeadlineKind) {
        deadlineKindCode.store(kind.rawValue, ordering: .sequentiallyConsistent)
        deadlineNanoseconds.store(deadline.nanoseconds, ordering: .sequentiallyConsistent)
    }

    func clearDeadline() {
        deadlineNanoseconds.store(.max, ordering: .sequentiallyConsistent)
    }

    /// Removes the deadline, if it is still that one.
    func takeDeadline(_ deadline: MonotonicTime) -> Bool {
        deadlineNanoseconds.compareExchange(
            expected: deadline.nanoseconds, desired: .max, ordering: .sequentiallyConsistent
        ).exchanged
    }

    /// Sets the request that the connection handles.
    ///
    /// - Returns: True if the client has hung up already.
    func begin(_ exchange: Exchange) -> Bool {
        state.withLock { state in
            state.exchange = exchange
            return state.hasHungUp
        }
    }

    /// Removes the request.
    ///
    /// - Returns: True if the client has hung up.
    @discardableResult
    func end(_ exchange: Exchange) -> Bool {
        state.withLock { state in
            if state.exchange === exchange { state.exchange = nil }
            return state.hasHungUp
        }
    }

    var exchange: Exchange? { state.withLock { $0.exchange } }

    /// Notes that the client has closed its side.
    func hangUp() -> Exchange? {
        state.withLock { state in
            state.hasHungUp = true
            return state.exchange
        }
    }

    /// Ends both directions, if the socket is still this connection's; the library notices and closes it.
    func cut() {
        state.withLock { state in
            if state.isOpen { _ = shutdown(socket, SocketConstants.shutBoth) }
        }
    }

    /// Sends at once as much as fits into the socket's buffer.
    ///
    /// - Returns: True if all was sent.
    func sendNow(_ bytes: [UInt8]) -> Bool {
        state.withLock { state in
            guard state.isOpen else { return false }
            return send(socket, bytes, bytes.count, SocketConstants.noSignal | SocketConstants.dontWait) == bytes.count
        }
    }

    /// Shuts down the sending side.
    func finishSending() {
        state.withLock { state in
            if state.isOpen { _ = shutdown(socket, SocketConstants.shutWriting) }
        }
    }

    /// Shuts down the receiving side.
    func finishReceiving() {
        state.withLock { state in
            if state.isOpen { _ = shutdown(socket, SocketConstants.shutReading) }
        }
    }

    /// The socket is about to close, and its number may be used again.
    func close() {
        state.withLock { $0.isOpen = false }
    }
}
