// SPDX-License-Identifier: MIT

import Concurrency
import Glibc

/// The listener's thread: accepts connections, reads their headers, and answers, until the right request has arrived.
struct LoopbackLoop {
    private struct Connection {
        let descriptor: Int32
        let deadline: Duration
        var bytes: [UInt8] = []
        /// True once it was answered; further bytes are read and dropped, so that closing does not cut the answer off.
        var isAnswered = false
    }

    let listener: ListeningSocket
    let waker: Int32
    let end: Duration
    let headerTime: Duration
    /// Returns the answer to a request; a link in it ends the waiting.
    let answer: (LoopbackRequest) -> LoopbackAnswer
    let finish: (Result<SignInLink, AuthError>) -> Void
    private var connections: [Connection] = []
    private var isDone = false
    private var isListening = true

    /// The most connections at once; one more closes the oldest.
    static let connectionLimit = 16

    init(
        listener: ListeningSocket, waker: Int32, end: Duration, headerTime: Duration,
        answer: @escaping (LoopbackRequest) -> LoopbackAnswer,
        finish: @escaping (Result<SignInLink, AuthError>) -> Void
    ) {
        (self.listener, self.waker, self.end, self.headerTime) = (listener, waker, end, headerTime)
        (self.answer, self.finish) = (answer, finish)
    }

    /// The time since the system started, which counts during a suspend.
    static func now() -> Duration { MachineTime.sinceBoot }

    /// Runs to the end, and closes every descriptor except the waker's.
    mutating func run() {
        while !(isDone && connections.isEmpty) {
            var polled = [pollfd(fd: waker, events: Int16(POLLIN), revents: 0)]
            if isListening { polled.append(pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)) }
            let base = polled.count
            polled += connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            let next = (connections.map(\.deadline) + (isDone ? [] : [end])).min() ?? end
            let wait = max(.zero, next - Self.now()) / .milliseconds(1)
            guard poll(&polled, nfds_t(polled.count), Int32(min(wait.rounded(.up), 60_000))) >= 0 || errno == EINTR
            else { break }
            if polled[0].revents != 0 { break }
            let ready = Set(polled[base...].filter { $0.revents != 0 }.map(\.fd))
            serve(ready)
            if isListening, polled[1].revents != 0 { take() }
            if !isDone, Self.now() >= end {
                finish(.failure(AuthError(.expired, "No link came back in time. Ask for another mail.")))
                break
            }
        }
        for connection in connections { close(connection.descriptor) }
        if isListening { listener.close() }
    }

    private mutating func take() {
        while let descriptor = try? listener.accept() {
            if connections.count >= Self.connectionLimit { close(connections.removeFirst().descriptor) }
            connections.append(Connection(descriptor: descriptor, deadline: Self.now() + headerTime))
        }
    }

    private mutating func serve(_ ready: Set<Int32>) {
        let now = Self.now()
        var kept: [Connection] = []
        for var connection in connections {
            if ready.contains(connection.descriptor), !read(&connection) || now >= connection.deadline {
                close(connection.descriptor)
            } else if now >= connection.deadline {
                close(connection.descriptor)
            } else {
                kept.append(connection)
            }
        }
        connections = kept
        guard isDone, isListening else { return }
        // The listener serves one link: no new connection is accepted, and the open ones get no answer.
        listener.close()
        isListening = false
        for connection in connections where !connection.isAnswered { close(connection.descriptor) }
        connections.removeAll { !$0.isAnswered }
    }

    /// Reads the available bytes, and answers if they are enough.
    ///
    /// - Returns: False if the connection is over.
    private mutating func read(_ connection: inout Connection) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 4_096)
        let count = recv(connection.descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
        guard !connection.isAnswered, !isDone else { return connection.isAnswered }
        connection.bytes += chunk[..<count]
        switch LoopbackRequest.read(connection.bytes) {
        case .incomplete: return true
        case .refused(let status): send(LoopbackAnswer(refusing: status), to: &connection)
        case .complete(let request):
            let answer = answer(request)
            send(answer, to: &connection)
            if let link = answer.link {
                isDone = true
                finish(.success(link))
            }
        }
        return true
    }

    private func send(_ answer: LoopbackAnswer, to connection: inout Connection) {
        // A fresh connection's buffer takes the whole of it; a connection without room gets no answer.
        let bytes = answer.bytes
        _ = Glibc.send(connection.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        shutdown(connection.descriptor, Int32(SHUT_WR))
        connection.isAnswered = true
        connection.bytes = []
    }
}
