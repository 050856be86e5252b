// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// A question to the person during a conversation by voice; only a line typed after the question was shown answers it.
/// Until then every key belongs to the question.
final class VoiceQuestion: Sendable {
    private struct Asked {
        let number: Int
        let prompt: String
        let waiter: CheckedContinuation<String?, any Error>
        var typed = ""
    }

    private struct State {
        var keys: KeyInput?
        var asked: Asked?
    }

    /// The greatest length of an answer in characters.
    private static let limit = 200

    private let state = Guarded(State())

    /// True if a question waits for its answer.
    var isOpen: Bool { state.withLock { $0.asked != nil } }

    /// The question that waits for its answer, with the typed text so far; nil if no question waits.
    ///
    /// - Parameter width: The terminal's columns; the end of the typed text is shown.
    func line(width: Int) -> String? {
        state.withLock { state in
            state.asked.map { $0.prompt + $0.typed.suffix(max(8, width - $0.prompt.count)) }
        }
    }

    /// Sets the keys that answer from now on.
    func begin(with keys: KeyInput) { state.withLock { $0.keys = keys } }

    /// Asks, and waits for a line. A question that still waits when the next one is asked gets no answer.
    ///
    /// - Parameter show: Shows the prompt.
    /// - Returns: The line; `nil` at the end of input, or when the next question is asked.
    /// - Throws: `CancellationError`.
    func ask(_ prompt: String, show: () -> Void = {}) async throws -> String? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                func begin(_ number: Int) {
                    let before = state.withLock { state in
                        let before = state.asked?.waiter
                        state.asked = Asked(number: number, prompt: prompt, waiter: continuation)
                        return before
                    }
                    before?.resume(returning: nil)
                    show()
                }
                if let keys = state.withLock({ $0.keys }) { keys.ask(begin) } else { begin(0) }
                // The handler below may have run before the question was set.
                if Task.isCancelled { cancel() }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Takes a key.
    ///
    /// - Returns: False if the key is not for the question: there is none, the key was pressed before it, or it is the
    ///   end of input, which ends the question and has a further meaning for the caller.
    func take(_ press: KeyInput.Press) -> Bool {
        let (isTaken, answered): (Bool, (CheckedContinuation<String?, any Error>, String?)?) = state.withLock { state in
            guard var asked = state.asked, press.question >= asked.number || press.key == .end else {
                return (false, nil)
            }
            switch press.key {
            case .character("\u{7F}"), .character("\u{8}"): asked.typed = String(asked.typed.dropLast())
            case .character("\u{15}"): asked.typed = ""
            case .character(let letter): if asked.typed.count < Self.limit { asked.typed.append(letter) }
            case .enter, .end:
                state.asked = nil
                return (press.key != .end, (asked.waiter, press.key == .end ? nil : asked.typed))
            }
            state.asked = asked
            return (true, nil)
        }
        answered?.0.resume(returning: answered?.1)
        return isTaken
    }

    private func cancel() {
        let waiter = state.withLock { state in
            defer { state.asked = nil }
            return state.asked?.waiter
        }
        waiter?.resume(throwing: CancellationError())
    }
}
