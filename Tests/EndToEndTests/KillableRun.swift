// SPDX-License-Identifier: MIT

import Foundation
import TestKit

/// A run of the program that answers what it says, and that is killed at an instant if it has not ended by then.
///
/// The instant is waited for by polling for what the program says, so it is as exact as the system's timers.
final class KillableRun: Sendable {
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

    private let child: ChildProcess
    private let began = ContinuousClock.now

    /// Starts the program.
    init(_ arguments: [String], environment: [String: String]) throws {
        child = try ParleyProcess.start([ParleyProcess.executable] + arguments, environment: environment)
    }

    /// Waits for the end, or brings it about.
    ///
    /// - Parameters:
    ///   - other: What is killed in its stead.
    ///   - answer: What is typed after a line; `nil` for nothing.
    func finish(
        at instant: Instant, killing other: (@Sendable () -> Void)? = nil,
        answering answer: @escaping @Sendable (String) -> String? = { _ in nil }
    ) async -> Ending {
        await child.detached { [began] child in
            var deadline: ContinuousClock.Instant?
            if case .afterStart(let time) = instant { deadline = began + time }
            var (lines, isOver) = ([String](), false)
            while true {
                do {
                    guard let line = try child.line(by: deadline) else { break }
                    lines.append(line)
                    if case .afterLine(let text, let time) = instant, deadline == nil, !isOver, line.contains(text) {
                        deadline = .now + time
                    }
                    // It may have gone meanwhile.
                    if let text = answer(line) { child.write(text) }
                } catch {
                    if let other { other() } else { child.kill() }
                    (isOver, deadline) = (true, nil)
                }
            }
            let result = child.finish()
            return Ending(
                lines: lines, isKilled: result.end == .signalled(SIGKILL), isOther: isOver && other != nil,
                code: result.code, errors: result.errors, duration: .now - began)
        }
    }
}
