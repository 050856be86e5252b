// SPDX-License-Identifier: MIT

import CEventQueue
import Glibc

/// The kernel's queue of sockets that became ready (epoll), with a wake-up for the thread that waits at it.
///
/// One thread waits. ``set(_:reads:writes:)`` is called by one thread at a time; ``wake()`` by any.
///
/// SAFETY: `interests` is touched by one caller of `set` at a time, `buffer` by the thread that waits only; the
/// descriptors never change, and the kernel takes calls for them from any thread.
public final class SocketQueue: @unchecked Sendable {
    /// One socket that is ready.
    public struct Readiness: Sendable {
        /// The socket.
        public let descriptor: Int32
        /// Reading it does not block: there is input, an end or an error.
        public let isReadable: Bool
        /// Writing to it does not block.
        public let isWritable: Bool
        /// It has failed, or both directions have ended.
        public let isBroken: Bool
    }

    private let queue: Int32
    private let wakeUps: Int32
    private var interests: [Int32: UInt32] = [:]
    private var buffer = [epoll_event](repeating: epoll_event(), count: 64)

    /// A queue without sockets.
    ///
    /// - Returns: `nil` if the system has no descriptor left.
    public init?() {
        queue = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeUps = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: wakeUps))
        guard queue >= 0, wakeUps >= 0, epoll_ctl(queue, EPOLL_CTL_ADD, wakeUps, &event) == 0 else { return nil }
    }

    deinit {
        if queue >= 0 { close(queue) }
        if wakeUps >= 0 { close(wakeUps) }
    }

    /// Sets the events to wait for at a socket; with neither it leaves the queue, as it must before it is closed.
    public func set(_ descriptor: Int32, reads: Bool, writes: Bool) {
        let wanted = (reads ? EPOLLIN.rawValue | EPOLLPRI.rawValue : 0) | (writes ? EPOLLOUT.rawValue : 0)
        let old = interests[descriptor]
        guard wanted != old ?? 0 else { return }
        interests[descriptor] = wanted == 0 ? nil : wanted
        var event = epoll_event(events: wanted, data: epoll_data_t(fd: descriptor))
        guard wanted != 0 else {
            epoll_ctl(queue, EPOLL_CTL_DEL, descriptor, &event)
            return
        }
        // A descriptor that was closed has left the queue by itself, and another socket may have its number now.
        if old == nil || epoll_ctl(queue, EPOLL_CTL_MOD, descriptor, &event) != 0 {
            epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event)
        }
    }

    /// Waits for sockets, a wake-up or the moment. On the thread of the queue.
    public func wait(until moment: MonotonicTime, into ready: inout [Readiness]) {
        let milliseconds = moment.milliseconds(since: .now)
        let count = epoll_wait(queue, &buffer, Int32(buffer.count), milliseconds)
        guard count > 0 else { return }
        for event in buffer[..<Int(count)] {
            guard event.data.fd != wakeUps else {
                takeWakeUps()
                continue
            }
            // An error or a hang-up shows itself when reading or writing, for any requested event.
            let isBroken = event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
            ready.append(
                Readiness(
                    descriptor: event.data.fd,
                    isReadable: isBroken || event.events & (EPOLLIN.rawValue | EPOLLPRI.rawValue) != 0,
                    isWritable: event.events & EPOLLOUT.rawValue != 0, isBroken: isBroken))
        }
    }

    /// Waits for a wake-up only.
    public func waitForWake() {
        var descriptor = pollfd(fd: wakeUps, events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, -1)
        takeWakeUps()
    }

    /// Ends a wait, this one or the next. From any thread.
    public func wake() {
        eventfd_write(wakeUps, 1)
    }

    private func takeWakeUps() {
        var count: eventfd_t = 0
        eventfd_read(wakeUps, &count)
    }
}
