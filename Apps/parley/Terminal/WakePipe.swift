// SPDX-License-Identifier: MIT

import Glibc

/// A pipe that wakes a thread which polls: the thread sees its end when the other end is closed.
struct WakePipe: Sendable {
    /// For the thread, which closes it.
    let thread: Int32
    /// For whoever wakes it, by closing it.
    let bell: Int32

    /// Nil where the system has no descriptor left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (thread, bell) = (ends[0], ends[1])
    }
}
