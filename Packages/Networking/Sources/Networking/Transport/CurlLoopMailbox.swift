// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// The state that the loop's thread shares with others: the inbox, and the thread's main function.
final class CurlLoopMailbox: Sendable {
    private let inbox = Guarded(CurlLoopInbox())
    private let core: CurlLoopCore
    private let sockets: SocketQueue
    /// Resolved at the thread's end.
    private let end = Promise<Void>()

    init(core: CurlLoopCore, sockets: SocketQueue) {
        self.core = core
        self.sockets = sockets
    }

    /// Leaves a command, or carries it out here and now.
    ///
    /// - Returns: True if it will be carried out; false after `close`.
    func submit(_ command: CurlEventLoop.Command) -> Bool {
        var member: (any CurlLoopMember)?
        if case .start(let starting) = command, starting.connectionKey != nil { member = starting }
        switch inbox.withLock({ $0.submit(command, mayCarryOut: member != nil) }) {
        case .refused: return false
        case .taken: break
        case .takenAndWake: sockets.wake()
        case .carryOut:
            guard let member else { break }
            let isStarted = BrokenPipeSignal.blocked { core.startHere(member) }
            let isThreadLate = core.nextOccasion < core.threadWakes
            let mustWake = inbox.withLock {
                $0.callerEnded(leaving: isStarted ? nil : command, isThreadLate: isThreadLate)
            }
            if mustWake { sockets.wake() }
        }
        return true
    }

    /// Ends every member with the code `closed`, then the thread. Returns at once.
    func close() {
        if inbox.withLock({ $0.close() }) { sockets.wake() }
    }

    /// The thread's main function: works until the loop is closed.
    func run() {
        var ready: [SocketQueue.Readiness] = []
        while !takeTurn(&ready) {
            guard inbox.withLock({ $0.threadSleeps() }) else { continue }
            sockets.wait(until: core.threadWakes, into: &ready)
        }
        core.failAll(
            NetworkError(code: .closed, message: "The transport was closed. Make a new one to send more requests."))
        core.free()
        end.resolve()
    }

    /// Returns when the thread has ended, which `close` causes.
    func waitForEnd() async {
        try? await end.valueDespiteCancellation()
    }

    /// Does all present work, in a function of its own: commands hold on to transfers, and must not while the thread
    /// waits.
    ///
    /// - Returns: True if the loop was closed.
    private func takeTurn(_ ready: inout [SocketQueue.Readiness]) -> Bool {
        while true {
            let (commands, isClosed) = inbox.withLock { ($0.threadTakes(), $0.isClosed) }
            guard let commands else {
                sockets.waitForWake()
                continue
            }
            // Also after `close`: a member that was accepted has to start to be ended with the code `closed`.
            core.carryOut(commands)
            guard !isClosed else { return true }
            core.handle(ready)
            ready.removeAll(keepingCapacity: true)
            core.work()
            core.prepareSleep()
            return false
        }
    }
}
