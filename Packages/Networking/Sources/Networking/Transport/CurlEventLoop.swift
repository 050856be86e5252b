// SPDX-License-Identifier: MIT

import CCurl
import Concurrency

/// One thread that owns one multi handle. Other threads leave commands in its inbox and wake it, or do one start of a
/// request themselves while the thread sleeps.
///
/// Dropping the loop closes it; its users hold on to it.
final class CurlEventLoop: Sendable {
    /// The commands of the thread, in order.
    enum Command: Sendable {
        /// Add the member.
        case start(any CurlLoopMember)
        /// Drop the member and its connection; no method of it is called any more but `release`.
        case cancel(any CurlLoopMember)
        /// Run this on the loop's thread.
        case run(@Sendable () -> Void)
    }

    private let mailbox: CurlLoopMailbox

    /// Starts the thread.
    ///
    /// - Throws: `NetworkError` with the code `other` if the system gives no thread or no handle; `libraryMissing`
    ///   without libcurl.
    init(maximumConnectionsPerHost: Int, maximumIdleConnections: Int) throws {
        try CurlLibrary.start()
        guard let sockets = SocketQueue() else {
            throw NetworkError(code: .other, message: "The system has no descriptor left. Close files and try again.")
        }
        guard let multi = CurlMulti() else {
            throw NetworkError(code: .other, message: "libcurl gave no multi handle. The memory may be used up.")
        }
        multi.set(CURLMOPT_MAX_HOST_CONNECTIONS, maximumConnectionsPerHost)
        multi.set(CURLMOPT_MAXCONNECTS, maximumIdleConnections)
        let mailbox = CurlLoopMailbox(core: CurlLoopCore(multi: multi, sockets: sockets), sockets: sockets)
        self.mailbox = mailbox
        guard DetachedThread.start({ mailbox.run() }) else {
            throw NetworkError(code: .other, message: "The system gave no thread. Close other programs and try again.")
        }
    }

    deinit {
        mailbox.close()
    }

    /// Leaves a command.
    ///
    /// - Returns: True if it will be carried out; false after `close`.
    @discardableResult
    func submit(_ command: Command) -> Bool {
        mailbox.submit(command)
    }

    /// Ends every member with the code `closed`, then the thread, and returns when it has ended.
    func close() async {
        mailbox.close()
        await mailbox.waitForEnd()
    }
}
