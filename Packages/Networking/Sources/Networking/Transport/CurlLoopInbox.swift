// SPDX-License-Identifier: MIT

/// The present worker of the loop, and the commands for the next one. Pure: it says if the thread must be woken, and
/// does not wake it.
///
/// The loop's thread does the work as a rule. While it sleeps, a task that starts a request may do that one start
/// itself, which saves the change of threads; commands that arrive meanwhile wait for the thread.
struct CurlLoopInbox: Sendable {
    /// The handling of a command.
    enum Submission: Equatable {
        /// The loop was closed.
        case refused
        /// The command was taken; the present worker will carry it out.
        case taken
        /// The command was taken, and the thread must be woken.
        case takenAndWake
        /// The command was not taken: no thread works, so carry it out, then call `callerEnded`.
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

    /// Ends the work of the caller.
    ///
    /// - Parameters:
    ///   - rest: The command, if it turned out that the thread must carry it out.
    ///   - isThreadLate: True if the thread sleeps beyond the next deadline.
    /// - Returns: True if the thread must be woken.
    mutating func callerEnded(leaving rest: CurlEventLoop.Command?, isThreadLate: Bool) -> Bool {
        worker = .nobody
        if let rest { commands.insert(rest, at: 0) }
        guard threadWaits || isThreadLate || isClosed || !commands.isEmpty else { return false }
        threadWaits = false
        return wakes()
    }

    /// Refuses all later commands.
    ///
    /// - Returns: True if the thread must be woken.
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

    /// Starts the work of the thread after it woke up.
    ///
    /// - Returns: The commands to carry out, or `nil` if it has to wait to be woken, because a caller is at work.
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

    /// Ends the work of the thread.
    ///
    /// - Returns: True if it may sleep; false if there are commands to take.
    mutating func threadSleeps() -> Bool {
        guard commands.isEmpty, !isClosed else { return false }
        worker = .nobody
        return true
    }
}
