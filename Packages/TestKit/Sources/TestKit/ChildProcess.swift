// SPDX-License-Identifier: MIT

import Dispatch
import FoundationEssentials
public import Glibc

/// A program that a test runs, reads and kills. It is killed with its owner, and so are the programs of its process group.
///
/// For use from any thread. The calls that read and wait block; ``detached(_:)`` takes them off Swift's pool. No signal is
/// sent to a process that has been waited for, since another one may have its number by then.
public final class ChildProcess: Sendable {
    /// The way a process ended.
    public enum End: Sendable, Hashable {
        /// It ended by itself, with this exit code.
        case exited(Int32)
        /// This signal ended it.
        case signalled(Int32)

        /// The exit code; the signal's number below zero for a process that was killed.
        public var code: Int32 {
            switch self {
            case .exited(let code): code
            case .signalled(let signal): -signal
            }
        }
    }

    /// The captured output of a process that was not read before, and its end.
    public struct Result: Sendable {
        /// The standard output.
        public let output: String
        /// The standard error.
        public let errors: String
        /// The way it ended.
        public let end: End
        /// The number of the end.
        public var code: Int32 { end.code }
    }

    /// The process could not be started; `errno` has the reason.
    public struct StartFailure: Error, Sendable {
        /// The error number.
        public let errno: Int32
    }

    /// A deadline passed before the process said anything.
    public struct TimeIsUp: Error, Sendable {}

    /// The process id.
    public let id: pid_t
    private let input: Lock<Int32>
    private let reading: Lock<ChildOutput>
    /// Ends the reading of a terminal that is hung up; -1 for any other process.
    private let bell: Lock<Int32>
    private let end = Lock<End?>(nil)
    private let waiting = Lock(())

    /// Starts a program in a process group of its own, with no signal blocked or ignored.
    ///
    /// - Parameters:
    ///   - program: A path, or a name on the `PATH`.
    ///   - folder: The working folder; nil for this process's.
    ///   - output: The destination of its standard output; not for a program at a terminal.
    ///   - errors: The destination of its standard error; not for a program at a terminal.
    public init(
        _ program: String, _ arguments: [String] = [], environment: Environment = .adding([:]), folder: String? = nil,
        input: Input = .empty, output: Sink = .captured, errors: Sink = .inherited
    ) throws(StartFailure) {
        let ends = try ChildLaunch.oneAtATime.withLock { _ throws(StartFailure) in
            let launch = ChildLaunch()
            try launch.connect(input, output, errors)
            return try launch.start(program, arguments, environment, in: folder)
        }
        id = ends.id
        self.input = Lock(ends.input)
        reading = Lock(ChildOutput(output: ends.output, errors: ends.errors, bell: ends.bell.read))
        bell = Lock(ends.bell.write)
    }

    deinit {
        end.withLock { if $0 == nil { _ = Glibc.kill(-id, SIGKILL) } }
        wait()
        closeInput()
        reading.withLock { $0.close() }
    }

    /// The path of a program that the build puts beside the tests.
    public static func path(besideTests name: String) -> String {
        let runner = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return runner.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/" + name
    }

    /// The result of calls that block, made on a thread of its own. The process is killed when the task is cancelled, which
    /// ends them: at the time limit of a test, what it said until then is what the test fails with.
    public func detached<Value: Sendable>(_ body: @escaping @Sendable (ChildProcess) -> Value) async -> Value {
        let outcome = Lock<Value?>(nil)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "testkit.child-process").async {
                    let value = body(self)
                    outcome.withLock { $0 = value }
                    continuation.resume()
                }
            }
        } onCancel: {
            kill()
        }
        guard let value = outcome.withLock({ $0 }) else { preconditionFailure("The queue ran nothing.") }
        return value
    }

    // MARK: Input

    /// Writes to its standard input, or types at its terminal.
    ///
    /// - Returns: True if all of it was written; false once the process has ended or closed its input.
    @discardableResult
    public func write(_ text: String) -> Bool {
        // A pipe that nobody reads brings SIGPIPE, which would end the tests.
        var (broken, before) = (sigset_t(), sigset_t())
        sigemptyset(&broken)
        sigaddset(&broken, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &broken, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return input.withLock { input in
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                if count < 0, errno == EPIPE, sigismember(&before, SIGPIPE) == 0 {
                    var now = timespec()
                    sigtimedwait(&broken, nil, &now)
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// Changes the size of its terminal, as a window does; the program gets SIGWINCH.
    public func resizeTerminal(columns: Int, rows: Int) {
        input.withLock { Self.resize($0, columns: columns, rows: rows) }
    }

    static func resize(_ terminal: Int32, columns: Int, rows: Int) {
        var size = winsize()
        (size.ws_col, size.ws_row) = (UInt16(clamping: columns), UInt16(clamping: rows))
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    }

    /// Ends its standard input. A terminal is hung up, as by closing its window; there is nothing to read from it any more.
    public func closeInput() {
        input.withLock { input in
            if input >= 0 { close(input) }
            input = -1
        }
        let isTerminal = bell.withLock { bell in
            defer { bell = -1 }
            return bell >= 0 && close(bell) == 0
        }
        // Whoever reads stops by the bell; a terminal that a call still reads would not be hung up.
        if isTerminal { reading.withLock { $0.close() } }
    }

    // MARK: Output

    /// The next line of its standard output without its end; nil after the last whole line.
    public func line() -> String? { reading.withLock { try? $0.line(by: nil) } }

    /// The same, unless nothing comes by `deadline`.
    public func line(by deadline: ContinuousClock.Instant?) throws(TimeIsUp) -> String? {
        try reading.withLock { reading throws(TimeIsUp) in try reading.line(by: deadline) }
    }

    /// All whole lines of the remaining output, until the process ends; a last line that a kill cut short is left out.
    public func lines() -> [String] {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        return lines
    }

    /// The next bytes of its standard output, any number of them; empty at the end.
    public func bytes() -> [UInt8] { reading.withLock { $0.bytes() } }

    /// The unread standard output once `marker` is in it, or at the end. It stays unread.
    public func text(until marker: String) -> String { reading.withLock { $0.text(until: Array(marker.utf8)) } }

    /// Ends its input, reads all that it has yet to say, and waits for its end.
    public func finish() -> Result {
        closeInput()
        let (output, errors) = reading.withLock { $0.rest() }
        return Result(
            output: String(decoding: output, as: UTF8.self), errors: String(decoding: errors, as: UTF8.self),
            end: wait())
    }

    /// The same, on a thread of its own.
    public func finished() async -> Result { await detached { $0.finish() } }

    // MARK: End

    /// Sends a signal, unless the process has been waited for.
    public func kill(_ signal: Int32 = SIGKILL) {
        end.withLock { if $0 == nil { _ = Glibc.kill(id, signal) } }
    }

    /// True until the process has ended.
    public var isRunning: Bool {
        end.withLock { end in
            var information = siginfo_t()
            return end == nil && waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT) == 0
                && information.si_signo == 0
        }
    }

    /// Waits for its end.
    @discardableResult
    public func wait() -> End {
        waiting.withLock { _ in
            if let end = end.withLock({ $0 }) { return end }
            // Not reaped without the lock, so that no signal hits a process that has taken over the number.
            var information = siginfo_t()
            while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            return end.withLock {
                var status: Int32 = 0
                while waitpid(id, &status, 0) < 0, errno == EINTR {}
                let signal = status & 0x7F
                let end = signal == 0 ? End.exited((status >> 8) & 0xFF) : .signalled(signal)
                $0 = end
                return end
            }
        }
    }
}
