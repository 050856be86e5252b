// SPDX-License-Identifier: MIT

/// The rule that ends the user's turn in a voice conversation.
public enum TurnDetection: Sendable, Hashable, Codable {
    /// The server detects speech: the turn is over when the user falls silent.
    case automatic(VADConfiguration)
    /// The program begins and ends turns, as with a button that is held while speaking.
    case manual
    /// No detection: sound is neither committed nor answered unless the program asks for it, and speech interrupts
    /// nothing.
    case disabled
}
