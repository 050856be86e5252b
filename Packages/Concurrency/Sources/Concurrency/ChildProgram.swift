// SPDX-License-Identifier: MIT

import CChildProcess
import Glibc

/// A program to run as a child process.
///
/// The child begins with its three streams alone, whatever this process has open, with no signal blocked or ignored, and
/// in a process group of its own, or in a session of its own.
public struct ChildProgram: Sendable {
    /// A standard stream of the child.
    public enum Stream: Sendable, Hashable {
        /// Nothing to read; what is written is lost.
        case null
        /// A copy of a descriptor of this process.
        case descriptor(Int32)
    }

    /// A path, or a name that is looked for along this process's `PATH`.
    public var program: String
    /// The arguments after the program's name.
    public var arguments: [String]
    /// The variables; nil for this process's own.
    public var environment: [String: String]?
    /// The working directory; nil for this process's own.
    public var directory: String?
    /// The standard input.
    public var input = Stream.null
    /// The standard output.
    public var output = Stream.null
    /// The standard error.
    public var errors = Stream.null
    /// True to start it in a session of its own, without this process's terminal: a question there fails at once, and
    /// does not stop it as one in the background.
    public var hasOwnSession = false

    /// A program whose streams are empty.
    public init(
        _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil, directory: String? = nil
    ) {
        (self.program, self.arguments) = (program, arguments)
        (self.environment, self.directory) = (environment, directory)
    }

    /// Starts the program; blocks until it runs.
    ///
    /// - Throws: ``ChildStartFailure``. A NUL byte in a text is EINVAL.
    public func start() throws(ChildStartFailure) -> RunningChild {
        let texts = [program, directory ?? ""] + arguments + (environment ?? [:]).flatMap { [$0.key, $0.value] }
        guard !texts.contains(where: { $0.utf8.contains(0) }) else { throw ChildStartFailure(code: EINVAL) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        for (stream, number) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
            switch stream {
            case .null: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            case .descriptor(var descriptor):
                if descriptor <= STDERR_FILENO {
                    // One of the first three would be overwritten before it is copied.
                    descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                    guard descriptor >= 0 else { throw ChildStartFailure(code: errno) }
                    copies.append(descriptor)
                }
                posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            }
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
        if let directory { posix_spawn_file_actions_addchdir_np(&actions, directory) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        // The head of a session is that of a group, too.
        let place = hasOwnSession ? Self.setSession : POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | place))
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var variables = environment?.map { strdup("\($0.key)=\($0.value)") } ?? []
        variables.append(nil)
        defer { for text in words + variables { free(text) } }
        var pid = pid_t()
        let failure =
            environment == nil
            ? posix_spawnp(&pid, program, &actions, &attributes, &words, environ)
            : posix_spawnp(&pid, program, &actions, &attributes, &words, &variables)
        guard failure == 0 else { throw ChildStartFailure(code: failure) }
        return RunningChild(pid: pid)
    }

    /// `POSIX_SPAWN_SETSID`, which glibc's headers show to GNU's dialect of C alone.
    private static let setSession: Int32 = 0x80

    /// Makes a pipe that no child inherits, not even one that is started at this moment.
    ///
    /// - Throws: ``ChildStartFailure``.
    public static func pipe() throws(ChildStartFailure) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw ChildStartFailure(code: errno) }
        return (ends[0], ends[1])
    }
}

/// A program could not be started.
public struct ChildStartFailure: Error, Hashable, CustomStringConvertible {
    /// The reason, one of `errno`'s numbers.
    public let code: Int32

    /// A failure for a reason.
    public init(code: Int32) { self.code = code }

    /// The system's words for the reason.
    public var description: String { String(cString: strerror(code)) }
}

/// A child that was started. One thread calls ``wait()``, which leaves no zombie; any thread may signal.
public final class RunningChild: Sendable {
    /// The end of a child.
    public enum End: Sendable, Hashable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    private struct State {
        /// Nil once it is reaped.
        var pid: Int32?
        var end: End?
    }

    private let state: Guarded<State>

    fileprivate init(pid: Int32) { state = Guarded(State(pid: pid)) }

    /// The process id; nil once the child is reaped.
    public var pid: Int32? { state.withLock { $0.pid } }

    /// Waits for the end of the child, kills what it has started in its group, and reaps it. Blocks.
    public func wait() -> End {
        if let pid {
            // Without reaping it, so that no signal hits another process that has got the same id.
            var information = siginfo_t()
            while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        }
        return state.withLock { state in
            guard let pid = state.pid.take() else { return state.end ?? .exited(0) }
            _ = kill(-pid, SIGKILL)
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
            let signal = status & 0x7F
            let end = signal == 0 ? End.exited((status >> 8) & 0xFF) : .killed(signal: signal)
            state.end = end
            return end
        }
    }

    /// Sends a signal to the child and to what it has started in its group. No effect once it is reaped.
    public func signal(_ number: Int32) {
        state.withLock { if let pid = $0.pid { _ = kill(-pid, number) } }
    }
}
