// SPDX-License-Identifier: MIT

import Concurrency

/// The reason for a change of mode.
public enum ModeChangeReason: Sendable {
    /// The program called ``Conversation/switchMode(to:)``.
    case requested
    /// The budget for voice, or for all, is used up. In US dollars.
    case budgetExceeded(spent: Double, limit: Double)
    /// The microphone or loudspeaker failed, or no session is left.
    case failed(EchoError)
}

/// Takes an engine's request for another mode, when it cannot go on.
package final class ModeRequests: Sendable {
    private struct State {
        var handler: (@Sendable (ModeChangeReason) -> Void)?
        /// A request that came before there was a handler.
        var pending: ModeChangeReason?
    }

    private let state = Guarded(State())

    /// Requests that the conversation continues in text.
    package func fallBackToText(_ reason: ModeChangeReason) {
        let handler = state.withLock { state in
            if state.handler == nil { state.pending = reason }
            return state.handler
        }
        handler?(reason)
    }

    /// Sets the handler, and gives it the request that came before.
    func listen(_ handler: @escaping @Sendable (ModeChangeReason) -> Void) {
        let pending = state.withLock { state in
            state.handler = handler
            defer { state.pending = nil }
            return state.pending
        }
        if let pending { handler(pending) }
    }
}
