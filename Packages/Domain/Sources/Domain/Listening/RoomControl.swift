// SPDX-License-Identifier: MIT

/// A request to an assistant that listens all day by other means than by voice, such as a button.
public enum RoomControl: String, Sendable, Hashable, CaseIterable {
    /// Close the microphone.
    case mute
    /// Open the microphone again.
    case unmute
    /// Stop finding or saying the answer, or waiting for a question.
    case interrupt
    /// Listen to a question without the wake word. A muted assistant only opens its microphone.
    case wake
}
