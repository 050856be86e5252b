// SPDX-License-Identifier: MIT

import CMicroHTTPD
import Concurrency
import Diagnostics
import Glibc
import Synchronization

/// A thread that notices two things that libmicrohttpd does not: clients that hang up while their request is being
/// handled, and clients that send a byte now and then to avoid a deadline.
final class ConnectionWatch: Sendable {
    /// The action on a hang-up; called on the watch's thread.
    struct Actions: Sendable {
        /// The client has closed its side; `isBroken` if nothing can be sent to it either. Returns true if a request
        /// was being handled.
        var hungUp: @Sendable (ServerConnection, _ isBroken: Bool) -> Bool
        var expired: @Sendable (ServerConnection, DeadlineKind) -> Void
    }

    private struct State {
        var connections: [UInt64: ServerConnection] = [:]
        var upgraded: [UInt64: UpgradedSocket] = [:]
        var isStopped = false
    }

    private let epoll: Int32
    private let wakeUp: Int32
    private let actions: Actions
    private let state = Guarded(State())
    /// The time of the thread's next check of deadlines; `.max` while it checks.
    private let plannedWake = Atomic<Int64>(.max)

    /// The identifier of the eventfd; connections count from 1.
    private static let wakeUpIdentifier: UInt64 = 0
    /// The time that the library has to read the bytes before the end. It (0.9.75) may miss an end that arrives
    /// together with a part of a header, and would wait for more of it.
    static let hangUpGrace = Duration.milliseconds(500)
    /// The time that the library has, from one part to the next, to read the rest of a body whose client has closed its
    /// side.
    static let lastBytesGrace = Duration.seconds(5)
    /// Marks a connection that was upgraded.
    static let upgradedBit: UInt64 = 1 << 63

    /// Starts the thread.
    init(_ actions: Actions) throws(HTTPServerError) {
        self.actions = actions
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard epoll >= 0, wakeUp >= 0,
            cmhd_epoll_add(epoll, wakeUp, EPOLLIN.rawValue, Self.wakeUpIdentifier) == 0,
            DetachedThread.start({ [self] in run() })
        else {
            if epoll >= 0 { Glibc.close(epoll) }
            if wakeUp >= 0 { Glibc.close(wakeUp) }
            throw HTTPServerError(code: .resources, message: "The system has no thread or file left for the server.")
        }
    }

    /// Watches a connection until `remove`, with its first deadline. The deadline is set before the client's end can be
    /// noticed, which sets an earlier one.
    func add(_ connection: ServerConnection, deadline: Duration, _ kind: DeadlineKind) {
        state.withLock { $0.connections[connection.identifier] = connection }
        setDeadline(of: connection, in: deadline, kind)
        let events = EPOLLRDHUP.rawValue | EPOLLET.rawValue
        _ = cmhd_epoll_add(epoll, connection.socket, events, connection.identifier)
    }

    /// Ends the watch of a connection. Call it before the socket is closed.
    func remove(_ connection: ServerConnection) {
        _ = epoll_ctl(epoll, EPOLL_CTL_DEL, connection.socket, nil)
        state.withLock { state in state.connections[connection.identifier] = nil }
    }

    /// Watches a socket for everything until `remove`.
    ///
    /// - Parameter replaces: True if the socket is a connection's, and watched already.
    func add(_ socket: UpgradedSocket, identifier: UInt64, replaces: Bool) {
        state.withLock { $0.upgraded[identifier] = socket }
        let events = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
        if replaces {
            _ = cmhd_epoll_change(epoll, socket.socket, events, identifier)
        } else {
            _ = cmhd_epoll_add(epoll, socket.socket, events, identifier)
        }
    }

    /// Ends the watch of a socket. Call it before the socket is closed.
    func remove(_ socket: UpgradedSocket, identifier: UInt64) {
        _ = epoll_ctl(epoll, EPOLL_CTL_DEL, socket.socket, nil)
        state.withLock { state in state.upgraded[identifier] = nil }
    }

    /// Every connection that is open.
    var connections: [ServerConnection] { state.withLock { Array($0.connections.values) } }

    func setDeadline(of connection: ServerConnection, in duration: Duration, _ kind: DeadlineKind) {
        let deadline = MonotonicTime.now.advanced(by: duration)
        connection.setDeadline(deadline, kind)
        if deadline.nanoseconds < plannedWake.load(ordering: .sequentiallyConsistent) { wake() }
    }

    /// Ends the thread; the watch cannot be used afterwards.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            // In the lock, because the thread closes the file as soon as it sees the flag.
            wake()
        }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeUp, &one, MemoryLayout<UInt64>.size)
    }

    private func run() {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        while !state.withLock({ $0.isStopped }) {
            // A thread that sets a deadline from here on wakes this one; a deadline set before is found by the check.
            plannedWake.store(.max, ordering: .sequentiallyConsistent)
            let next = expire()
            plannedWake.store(next.nanoseconds, ordering: .sequentiallyConsistent)
            let count = epoll_wait(epoll, &events, Int32(events.count), next.milliseconds(since: .now))
            guard count > 0 else { continue }
            for event in events.prefix(Int(count)) { handle(event) }
        }
        Glibc.close(epoll)
        Glibc.close(wakeUp)
    }

    private func handle(_ event: epoll_event) {
        let identifier = event.data.u64
        if identifier == Self.wakeUpIdentifier {
            var count: UInt64 = 0
            _ = read(wakeUp, &count, MemoryLayout<UInt64>.size)
            return
        }
        if identifier & Self.upgradedBit != 0 {
            state.withLock { $0.upgraded[identifier] }?.ready(event.events)
            return
        }
        guard let connection = state.withLock({ $0.connections[identifier] }) else { return }
        let isBroken = event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
        guard isBroken || event.events & EPOLLRDHUP.rawValue != 0 else { return }
        if !actions.hungUp(connection, isBroken), connection.deadline > .now.advanced(by: Self.hangUpGrace) {
            setDeadline(of: connection, in: Self.hangUpGrace, connection.deadlineKind)
        }
    }

    /// Acts on deadlines that have passed.
    ///
    /// - Returns: The next one.
    private func expire() -> MonotonicTime {
        let now = MonotonicTime.now
        var next = MonotonicTime.never
        for connection in connections {
            let deadline = connection.deadline
            if deadline > now {
                next = min(next, deadline)
            } else {
                let kind = connection.deadlineKind
                if connection.takeDeadline(deadline) { actions.expired(connection, kind) }
            }
        }
        return next
    }
}
