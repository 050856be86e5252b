// SPDX-License-Identifier: MIT

import CMicroHTTPD
import Concurrency
import Diagnostics
import Glibc
import Synchronization

/// Why a connection has to end if nothing happens until its deadline.
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

    /// A number that no other connection of this server has.
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

    /// To be called through the watch only, which has to know of it.
    func setDeadline(_ deadline: MonotonicTime, _ kind: DeadlineKind) {
        deadlineKindCode.store(kind.rawValue, ordering: .sequentiallyConsistent)
        deadlineNanoseconds.store(deadline.nanoseconds, ordering: .sequentiallyConsistent)
    }

    func clearDeadline() {
        deadlineNanoseconds.store(.max, ordering: .sequentiallyConsistent)
    }

    /// Takes the deadline away, if it is still that one.
    func takeDeadline(_ deadline: MonotonicTime) -> Bool {
        deadlineNanoseconds.compareExchange(
            expected: deadline.nanoseconds, desired: .max, ordering: .sequentiallyConsistent
        ).exchanged
    }

    /// The request that the connection works at.
    ///
    /// - Returns: Whether the client has hung up already.
    func begin(_ exchange: Exchange) -> Bool {
        state.withLock { state in
            state.exchange = exchange
            return state.hasHungUp
        }
    }

    /// - Returns: Whether the client has hung up.
    @discardableResult
    func end(_ exchange: Exchange) -> Bool {
        state.withLock { state in
            if state.exchange === exchange { state.exchange = nil }
            return state.hasHungUp
        }
    }

    var exchange: Exchange? { state.withLock { $0.exchange } }

    /// The client has closed its side.
    func hangUp() -> Exchange? {
        state.withLock { state in
            state.hasHungUp = true
            return state.exchange
        }
    }

    /// Ends both directions, if the socket is still this connection's; the library notices and closes it.
    func cut() {
        state.withLock { state in
            if state.isOpen { _ = shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Sends what fits into the socket's buffer at once.
    ///
    /// - Returns: Whether it was all.
    func sendNow(_ bytes: [UInt8]) -> Bool {
        state.withLock { state in
            guard state.isOpen else { return false }
            return send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) == bytes.count
        }
    }

    /// Sends nothing more.
    func finishSending() {
        state.withLock { state in
            if state.isOpen { _ = shutdown(socket, Int32(SHUT_WR)) }
        }
    }

    /// Takes nothing more.
    func finishReceiving() {
        state.withLock { state in
            if state.isOpen { _ = shutdown(socket, Int32(SHUT_RD)) }
        }
    }

    /// The socket is about to be closed, and its number to be used again.
    func close() {
        state.withLock { $0.isOpen = false }
    }
}
