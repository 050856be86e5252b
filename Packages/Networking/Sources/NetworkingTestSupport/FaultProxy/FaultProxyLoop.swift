// SPDX-License-Identifier: MIT

import Concurrency
import Glibc

/// Polls all of a proxy's connections on one thread.
struct FaultProxyLoop {
    let listener: ListeningSocket
    let stop: Int32
    let upstream: FaultProxy.Upstream
    let fault: (Int) -> Fault?
    private var connections: [FaultProxyConnection] = []
    private var count = 0

    init(listener: ListeningSocket, stop: Int32, upstream: FaultProxy.Upstream, fault: @escaping (Int) -> Fault?) {
        self.listener = listener
        self.stop = stop
        self.upstream = upstream
        self.fault = fault
    }

    /// Runs until the stop pipe's other end is closed.
    mutating func run() {
        var isRunning = true
        while isRunning {
            var sockets = [
                pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
                pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            for connection in connections {
                sockets.append(pollfd(fd: connection.client, events: connection.clientEvents, revents: 0))
                sockets.append(pollfd(fd: connection.server, events: connection.serverEvents, revents: 0))
            }
            let delay = connections.lazy.compactMap(\.delay).min() ?? -1
            guard poll(&sockets, nfds_t(sockets.count), Int32(delay)) >= 0 || errno == EINTR else { break }
            isRunning = sockets[0].revents == 0
            serve(sockets)
            if sockets[1].revents != 0 { accept() }
        }
        connections.forEach { $0.close() }
        listener.close()
        close(stop)
    }

    private mutating func serve(_ sockets: [pollfd]) {
        let bad = Int16(POLLHUP | POLLERR | POLLNVAL)
        var kept: [FaultProxyConnection] = []
        kept.reserveCapacity(connections.count)
        for (index, connection) in connections.enumerated() {
            var connection = connection
            let client = sockets[2 + 2 * index].revents
            let server = sockets[3 + 2 * index].revents
            var lives = true
            if client & (Int16(POLLIN) | bad) != 0 { lives = connection.clientIsReadable() }
            if lives, connection.server >= 0 {
                if server & Int16(POLLOUT) != 0 { connection.serverIsWritable() }
                if server & (Int16(POLLIN) | bad) != 0 { lives = connection.serverIsReadable() }
            }
            if lives, client & Int16(POLLOUT) != 0 { lives = connection.clientIsWritable() }
            if lives { kept.append(connection) } else { connection.close() }
        }
        connections = kept
    }

    private mutating func accept() {
        while let client = try? listener.accept() {
            connections.append(FaultProxyConnection(client: client, upstream: upstream, fault: fault(count)))
            count += 1
        }
    }
}
