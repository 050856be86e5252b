// SPDX-License-Identifier: MIT

/// The state of microphone and loudspeaker.
public enum AudioStatus: String, Sendable, Hashable, CaseIterable {
    /// Neither is open.
    case idle
    /// The microphone is open.
    case listening
    /// The assistant is heard.
    case speaking
    /// The microphone is muted.
    case muted
}
