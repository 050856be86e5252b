// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// The reason why a conversation's mode changed.
public enum ModeChangeReason: Sendable {
    /// The program called ``Conversation/switchMode(to:)``.
    case requested
    /// The budget for voice, or for all, is used up. In US dollars.
    case budgetExceeded(spent: Double, limit: Double)
    /// The microphone or loudspeaker failed, or no session is left.
    case failed(EchoError)
}

/// Passes on the request of an engine that cannot continue for another mode.
final class ModeRequests: Sendable {
    private struct State {
        var handler: (@Sendable (ModeChangeReason) -> Void)?
        /// A request from before ``listen(_:)``.
        var pending: ModeChangeReason?
    }

    private let state = Guarded(State())

    /// Requests that the conversation continues in text.
    func fallBackToText(_ reason: ModeChangeReason) {
        let handler = state.withLock { state in
            if state.handler == nil { state.pending = reason }
            return state.handler
        }
        handler?(reason)
    }

    /// Sets the handler of requests; it receives a pending one at once.
    func listen(_ handler: @escaping @Sendable (ModeChangeReason) -> Void) {
        let pending = state.withLock { state in
            state.handler = handler
            defer { state.pending = nil }
            return state.pending
        }
        if let pending { handler(pending) }
    }
}
