// SPDX-License-Identifier: MIT

/// Who says when the user's turn in a voice conversation is over. Text conversations have no need of it.
public enum TurnDetection: Sendable, Hashable {
    /// The server, when it hears silence.
    case automatic(VADConfiguration)
    /// The program, with ``Conversation/endUserTurn()``.
    case manual
    /// Nobody: sound is sent, and no answer asked for.
    case disabled
}
