// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Glibc
import Networking

/// A TCP proxy on the loopback interface that breaks connections at a chosen place in a chosen way.
///
/// It is placed before a real server, or answers every request with the same bytes. It does not look into TLS: there,
/// places count in bytes.
public final class FaultProxy: Sendable {
    /// The source of responses behind the proxy.
    public enum Upstream: Sendable {
        /// A server on a port of 127.0.0.1.
        case port(UInt16)
        /// These bytes, after each request header; the connection stays open then.
        case response([UInt8])
    }

    /// The port of 127.0.0.1 that the proxy listens on.
    public let port: UInt16
    private let stopSender: Guarded<Int32>
    private let counter = Counter()

    private final class Counter: Sendable {
        let value = Guarded(0)
    }

    /// Starts a proxy on a free port.
    ///
    /// - Parameters:
    ///   - upstream: The source of responses.
    ///   - fault: The fault of the connection of this number, from zero on; `nil` leaves it whole.
    /// - Throws: `NetworkError` with the code `other` when the system has no socket left.
    public init(upstream: Upstream, fault: @escaping @Sendable (_ connection: Int) -> Fault?) throws {
        var ends: [Int32] = [-1, -1]
        guard let (listener, port) = ProxySocket.listen(), Glibc.pipe(&ends) == 0 else {
            throw NetworkError(code: .other, message: "The system gave no socket.")
        }
        ends.forEach { _ = fcntl($0, F_SETFD, FD_CLOEXEC) }
        self.port = port
        stopSender = Guarded(ends[1])
        let stopReceiver = ends[0]
        let isRunning = DetachedThread.start { [counter] in
            var loop = FaultProxyLoop(
                listener: listener, stop: stopReceiver, upstream: upstream,
                fault: { number in
                    counter.value.withLock { $0 = number + 1 }
                    return fault(number)
                })
            loop.run()
        }
        guard isRunning else { throw NetworkError(code: .other, message: "The system gave no thread.") }
    }

    /// A proxy with the same fault on every connection.
    public convenience init(upstream: Upstream, fault: Fault?) throws {
        try self.init(upstream: upstream) { _ in fault }
    }

    deinit {
        close()
    }

    /// Closes every connection and the port. Call it last: a proxy that is dropped closes itself, maybe before the
    /// test's end.
    public func close() {
        // The other end sees the hang-up, closes its descriptors and ends.
        let descriptor = stopSender.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
    }

    /// The number of connections so far.
    public var connectionCount: Int { counter.value.withLock { $0 } }
}
