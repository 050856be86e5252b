// SPDX-License-Identifier: MIT

/// How a conversation goes on at the moment.
public enum EchoMode: String, Sendable, Hashable, CaseIterable {
    /// By voice, over the realtime API.
    case audio
    /// By text, over the responses API.
    case text
}
