// SPDX-License-Identifier: MIT

import CCurl
import Diagnostics
import Glibc
import Synchronization

/// What the loop's thread and everyone else share: the inbox, and the thread's main function.
final class CurlLoopMailbox: Sendable {
    private struct Inbox {
        var commands: [CurlEventLoop.Command] = []
        var isClosed = false
        /// Whether the thread may be polling, so that it must be woken.
        var isPolling = false
        /// Whether the multi handle is gone.
        var isOver = false
    }

    private let inbox = Guarded(Inbox())
    private let multi: CurlMulti
    /// How many threads are about to wake this one.
    private let wakers = Atomic(0)

    init(multi: CurlMulti) {
        self.multi = multi
    }

    /// Leaves a command.
    ///
    /// - Returns: Whether it will be carried out: not after `close`.
    func submit(_ command: CurlEventLoop.Command) -> Bool {
        let (isTaken, mustWake) = inbox.withLock { inbox in
            guard !inbox.isClosed else { return (false, false) }
            inbox.commands.append(command)
            return (true, claimsWake(&inbox))
        }
        if mustWake { wake() }
        return isTaken
    }

    /// Ends every member with the code `closed`, then the thread. Returns at once.
    func close() {
        let mustWake = inbox.withLock { inbox in
            inbox.isClosed = true
            return claimsWake(&inbox)
        }
        if mustWake { wake() }
    }

    private func claimsWake(_ inbox: inout Inbox) -> Bool {
        guard inbox.isPolling, !inbox.isOver else { return false }
        inbox.isPolling = false
        wakers.add(1, ordering: .relaxed)
        return true
    }

    // Outside the lock, which the woken thread wants at once. It frees the handle when no waker is left.
    private func wake() {
        curl_multi_wakeup(multi.handle)
        wakers.subtract(1, ordering: .releasing)
    }

    /// Takes the inbox's commands, in a function of its own: they hold on to transfers, and must not while the thread
    /// waits.
    ///
    /// - Returns: Whether the loop was closed.
    private func carryOutCommands(_ core: CurlLoopCore) -> Bool {
        let (commands, isClosed) = inbox.withLock { inbox in
            inbox.isPolling = false
            defer { inbox.commands = [] }
            return (inbox.commands, inbox.isClosed)
        }
        core.carryOut(commands)
        return isClosed
    }

    /// The thread: works until the loop is closed.
    func run(_ core: CurlLoopCore) {
        while true {
            if carryOutCommands(core) { break }
            core.work()
            let mayPoll = inbox.withLock { inbox in
                inbox.isPolling = inbox.commands.isEmpty && !inbox.isClosed
                return inbox.isPolling
            }
            guard mayPoll else { continue }
            core.wait()
            core.afterWait()
        }
        core.failAll(
            NetworkError(code: .closed, message: "The transport was closed. Make a new one to send more requests."))
        inbox.withLock { $0.isOver = true }
        while wakers.load(ordering: .acquiring) > 0 { sched_yield() }
        core.free()
    }
}
