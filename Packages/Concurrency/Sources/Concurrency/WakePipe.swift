// SPDX-License-Identifier: MIT

import Glibc

/// A pipe that ends the wait of a thread in poll(2). Its descriptors close with the last reference.
public final class WakePipe: Sendable {
    /// The end of a wait.
    public enum Outcome: Equatable, Sendable {
        /// The descriptor has input, has ended, or cannot be polled: reading it does not block.
        case ready
        /// The time limit passed.
        case timedOut
        /// ``WakePipe/wake()`` was called.
        case woken
    }

    /// The reading and the writing end. -1 if the system has no descriptor left: ``wake()`` then has no effect.
    private let (reader, writer): (Int32, Int32)

    /// A pipe that nobody has woken.
    public init() {
        var ends: [Int32] = [-1, -1]
        // A child process that kept an end would keep the pipe open.
        if pipe(&ends) == 0 { for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) } }
        (reader, writer) = (ends[0], ends[1])
    }

    deinit { for end in [reader, writer] where end >= 0 { close(end) } }

    /// False if the system had no descriptor left.
    public var isOpen: Bool { writer >= 0 }

    /// Ends the current wait and each later one.
    public func wake() { if writer >= 0 { _ = write(writer, [1], 1) } }

    /// Blocks the thread.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor to poll; a negative one is ignored.
    ///   - timeout: The time limit in milliseconds; -1 waits without a limit.
    public func wait(for descriptor: Int32, timeout: Int32 = -1) -> Outcome {
        var polls = [
            pollfd(fd: reader, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let count = poll(&polls, nfds_t(polls.count), timeout)
            if count < 0, errno == EINTR { continue }
            if count == 0 { return .timedOut }
            return count > 0 && polls[0].revents != 0 ? .woken : .ready
        }
    }
}
