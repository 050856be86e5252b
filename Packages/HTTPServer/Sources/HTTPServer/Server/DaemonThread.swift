// SPDX-License-Identifier: MIT

import CMicroHTTPD
import Concurrency
import Diagnostics
import Glibc
import Synchronization

/// One daemon of libmicrohttpd with its thread.
///
/// The library has its own pool of threads, and a function that stops listening from any thread. The function races
/// with a busy thread for the socket's place in its epoll set, and aborts the process if it loses ("Failed to remove
/// listen FD from epoll set", 0.9.75). So each thread here is one daemon, and stops listening itself, in one of the
/// calls that it makes to this module.
// SAFETY: the daemon's thread reads `daemon` only after `quiesce` has asked for it under the lock, long after the
// initialiser has set it; the other variables belong to the server, which calls `stop` once and nothing after it.
final class DaemonThread: @unchecked Sendable {
    private enum Listening {
        case open
        case ending
        case ended
    }

    let core: ServerCore
    /// This daemon's own descriptor of the listening socket.
    private let listener: Int32
    private var daemon: OpaquePointer?
    private var contexts: (core: Unmanaged<ServerCore>, thread: Unmanaged<DaemonThread>)?
    /// Texts that the library keeps pointers to.
    private var texts: [UnsafeMutablePointer<CChar>] = []
    private let listening = Guarded(Listening.open)
    private let openConnections = Atomic<Int>(0)

    /// Starts the thread.
    init(
        _ core: ServerCore, socket: ListeningSocket, options: [MHD_OptionItem],
        texts: [(option: MHD_OPTION, text: String)]
    ) throws(HTTPServerError) {
        self.core = core
        listener = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
        guard listener >= 0 else { throw Self.resources }
        var options = options + [Daemon.option(.LISTEN_SOCKET, Int(listener))]
        for (option, text) in texts {
            guard let copy = strdup(text) else { continue }
            self.texts.append(copy)
            options.append(MHD_OptionItem(option: option, value: 0, ptr_value: copy))
        }
        options.append(Daemon.option(.END, 0))
        let contexts = (core: Unmanaged.passRetained(core), thread: Unmanaged.passRetained(self))
        self.contexts = contexts
        daemon = cmhd_start(
            cmhd_flags(texts.isEmpty ? 0 : 1), contexts.core.toOpaque(), DaemonCallbacks.access,
            DaemonCallbacks.completed, DaemonCallbacks.target, DaemonCallbacks.unescape, contexts.thread.toOpaque(),
            DaemonCallbacks.accept, DaemonCallbacks.connection, options)
        guard daemon == nil else { return }
        let reason = Self.resources
        // The library closes the listener if it fails late, and its number may by now belong to another file.
        if Self.areSame(listener, socket.descriptor) { Glibc.close(listener) }
        release()
        throw texts.isEmpty
            ? reason
            : HTTPServerError(
                code: .certificate,
                message: "The server does not start: the certificate and the key must be PEM, and belong together.")
    }

    // MARK: On the daemon's thread

    /// Counts a connection that was accepted, or added by `quiesce`: that one has no address.
    ///
    /// - Returns: True for a client's connection.
    func opened(_ address: SocketAddress?) -> Bool {
        // Counted first: until then, `isFinished` must not hold.
        if address != nil { openConnections.add(1, ordering: .sequentiallyConsistent) }
        quiesceIfWanted()
        return address != nil
    }

    /// A client's connection is about to close.
    func closed() {
        openConnections.subtract(1, ordering: .relaxed)
        quiesceIfWanted()
    }

    private func quiesceIfWanted() {
        listening.withLock { listening in
            guard listening == .ending, let daemon else { return }
            MHD_quiesce_daemon(daemon)
            listening = .ended
        }
    }

    // MARK: On other threads

    /// Asks the thread to accept no more connections, and wakes it up by a connection. If there is no room for one
    /// more, none is accepted either, and the thread quiesces with the next one that ends.
    func quiesce() {
        let isFirst = listening.withLock { listening in
            guard listening == .open else { return false }
            listening = .ending
            return true
        }
        guard isFirst, let daemon else { return }
        var pair: [Int32] = [-1, -1]
        let kind = SocketConstants.stream | SocketConstants.closeOnExec | SocketConstants.nonBlocking
        guard socketpair(SocketConstants.local, kind, 0, &pair) == 0 else { return }
        var address = sockaddr(
            sa_family: sa_family_t(SocketConstants.local), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        // It closes the socket, now or when it has read the end.
        _ = MHD_add_connection(daemon, pair[0], &address, socklen_t(MemoryLayout<sockaddr>.size))
        Glibc.close(pair[1])
    }

    var isFinished: Bool {
        listening.withLock { $0 == .ended } && openConnections.load(ordering: .sequentiallyConsistent) == 0
    }

    /// Closes every connection and joins the thread; blocks. No connection may be suspended, and nothing may be called
    /// afterwards.
    func stop() {
        guard let daemon else { return }
        // A daemon that has not quiesced by now never does: the library then closes its listener.
        let hasQuiesced = listening.withLock { listening in
            defer { listening = .open }
            return listening == .ended
        }
        MHD_stop_daemon(daemon)
        if hasQuiesced { Glibc.close(listener) }
        release()
    }

    private func release() {
        for text in texts { free(text) }
        texts = []
        contexts?.core.release()
        let thread = contexts?.thread
        contexts = nil
        thread?.release()
    }

    private static func areSame(_ first: Int32, _ second: Int32) -> Bool {
        var (one, other) = (stat(), stat())
        return fstat(first, &one) == 0 && fstat(second, &other) == 0
            && (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)
    }

    private static var resources: HTTPServerError {
        HTTPServerError(code: .resources, message: "The server does not start: \(String(cString: strerror(errno))).")
    }
}
