// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Glibc

/// Polls all connections of a ``NetworkCut`` on one thread.
struct NetworkCutLoop {
    let listener: ListeningSocket
    let orders: Int32
    let server: UInt16
    let state: NetworkCut.Shared
    private var pairs: [NetworkCutPair] = []

    init(listener: ListeningSocket, orders: Int32, server: UInt16, state: NetworkCut.Shared) {
        self.listener = listener
        self.orders = orders
        self.server = server
        self.state = state
    }

    /// Runs until the other end of the orders is closed.
    mutating func run() {
        while true {
            var sockets = [
                pollfd(fd: orders, events: Int16(POLLIN), revents: 0),
                pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            for pair in pairs { sockets += pair.polled }
            guard poll(&sockets, nfds_t(sockets.count), -1) >= 0 || errno == EINTR else { break }
            if sockets[0].revents != 0, !takeOrder() { break }
            serve(sockets)
            if sockets[1].revents != 0 { accept() }
        }
        for pair in pairs { pair.close() }
        listener.close()
        close(orders)
    }

    /// - Returns: True if more orders may follow.
    private mutating func takeOrder() -> Bool {
        var byte: UInt8 = 0
        guard read(orders, &byte, 1) > 0 else { return false }
        if state.value.withLock(\.isDown) { breakAll() }
        return true
    }

    private mutating func serve(_ sockets: [pollfd]) {
        var kept: [NetworkCutPair] = []
        for (index, pair) in pairs.enumerated() {
            var pair = pair
            let events = (client: sockets[2 + 2 * index].revents, server: sockets[3 + 2 * index].revents)
            let trigger = state.value.withLock(\.trigger)
            switch pair.move(events.client, events.server, trigger) {
            case .goesOn: kept.append(pair)
            case .isOver: pair.close()
            case .hasTriggered:
                pairs = kept + pairs[index...]
                return fire(trigger)
            }
        }
        pairs = kept
    }

    private mutating func fire(_ trigger: NetworkCut.Trigger?) {
        state.value.withLock { state in
            state.count += 1
            state.trigger = nil
            state.isDown = trigger?.isLasting ?? false
        }
        breakAll()
    }

    private mutating func breakAll() {
        for pair in pairs { pair.breakOff() }
        pairs = []
    }

    private mutating func accept() {
        while let client = try? listener.accept() {
            if state.value.withLock(\.isDown) {
                ProxySocket.reset(client)
            } else {
                pairs.append(NetworkCutPair(client: client, server: ProxySocket.connect(port: server)))
            }
        }
    }
}

/// A client's connection and its connection to the server.
struct NetworkCutPair {
    enum Outcome {
        case goesOn
        case isOver
        case hasTriggered
    }

    let client: Int32
    let server: Int32
    private var toServer: [UInt8] = []
    private var toClient: [UInt8] = []
    /// The number of bytes that still pass before the cut, once the request is on its way.
    private var restOfRequest: Int?
    private var restOfAnswer: Int?
    /// The text behind which the cut comes, and the answer so far.
    private var awaited: (text: [UInt8], count: Int, answer: [UInt8])?

    init(client: Int32, server: Int32) {
        self.client = client
        self.server = server
    }

    var polled: [pollfd] {
        [
            pollfd(
                fd: client, events: (toServer.isEmpty ? Int16(POLLIN) : 0) | (toClient.isEmpty ? 0 : Int16(POLLOUT)),
                revents: 0),
            pollfd(
                fd: server, events: (toClient.isEmpty ? Int16(POLLIN) : 0) | (toServer.isEmpty ? 0 : Int16(POLLOUT)),
                revents: 0),
        ]
    }

    /// Moves all bytes that can be moved.
    mutating func move(_ clientEvents: Int16, _ serverEvents: Int16, _ trigger: NetworkCut.Trigger?) -> Outcome {
        if clientEvents != 0, toServer.isEmpty, let bytes = Self.read(client) {
            if bytes.isEmpty { return .isOver }
            if !take(request: bytes, trigger) { return .hasTriggered }
        }
        if serverEvents != 0, toClient.isEmpty, let bytes = Self.read(server) {
            if bytes.isEmpty { return .isOver }
            if restOfAnswer == 0 { return .hasTriggered }
            look(for: bytes)
            toClient = restOfAnswer.map { Array(bytes.prefix($0)) } ?? bytes
            restOfAnswer = restOfAnswer.map { $0 - toClient.count }
        }
        Self.send(&toServer, to: server)
        Self.send(&toClient, to: client)
        if restOfRequest == 0, toServer.isEmpty { return .hasTriggered }
        if restOfAnswer == 0, toClient.isEmpty, !isAwaitingAnswer(trigger) { return .hasTriggered }
        return .goesOn
    }

    /// Ends both sides in order.
    func close() {
        Glibc.close(client)
        Glibc.close(server)
    }

    /// Resets the client's side; the server gets all bytes that were sent to it, and then an end.
    func breakOff() {
        ProxySocket.reset(client)
        Glibc.close(server)
    }

    /// Sets how many of these bytes of the answer still pass, if the awaited text ends in them.
    private mutating func look(for bytes: [UInt8]) {
        guard var awaited else { return }
        let before = awaited.answer.count
        awaited.answer += bytes
        self.awaited = awaited
        var (start, found) = (0, 0)
        while start + awaited.text.count <= awaited.answer.count {
            guard awaited.answer[start...].starts(with: awaited.text) else {
                start += 1
                continue
            }
            start += awaited.text.count
            found += 1
            guard found == awaited.count else { continue }
            restOfAnswer = start - before
            self.awaited = nil
            return
        }
    }

    /// True if the cut must happen before the answer's first byte.
    private func isAwaitingAnswer(_ trigger: NetworkCut.Trigger?) -> Bool { trigger?.moment == .beforeAnswer }

    /// - Returns: True if the bytes may pass to the server.
    private mutating func take(request bytes: [UInt8], _ trigger: NetworkCut.Trigger?) -> Bool {
        toServer = bytes
        if let trigger, Self.begins(bytes, with: trigger) {
            switch trigger.moment {
            case .beforeRequest: return false
            case .inRequest(let count): restOfRequest = count
            case .beforeAnswer: restOfAnswer = 0
            case .inAnswer(let count): restOfAnswer = count
            case .inAnswerBehind(let text, let count): awaited = (Array(text.utf8), count, [])
            }
        }
        guard let rest = restOfRequest else { return true }
        toServer = Array(toServer.prefix(rest))
        restOfRequest = rest - toServer.count
        return true
    }

    /// True if the bytes begin with a request of that method and path.
    private static func begins(_ bytes: [UInt8], with trigger: NetworkCut.Trigger) -> Bool {
        let line = String(decoding: bytes.prefix { $0 != 13 }, as: UTF8.self).split(separator: " ")
        return line.count == 3 && line[2].hasPrefix("HTTP/") && line[0] == trigger.method
            && line[1].contains(trigger.path)
    }

    /// - Returns: `nil` if there is nothing at the moment; empty at the end or on an error.
    private static func read(_ descriptor: Int32) -> [UInt8]? {
        var wouldBlock = false
        let bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
            let result = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            wouldBlock = result < 0 && (errno == EAGAIN || errno == EINTR || errno == ENOTCONN)
            count = max(result, 0)
        }
        return wouldBlock ? nil : bytes
    }

    private static func send(_ bytes: inout [UInt8], to descriptor: Int32) {
        guard !bytes.isEmpty else { return }
        let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if count > 0 { bytes.removeFirst(count) }
    }
}
