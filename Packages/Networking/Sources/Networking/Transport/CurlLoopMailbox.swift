// SPDX-License-Identifier: MIT

import CCurl

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

    init(multi: CurlMulti) {
        self.multi = multi
    }

    /// Leaves a command.
    ///
    /// - Returns: Whether it will be carried out: not after `close`.
    func submit(_ command: CurlEventLoop.Command) -> Bool {
        inbox.withLock { inbox in
            guard !inbox.isClosed else { return false }
            inbox.commands.append(command)
            wake(&inbox)
            return true
        }
    }

    /// Ends every member with the code `closed`, then the thread. Returns at once.
    func close() {
        inbox.withLock { inbox in
            inbox.isClosed = true
            wake(&inbox)
        }
    }

    // The lock keeps the handle alive: the thread frees it after it has said so in the inbox.
    private func wake(_ inbox: inout Inbox) {
        guard inbox.isPolling, !inbox.isOver else { return }
        inbox.isPolling = false
        curl_multi_wakeup(multi.handle)
    }

    /// The thread: works until the loop is closed.
    func run(_ core: CurlLoopCore) {
        while true {
            let (commands, isClosed) = inbox.withLock { inbox in
                let commands = inbox.commands
                inbox.commands = []
                return (commands, inbox.isClosed)
            }
            core.carryOut(commands)
            if isClosed { break }
            core.work()
            let mayPoll = inbox.withLock { inbox in
                inbox.isPolling = inbox.commands.isEmpty && !inbox.isClosed
                return inbox.isPolling
            }
            guard mayPoll else { continue }
            core.wait()
            inbox.withLock { $0.isPolling = false }
            core.afterWait()
        }
        core.failAll(
            NetworkError(code: .closed, message: "The transport was closed. Make a new one to send more requests."))
        inbox.withLock { $0.isOver = true }
        core.free()
    }
}
