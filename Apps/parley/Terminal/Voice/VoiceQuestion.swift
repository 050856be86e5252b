// SPDX-License-Identifier: MIT

import Diagnostics

/// A question to the person in the middle of a conversation by voice, which one key answers.
final class VoiceQuestion: Sendable {
    private struct State {
        var text: String?
        var waiting: CheckedContinuation<String?, any Error>?
    }

    private let state = Guarded(State())

    /// The question that waits for its answer.
    var text: String? { state.withLock { $0.text } }

    /// Asks, and waits for a key. The questions of one conversation come one after another.
    ///
    /// - Parameter show: Shows the question; a key answers it from the moment it can be seen.
    /// - Returns: The key; `nil` for Enter and the end of input, which say no.
    /// - Throws: `CancellationError`.
    func ask(_ text: String, show: () -> Void = {}) async throws -> String? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let before = state.withLock { state in
                    defer { state = State(text: text, waiting: continuation) }
                    return state.waiting
                }
                before?.resume(returning: nil)
                show()
                // The handler below may have come before the question.
                if Task.isCancelled { cancel() }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Answers the question.
    ///
    /// - Returns: False where there is none, or the key means something else, too, as the end of input does.
    func take(_ key: Key) -> Bool {
        let answer: String?
        switch key {
        case .character(let letter) where "yna".contains(letter): answer = String(letter)
        case .enter, .end: answer = nil
        case .character: return false
        }
        let waiting = take()
        waiting?.resume(returning: answer)
        return waiting != nil && key != .end
    }

    private func cancel() { take()?.resume(throwing: CancellationError()) }

    private func take() -> CheckedContinuation<String?, any Error>? {
        state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
    }
}
