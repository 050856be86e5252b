// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// A run of the program that answers what it says, and that is killed at an instant if it has not ended by then.
///
/// The instant is waited for by polling for what the program says, so it is as exact as the system's timers.
// SAFETY: nothing changes after init but by `finish`, which is called once, and works on a thread of its own.
final class KillableRun: @unchecked Sendable {
    /// What became of it.
    struct Ending {
        /// The whole lines that it wrote: what it had said before it was killed.
        let lines: [String]
        let isKilled: Bool
        /// Whether the other was killed in its stead.
        let isOther: Bool
        /// Its exit code, if it was not killed.
        let code: Int32
        let errors: String
        let duration: Duration

        /// The lines as JSON objects.
        var events: [[String: Any]] {
            lines.compactMap { (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any] }
        }
    }

    /// When it is killed.
    enum Instant {
        /// Never.
        case never
        /// So long after it was started.
        case afterStart(Duration)
        /// So long after a line with a text.
        case afterLine(String, Duration)
    }

    private let process = Process()
    private let (input, output, errors) = (Pipe.uninherited(), Pipe.uninherited(), Pipe.uninherited())
    private let began = ContinuousClock.now

    /// Starts the program.
    init(_ arguments: [String], environment: [String: String]) throws {
        process.executableURL = URL(filePath: ParleyProcess.executable)
        process.arguments = arguments
        process.environment = environment
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try process.run()
    }

    /// Waits for the end, or brings it about.
    ///
    /// - Parameters:
    ///   - other: What is killed in its stead.
    ///   - answer: What is typed after a line; `nil` for nothing.
    func finish(
        at instant: Instant, killing other: (@Sendable () -> Void)? = nil,
        answering answer: @escaping @Sendable (String) -> String? = { _ in nil }
    ) async throws -> Ending {
        try await onThread { [self] in
            var deadline: ContinuousClock.Instant?
            if case .afterStart(let time) = instant { deadline = began + time }
            var (rest, lines, isOver) = (Data(), [String](), false)
            while true {
                if let chunk = try chunk(until: deadline) {
                    if chunk.isEmpty { break }
                    rest += chunk
                } else {
                    if let other { other() } else { kill(process.processIdentifier, SIGKILL) }
                    (isOver, deadline) = (true, nil)
                }
                while let end = rest.firstIndex(of: 10) {
                    let line = String(decoding: rest[..<end], as: UTF8.self)
                    rest = rest[(end + 1)...]
                    lines.append(line)
                    if case .afterLine(let text, let time) = instant, deadline == nil, !isOver, line.contains(text) {
                        deadline = .now + time
                    }
                    // It may have gone meanwhile.
                    if let text = answer(line) { try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }
                }
            }
            try? input.fileHandleForWriting.close()
            let said = errors.fileHandleForReading.readDataToEndOfFile()
            let end = process.end()
            return Ending(
                lines: lines, isKilled: end.isSignal,
                isOther: isOver && other != nil, code: end.status,
                errors: String(decoding: said, as: UTF8.self), duration: .now - began)
        }
    }

    /// What it says next, empty at its end; `nil` when the time has come first.
    private func chunk(until deadline: ContinuousClock.Instant?) throws -> Data? {
        while true {
            var polled = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            let left = deadline.map { Int32(max(0, (($0 - .now) / .milliseconds(1)).rounded(.up))) }
            let count = poll(&polled, 1, left ?? -1)
            if count > 0 { return output.fileHandleForReading.availableData }
            if count == 0 { return nil }
            guard errno == EINTR else { throw POSIXError(.EIO) }
        }
    }
}
