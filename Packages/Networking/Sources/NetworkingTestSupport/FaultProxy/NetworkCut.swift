// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Glibc
import Networking

/// A TCP proxy on the loopback interface before a real server, by which a test cuts the network: at once, or at the
/// moment when a chosen request passes. The traffic must be unencrypted; requests on one connection are one after the
/// other.
public final class NetworkCut: Sendable {
    /// The moment of an exchange at which the network is cut.
    public enum Moment: Sendable, Hashable {
        /// Before any byte of the request reaches the server.
        case beforeRequest
        /// When so many bytes of the request, from its first on, have reached the server.
        case inRequest(Int)
        /// When the server has answered, and no byte of it has reached the client.
        case beforeAnswer
        /// When so many bytes of the answer have reached the client.
        case inAnswer(Int)
        /// When the answer has reached the client up to this text, for the `count`th time that it contains it.
        case inAnswerBehind(String, count: Int = 1)
    }

    /// A request that cuts the network, once.
    public struct Trigger: Sendable, Hashable {
        /// The request's method.
        public let method: String
        /// A part of its path: `/uploads/`.
        public let path: String
        /// The moment of the exchange.
        public let moment: Moment
        /// True if the network stays cut until ``NetworkCut/restore()``; else only the connections of that moment
        /// break.
        public let isLasting: Bool

        /// A trigger.
        public init(_ method: String, _ path: String, _ moment: Moment, isLasting: Bool = true) {
            self.method = method
            self.path = path
            self.moment = moment
            self.isLasting = isLasting
        }
    }

    /// The state that the loop and its owner share.
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

    /// Waits for a request that cuts the network.
    public func arm(_ trigger: Trigger) { state.value.withLock { $0.trigger = trigger } }

    /// Cuts the network: open connections are reset, and so are new ones.
    public func cut() {
        state.value.withLock { $0.isDown = true }
        tell()
    }

    /// Restores the network.
    public func restore() { state.value.withLock { $0.isDown = false } }

    /// The number of times that a trigger has cut the network.
    public var cutCount: Int { state.value.withLock(\.count) }

    /// Closes every connection and the port. Call it last: a proxy that is dropped closes itself.
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
