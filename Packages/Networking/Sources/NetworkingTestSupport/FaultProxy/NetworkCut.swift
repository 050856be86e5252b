// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Glibc
import Networking

/// A TCP proxy on the loopback interface before a real server, by which a test takes the network away: at once, or at the moment
/// when a chosen request passes. It stands between the two in the clear; requests on one connection come one after the other.
public final class NetworkCut: Sendable {
    /// Where in an exchange the network goes.
    public enum Moment: Sendable, Hashable {
        /// Before anything of the request gets to the server.
        case beforeRequest
        /// When so many bytes of the request, from its first on, have got there.
        case inRequest(Int)
        /// When the server has answered, and nothing of it has got back.
        case beforeAnswer
        /// When so many bytes of the answer have got back.
        case inAnswer(Int)
    }

    /// What the network goes at, once.
    public struct Trigger: Sendable, Hashable {
        /// The request's method.
        public let method: String
        /// What its path has in it: `/uploads/`.
        public let path: String
        /// Where in the exchange.
        public let moment: Moment
        /// True if the network stays away until ``NetworkCut/restore()``; else only the connections of that moment break.
        public let isLasting: Bool

        /// A trigger.
        public init(_ method: String, _ path: String, _ moment: Moment, isLasting: Bool = true) {
            self.method = method
            self.path = path
            self.moment = moment
            self.isLasting = isLasting
        }
    }

    /// What the loop and its owner share.
    struct State {
        var isDown = false
        var trigger: Trigger?
        var count = 0
    }

    /// The port of 127.0.0.1 that the proxy listens on.
    public let port: UInt16
    private let state: Shared
    private let control: Guarded<Int32>

    final class Shared: Sendable {
        let value = Guarded(State())
    }

    /// Starts a proxy on a free port.
    ///
    /// - Parameter server: The server's port of 127.0.0.1.
    /// - Throws: `NetworkError` with the code `other` when the system has no socket left.
    public init(before server: UInt16) throws {
        var ends: [Int32] = [-1, -1]
        guard let (listener, port) = ProxySocket.listen(), Glibc.pipe(&ends) == 0 else {
            throw NetworkError(code: .other, message: "The system gave no socket.")
        }
        ends.forEach { _ = fcntl($0, F_SETFD, FD_CLOEXEC) }
        self.port = port
        state = Shared()
        control = Guarded(ends[1])
        let (orders, state) = (ends[0], state)
        let isRunning = DetachedThread.start {
            var loop = NetworkCutLoop(listener: listener, orders: orders, server: server, state: state)
            loop.run()
        }
        guard isRunning else { throw NetworkError(code: .other, message: "The system gave no thread.") }
    }

    deinit { close() }

    /// Waits for a request to take the network away at.
    public func arm(_ trigger: Trigger) { state.value.withLock { $0.trigger = trigger } }

    /// Takes the network away: what is connected is reset, and whoever connects, too.
    public func cut() {
        state.value.withLock { $0.isDown = true }
        tell()
    }

    /// The network is back.
    public func restore() { state.value.withLock { $0.isDown = false } }

    /// How often a trigger has taken the network away.
    public var cutCount: Int { state.value.withLock(\.count) }

    /// Closes every connection and the port. Call it last: a proxy that nobody uses any more closes itself.
    public func close() {
        let descriptor = control.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
    }

    private func tell() {
        control.withLock { descriptor in
            var byte: UInt8 = 1
            if descriptor >= 0 { _ = write(descriptor, &byte, 1) }
        }
    }
}
