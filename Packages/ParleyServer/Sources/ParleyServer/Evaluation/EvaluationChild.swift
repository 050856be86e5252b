// SPDX-License-Identifier: MIT

import Concurrency
import FoundationEssentials
import Glibc

/// A process for one evaluation. One socket is its input and output, which it reads until the end to notice that this
/// process has died.
final class EvaluationChild: Sendable {
    /// The end of a child.
    enum End: Sendable, Hashable {
        case ended(RunningChild.End)
        /// Killed here, for its memory.
        case tooMuchMemory
    }

    /// The most bytes of an answer.
    private static let outputLimit = 4 << 20
    /// Milliseconds between two looks at the memory: a process that fills new pages all the time takes some 50 MB meanwhile.
    private static let memoryInterval: Int32 = 20

    private struct State {
        /// Nil before the start.
        var child: RunningChild?
        var isCancelled = false
        var hasTooMuchMemory = false
    }

    private let program: String
    private let arguments: [String]
    private let memoryBytes: Int
    private let state = Guarded(State())

    init(_ program: String, _ arguments: [String], memoryBytes: Int) {
        (self.program, self.arguments, self.memoryBytes) = (program, arguments, memoryBytes)
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
        let child: RunningChild
        do {
            defer { close(ends[1]) }
            child = try start(ends[1])
        }
        send(input, to: ends[0])
        let output = read(from: ends[0], of: child)
        if output == nil { child.signal(SIGKILL) }
        let end = child.wait()
        guard let output else {
            throw EvaluationChildError(description: "\(program) has written more than an answer")
        }
        return (output, state.withLock { $0.hasTooMuchMemory } ? .tooMuchMemory : .ended(end))
    }

    private func start(_ socket: Int32) throws -> RunningChild {
        // Secrets of the server's environment are not the child's.
        let kept = ["PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH"]
        var environment = ProcessInfo.processInfo.environment.filter { kept.contains($0.key) }
        // A report of a crash would show memory, with what somebody said.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        var child = ChildProgram(program, arguments, environment: environment)
        (child.input, child.output, child.errors) = (
            .descriptor(socket), .descriptor(socket), .descriptor(STDERR_FILENO)
        )
        return try state.withLock { state in
            // Cancelled before it was started.
            guard !state.isCancelled else { throw CancellationError() }
            do throws(ChildStartFailure) {
                let child = try child.start()
                state.child = child
                return child
            } catch { throw EvaluationChildError(program, error.code) }
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
    private func read(from socket: Int32, of child: RunningChild) -> [UInt8]? {
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            killIfTooLarge(child)
            var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard Glibc.poll(&poll, 1, Self.memoryInterval) > 0 else { continue }
            let count = Glibc.read(socket, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return output }
            output += buffer.prefix(count)
            guard output.count <= Self.outputLimit else { return nil }
        }
    }

    private func killIfTooLarge(_ child: RunningChild) {
        guard let pid = child.pid, Self.residentBytes(of: pid) > memoryBytes else { return }
        state.withLock { $0.hasTooMuchMemory = true }
        child.signal(SIGKILL)
    }

    /// The memory of a process (proc(5), `/proc/pid/statm`), in bytes; 0 if it has ended.
    private static func residentBytes(of pid: pid_t) -> Int {
        let pages = (try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8))?.split(separator: " ")
            .dropFirst().first.flatMap { Int($0) }
        return (pages ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }

    private func kill() {
        state.withLock { state in
            state.isCancelled = true
            state.child?.signal(SIGKILL)
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
