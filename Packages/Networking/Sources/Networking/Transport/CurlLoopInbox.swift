// SPDX-License-Identifier: MIT

/// Who works the loop now, and what waits for whoever does it next. Pure: it says who is to be woken, and wakes nobody.
///
/// The loop's thread does the work as a rule. While it sleeps, a task that starts a request may do that one start
/// itself, which saves the change of threads; what comes meanwhile waits for the thread.
struct CurlLoopInbox: Sendable {
    /// What to do with a command.
    enum Submission: Equatable {
        /// The loop was closed.
        case refused
        /// It was taken; whoever works now will see that it is carried out.
        case taken
        /// It was taken, and the thread is to be woken.
        case takenAndWake
        /// It was not taken: nobody works, so carry it out, then call `callerEnded`.
        case carryOut
    }

    private enum Worker {
        case nobody
        case thread
        case caller
    }

    private var worker = Worker.thread
    private var commands: [CurlEventLoop.Command] = []
    private(set) var isClosed = false
    private var isWakeDue = false
    /// True if the thread woke up while a caller was at work, and waits for its end.
    private var threadWaits = false

    // MARK: Any thread

    /// Leaves a command.
    ///
    /// - Parameter mayCarryOut: True if the caller could carry it out as well.
    mutating func submit(_ command: CurlEventLoop.Command, mayCarryOut: Bool) -> Submission {
        guard !isClosed else { return .refused }
        if mayCarryOut, worker == .nobody, !isWakeDue, commands.isEmpty {
            worker = .caller
            return .carryOut
        }
        commands.append(command)
        return wakes() ? .takenAndWake : .taken
    }

    /// The caller is done with what it carried out.
    ///
    /// - Parameters:
    ///   - rest: The command, if it turned out that the thread should have it.
    ///   - isThreadLate: True if the thread sleeps for longer than there is nothing to do.
    /// - Returns: True if the thread is to be woken.
    mutating func callerEnded(leaving rest: CurlEventLoop.Command?, isThreadLate: Bool) -> Bool {
        worker = .nobody
        if let rest { commands.insert(rest, at: 0) }
        guard threadWaits || isThreadLate || isClosed || !commands.isEmpty else { return false }
        threadWaits = false
        return wakes()
    }

    /// Takes nothing more.
    ///
    /// - Returns: True if the thread is to be woken.
    mutating func close() -> Bool {
        isClosed = true
        return wakes()
    }

    private mutating func wakes() -> Bool {
        guard worker == .nobody, !isWakeDue else { return false }
        isWakeDue = true
        return true
    }

    // MARK: The loop's thread

    /// The thread is awake and wants to work.
    ///
    /// - Returns: What there is to carry out, or `nil` if it has to wait to be woken, because a caller is at work.
    mutating func threadTakes() -> [CurlEventLoop.Command]? {
        isWakeDue = false
        guard worker != .caller else {
            threadWaits = true
            return nil
        }
        worker = .thread
        defer { commands = [] }
        return commands
    }

    /// The thread has nothing more to do.
    ///
    /// - Returns: True if it may sleep; if not, there is something to take again.
    mutating func threadSleeps() -> Bool {
        guard commands.isEmpty, !isClosed else { return false }
        worker = .nobody
        return true
    }
}
