// SPDX-License-Identifier: MIT

import Concurrency
import FoundationEssentials
import Glibc

/// A process for one evaluation. One socket is its input and output, which it reads until the end to notice that this
/// process has died.
final class EvaluationChild: Sendable {
    /// The end of a child.
    enum End: Sendable, Hashable {
        case exited(Int32)
        case killed(signal: Int32)
    }

    /// The most bytes of an answer.
    private static let outputLimit = 4 << 20

    private struct State {
        /// Nil before the start and after the end.
        var pid: pid_t?
        var isCancelled = false
    }

    private let program: String
    private let arguments: [String]
    private let state = Guarded(State())

    init(_ program: String, _ arguments: [String]) {
        (self.program, self.arguments) = (program, arguments)
    }

    /// Runs the program, with `input` as its first bytes, to its end. Cancellation kills it and what it has started.
    ///
    /// - Throws: `CancellationError`; ``EvaluationChildError`` if the program does not start or writes too much.
    func run(input: [UInt8]) async throws -> (output: [UInt8], end: End) {
        let result = try await withTaskCancellationHandler {
            try await BlockingCall.run { [self] in try runBlocking(input) }
        } onCancel: {
            kill()
        }
        try Task.checkCancellation()
        return result
    }

    private func runBlocking(_ input: [UInt8]) throws -> (output: [UInt8], end: End) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw EvaluationChildError(program, errno) }
        defer { close(ends[0]) }
        do {
            defer { close(ends[1]) }
            try start(ends[1])
        }
        defer { kill() }
        send(input, to: ends[0])
        guard let output = read(from: ends[0]) else {
            kill()
            _ = wait()
            throw EvaluationChildError(description: "\(program) has written more than an answer")
        }
        return (output, wait())
    }

    private func start(_ socket: Int32) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, socket, 0)
        posix_spawn_file_actions_adddup2(&actions, socket, 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The server's threads block signals, which a child must not inherit.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        // Secrets of the server's environment are not the child's.
        let own = ProcessInfo.processInfo.environment
        let kept = ["PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH"].compactMap { name in
            own[name].map { "\(name)=\($0)" }
        }
        // A report of a crash would show memory, with what somebody said.
        let variables = kept + ["SWIFT_BACKTRACE=enable=no"]
        var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { for text in words + environment { free(text) } }
        try state.withLock { state in
            // Cancelled before it was started.
            guard !state.isCancelled else { throw CancellationError() }
            var pid = pid_t()
            let failure = posix_spawn(&pid, program, &actions, &attributes, &words, &environment)
            guard failure == 0 else { throw EvaluationChildError(program, failure) }
            state.pid = pid
        }
    }

    private func send(_ bytes: [UInt8], to socket: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // A child that has ended is noticed by its end.
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// The output until its end; nil if it is too long.
    private func read(from socket: Int32) -> [UInt8]? {
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(socket, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return output }
            output += buffer.prefix(count)
            guard output.count <= Self.outputLimit else { return nil }
        }
    }

    private func wait() -> End {
        guard let pid = state.withLock({ $0.pid }) else { return .exited(0) }
        // Waits without reaping first, so that kill() never ends another process that has got the same id.
        var information = siginfo_t()
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        return state.withLock { state in
            state.pid = nil
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
            let signal = status & 0x7F
            return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
        }
    }

    /// Ends the process group; has no effect once the child is reaped.
    private func kill() {
        state.withLock { state in
            state.isCancelled = true
            if let pid = state.pid { _ = Glibc.kill(-pid, SIGKILL) }
        }
    }
}

/// A child process could not be used.
struct EvaluationChildError: Error, CustomStringConvertible {
    let description: String

    init(description: String) { self.description = description }

    init(_ program: String, _ cause: Int32) {
        description = "\(program) cannot be started: \(String(cString: strerror(cause)))"
    }
}
