// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Foundation
import Glibc

/// A program that runs at a terminal of its own, and what a person sees and types there.
// SAFETY: what changes is inside `state`; the process and its pipes are made once and used from any thread as they allow.
final class TerminalRun: @unchecked Sendable {
    private struct Waiter {
        let marker: Data
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var seen = Data()
        /// Where the search for the next marker begins.
        var position = 0
        var waiter: Waiter?
        var code: Int32?
        var ending: CheckedContinuation<Int32, Never>?
    }

    private let process = Process()
    private let keyboard = Pipe.uninherited()
    private let screen = Pipe.uninherited()
    private let state = Guarded(State())

    /// Starts a program.
    init(_ words: [String], environment: [String: String]) throws {
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", Self.relay] + words
        process.environment = environment
        process.standardInput = keyboard
        process.standardOutput = screen
        // The threads of a test block signals, and a child inherits that; a shell starts programs without.
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try process.run()
        Thread.detachNewThread { [self] in
            while case let chunk = screen.fileHandleForReading.availableData, !chunk.isEmpty { take(chunk) }
            end(with: process.end().status)
        }
    }

    /// All that was on the terminal so far.
    var text: String { state.withLock { String(decoding: $0.seen, as: UTF8.self) } }

    /// Waits until a text is on the terminal, after the one that was waited for last.
    ///
    /// - Throws: ``Ended`` with what was on it, if the program ends without or the test's time is over.
    func shows(_ text: String) async throws {
        let isThere = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    state.waiter = Waiter(marker: Data(text.utf8), continuation: continuation)
                    Self.look(&state)
                }
            }
        } onCancel: {
            kill()
        }
        if !isThere { throw Ended(without: text, after: self.text) }
    }

    /// Puts the question about uploads off.
    func putsOffConsent() async throws {
        try await shows("Type yes, no or later")
        try type("later\n")
    }

    /// Types a text.
    func type(_ text: String) throws { try keyboard.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    /// Waits for the program's end: its exit code, or 128 and the number of the signal that ended it.
    func code() async -> Int32 {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    if let code = state.code { return continuation.resume(returning: code) }
                    state.ending = continuation
                }
            }
        } onCancel: {
            kill()
        }
    }

    /// Ends the relay, and with it the terminal: whoever waits is told, whatever the program does about that.
    private func kill() { if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) } }

    /// Takes the terminal away, as closing its window does. So does the end of whoever holds the keyboard.
    func close() { try? keyboard.fileHandleForWriting.close() }

    private func take(_ chunk: Data) {
        state.withLock { state in
            state.seen += chunk
            Self.look(&state)
        }
    }

    private static func look(_ state: inout State) {
        guard let waiter = state.waiter else { return }
        if let found = state.seen[state.position...].range(of: waiter.marker) {
            state.position = found.upperBound
        } else if state.code == nil {
            return
        }
        let isThere = state.seen[..<state.position].suffix(waiter.marker.count) == waiter.marker
        state.waiter = nil
        waiter.continuation.resume(returning: isThere)
    }

    private func end(with code: Int32) {
        state.withLock { state in
            state.code = code
            state.ending?.resume(returning: code)
            state.ending = nil
            Self.look(&state)
        }
    }

    struct Ended: Error {
        let without: String
        let after: String
    }

    private static let relay = """
        import os, pty, select, sys
        child, terminal = pty.fork()
        if child == 0:
            os.execv(sys.argv[1], sys.argv[1:])
        while True:
            ready = select.select([terminal, 0], [], [])[0]
            if 0 in ready:
                typed = os.read(0, 4096)
                if not typed:
                    break
                os.write(terminal, typed)
            if terminal in ready:
                try:
                    shown = os.read(terminal, 4096)
                except OSError:
                    break
                if not shown:
                    break
                os.write(1, shown)
        os.close(terminal)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        sys.exit(code if code >= 0 else 128 - code)
        """
}
