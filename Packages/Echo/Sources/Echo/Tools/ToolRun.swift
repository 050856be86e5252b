// SPDX-License-Identifier: MIT

import Diagnostics

/// One call of a handler, which is waited for no longer than it may take, whatever the handler does.
///
/// A task group would wait for a handler that takes no notice of its cancellation, so the handler's task is one of its
/// own. It is cancelled when the wait is over.
struct ToolRun: Sendable {
    let tool: Tool
    let arguments: JSONValue
    let timeout: Duration?
    let clock: any Clock<Duration>

    /// What the handler answers.
    ///
    /// - Throws: What the handler throws, `ToolTimeout`, or `CancellationError`.
    func output() async throws -> String {
        try Task.checkCancellation()
        let outcome = ToolOutcome()
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
        return try await outcome.value()
    }
}

/// A handler took too long.
struct ToolTimeout: Error, CustomStringConvertible {
    let limit: Duration

    var description: String { "it took longer than \(limit)." }
}

/// The first of several ends of a call.
private final class ToolOutcome: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<String, any Error>)
        case ended(Result<String, any Error>)
    }

    private let state = Guarded(State.open)

    func resolve(_ result: Result<String, any Error>) {
        let continuation: CheckedContinuation<String, any Error>? = state.withLock { state in
            switch state {
            case .open:
                state = .ended(result)
                return nil
            case .awaited(let continuation):
                state = .ended(result)
                return continuation
            case .ended: return nil
            }
        }
        continuation?.resume(with: result)
    }

    func value() async throws -> String {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let ended: Result<String, any Error>? = state.withLock { state in
                    if case .ended(let result) = state { return result }
                    state = .awaited(continuation)
                    return nil
                }
                if let ended { continuation.resume(with: ended) }
            }
        } onCancel: {
            resolve(.failure(CancellationError()))
        }
    }
}
