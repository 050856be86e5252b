// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import FoundationEssentials
import Glibc

/// A server that runs as a child process: its input, its output, the newest of its standard error, and its end.
///
/// Two threads of its own serve it: one starts the child and waits for its end, one polls the pipes. Bytes are read
/// only on request, so a slow reader holds the server back. When ``end`` has its value the child is reaped, its process
/// group is gone, and every descriptor is closed.
final class ServerProcess: Sendable {
    typealias End = RunningChild.End

    struct Writing: Sendable {
        let bytes: [UInt8]
        var offset = 0
        let done: Promise<Void>
    }

    struct State: Sendable {
        /// Nil until it runs.
        var child: RunningChild?
        var exit: End?
        var bell: Int32
        var writings: [Writing] = []
        var inputIsOpen = true
        var reader: Promise<[UInt8]?>?
        var outputIsOpen = true
        var log: ErrorLog
        var wantsShutdown = false
    }

    let state: Guarded<State>
    /// Resolved when the child is reaped and all descriptors are closed.
    let end = Promise<End>()
    let grace: Duration

    /// Starts the program.
    ///
    /// - Throws: ``MCPError/Code/cannotStart``.
    static func start(
        _ command: MCPCommand, grace: Duration,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws -> ServerProcess {
        let launch = try ServerLaunch(command, environment: environment)
        var pipes = try ServerPipes()
        let process = ServerProcess(
            bell: pipes.bell, log: ErrorLog(limit: command.maximumErrorLogBytes), grace: grace)
        let started = Promise<Int32>()
        let ends = pipes
        let hasThread = DetachedThread.start {
            process.runAndReap(launch, ends, started: started)
        }
        let failure = hasThread ? try await Self.wait(for: started) : EAGAIN
        pipes.closeChildEnds()
        guard failure == 0 else {
            pipes.closeAll()
            let reason = String(cString: strerror(failure))
            throw MCPError(.cannotStart, "The program \(command.program) cannot be started: \(reason).")
        }
        let loop = ServerPipeLoop(process: process, pipes: pipes)
        let isPolled = DetachedThread.start {
            var loop = loop
            loop.run()
        }
        guard isPolled else {
            process.signal(SIGKILL)
            pipes.closeAll()
            throw MCPError(.cannotStart, "The system gave no thread for the server.")
        }
        return process
    }

    /// Waits for the start without cancellation: it takes a millisecond, and its outcome must be known.
    private static func wait(for started: Promise<Int32>) async throws -> Int32 {
        try await Task { try await started.value() }.value
    }

    private init(bell: Int32, log: ErrorLog, grace: Duration) {
        state = Guarded(State(bell: bell, log: log))
        self.grace = grace
    }

    /// The next bytes of the standard output; `nil` at its end. For one task at a time.
    func read() async -> [UInt8]? {
        let reader = Promise<[UInt8]?>()
        let isOpen = state.withLock { state in
            guard state.outputIsOpen else { return false }
            state.reader = reader
            return true
        }
        guard isOpen else { return nil }
        ring()
        return (try? await reader.value()) ?? nil
    }

    /// Writes to the standard input, after all earlier writes; returns when the pipe has taken all of it. Cancelling
    /// ends the wait, and not the writing, since half a message would spoil the next.
    ///
    /// - Throws: ``MCPError/Code/serverEnded`` when the input is closed.
    func write(_ bytes: [UInt8]) async throws {
        let done = Promise<Void>()
        let refusal: MCPError? = state.withLock { state in
            guard state.inputIsOpen else { return Self.inputClosed }
            let waiting = state.writings.reduce(0) { $0 + $1.bytes.count }
            guard state.writings.isEmpty || waiting + bytes.count <= Self.maximumWaitingBytes else {
                return Self.congested
            }
            state.writings.append(Writing(bytes: bytes, done: done))
            return nil
        }
        if let refusal { throw refusal }
        ring()
        try await done.value()
    }

    /// The most bytes that may wait for a server that does not read; cancelled requests are among them.
    private static let maximumWaitingBytes = 64 << 20

    private static var congested: MCPError {
        MCPError(
            .congested,
            "The server does not read its input, and too many messages wait for it. Close it, then connect again.")
    }

    static var inputClosed: MCPError { MCPError(.serverEnded, "The server takes no more input.") }

    /// Asks the program to end: closes its input, and later sends signals. Returns at once; ``end`` has its value
    /// afterwards.
    func shutDown() {
        state.withLock { $0.wantsShutdown = true }
        ring()
    }

    /// The newest bytes of the program's standard error.
    var errorLog: String { state.withLock { $0.log.text } }

    /// The child's process id while it runs.
    var pid: pid_t? { state.withLock { $0.child }?.pid }

    /// Wakes the polling thread.
    func ring() {
        state.withLock { state in
            guard state.bell >= 0 else { return }
            var byte: UInt8 = 1
            // A full pipe wakes it just as well.
            _ = Glibc.write(state.bell, &byte, 1)
        }
    }

    /// Sends a signal to the child's group, unless it is reaped.
    func signal(_ number: Int32) {
        state.withLock { $0.child }?.signal(number)
    }

    /// The first thread's work: the child dies with the thread.
    private func runAndReap(_ launch: ServerLaunch, _ pipes: ServerPipes, started: Promise<Int32>) {
        do throws(ChildStartFailure) {
            let child = try launch.start(
                input: pipes.childInput, output: pipes.childOutput, errors: pipes.childErrors)
            state.withLock { $0.child = child }
            started.resolve(.success(0))
            let end = child.wait()
            state.withLock { $0.exit = end }
            ring()
        } catch {
            started.resolve(.success(error.code))
        }
    }
}
