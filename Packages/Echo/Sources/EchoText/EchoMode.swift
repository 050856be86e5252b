// SPDX-License-Identifier: MIT

/// The mode of a conversation: text or voice.
public enum EchoMode: String, Sendable, Hashable, CaseIterable {
    /// By voice, over the realtime API.
    case audio
    /// By text, over the responses API.
    case text
}
