// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Foundation
import TestKit
import Testing

/// A program that runs at a terminal of its own, and what a person sees and types there. It is killed with this object.
final class TerminalRun: Sendable {
    private let child: ChildProcess
    private let screen = Screen()

    /// Starts a program.
    ///
    /// - Parameter size: The size of the terminal; nil for one without, whose lines have any length.
    init(_ words: [String], environment: [String: String], size: (columns: Int, rows: Int)? = nil) throws {
        child = try ChildProcess(
            words[0], Array(words.dropFirst()), environment: .only(environment),
            input: size.map { .sizedTerminal(columns: $0.columns, rows: $0.rows) } ?? .terminal)
        let isRead = DetachedThread.start { [child, screen] in
            while case let bytes = child.bytes(), !bytes.isEmpty { screen.take(bytes) }
            screen.end(with: child.wait().code)
        }
        guard isRead else { throw POSIXError(.EAGAIN) }
    }

    deinit { child.kill() }

    /// All that was on the terminal so far.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The same as bytes.
    var bytes: Data { screen.state.withLock { $0.seen } }

    /// Waits until a text is on the terminal, after the one that was waited for last.
    ///
    /// - Throws: ``Ended`` with what was on it, if the program ends without or the test's time is over.
    func shows(_ text: String) async throws {
        let isThere = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                screen.update { $0.waiter = Screen.Waiter(marker: Data(text.utf8), continuation: continuation) }
            }
        } onCancel: {
            child.kill()
        }
        if !isThere { throw Ended(without: text, after: self.text) }
    }

    /// Records, keeps the recording and leaves `parley practice`.
    func keepsOneRecording() async throws {
        try await shows("Enter record")
        try type("\r")
        try await shows("Enter keep")
        try type("\r")
        try await shows("Kept.")
        try type("q")
        #expect(await code() == 0, "\(text)")
    }

    /// Puts the question about uploads off.
    func putsOffConsent() async throws {
        try await shows("Type yes, no or later")
        try type("later\n")
    }

    /// Types a text.
    func type(_ text: String) throws {
        if !child.write(text) { throw Ended(without: "a keyboard for \(text)", after: self.text) }
    }

    /// Changes the size of the terminal.
    func resize(columns: Int, rows: Int) { child.resizeTerminal(columns: columns, rows: rows) }

    /// Waits for the program's end: its exit code, or the number below zero of the signal that ended it.
    func code() async -> Int32 {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let code = screen.state.withLock { state in
                    if state.code == nil { state.ending = continuation }
                    return state.code
                }
                if let code { continuation.resume(returning: code) }
            }
        } onCancel: {
            child.kill()
        }
    }

    /// Takes the terminal away, as closing its window does.
    func close() { child.closeInput() }

    /// The program ended, or its time did.
    struct Ended: Error {
        let without: String
        let after: String
    }
}

/// The state that the reading thread holds; it does not hold the run itself, whose release kills the program.
private final class Screen: Sendable {
    struct Waiter {
        let marker: Data
        let continuation: CheckedContinuation<Bool, Never>
    }

    struct State {
        var seen = Data()
        /// Where the search for the next marker begins.
        var position = 0
        var waiter: Waiter?
        var code: Int32?
        var ending: CheckedContinuation<Int32, Never>?

        /// The waiter whose text is there, or never comes.
        mutating func look() -> (waiter: Waiter, isThere: Bool)? {
            guard let waiter else { return nil }
            let found = seen[position...].range(of: waiter.marker)
            guard found != nil || code != nil else { return nil }
            if let found { position = found.upperBound }
            self.waiter = nil
            return (waiter, found != nil)
        }
    }

    let state = Guarded(State())

    /// Changes the state, and resumes the test that waited for it. The lock is free by then.
    func update(_ change: (inout State) -> Void) {
        let found = state.withLock { state in
            change(&state)
            return state.look()
        }
        if let (waiter, isThere) = found { waiter.continuation.resume(returning: isThere) }
    }

    func take(_ bytes: [UInt8]) { update { $0.seen += bytes } }

    func end(with code: Int32) {
        update { $0.code = code }
        let ending = state.withLock { state in
            defer { state.ending = nil }
            return state.ending
        }
        ending?.resume(returning: code)
    }
}
