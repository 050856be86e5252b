// SPDX-License-Identifier: MIT

import Concurrency

/// One call of a handler, which is awaited only up to its time limit, whatever the handler does.
///
/// A task group would wait for a handler that ignores its cancellation, so the handler has a task of its own. It is
/// cancelled when the wait is over.
struct ToolRun: Sendable {
    let tool: Tool
    let arguments: JSONValue
    let timeout: Duration?
    let clock: any Clock<Duration>

    /// Runs the handler, and returns its answer.
    ///
    /// - Throws: The errors of the handler, `ToolTimeout`, or `CancellationError`.
    func output() async throws -> String {
        try Task.checkCancellation()
        let outcome = Promise<String>()
        let work = Task {
            do { outcome.resolve(.success(try await tool.handler(arguments))) } catch {
                outcome.resolve(.failure(error))
            }
        }
        let timer = Task {
            guard let timeout, (try? await clock.sleep(for: timeout)) != nil else { return }
            outcome.resolve(.failure(ToolTimeout(limit: timeout)))
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        return try await outcome.valueOrGivingUp()
    }
}

/// A handler took too long.
struct ToolTimeout: Error, CustomStringConvertible {
    let limit: Duration

    var description: String { "it took longer than \(limit)." }
}
