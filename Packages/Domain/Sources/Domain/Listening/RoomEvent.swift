// SPDX-License-Identifier: MIT

/// An event of an assistant that listens all day, for its display.
public enum RoomEvent: Sendable {
    /// The assistant's phase from now on.
    case phase(VoiceLoop.Phase)
    /// The loudness of the room, in dBFS (RMS), ten times a second.
    case level(Double)
    /// The wake word was heard.
    case wakeWord
    /// An event of a turn, in the order of ``TurnEvent``.
    case turn(TurnID, TurnEvent)
    /// The answer of this turn was cut off because a person spoke.
    case interrupted(TurnID)
    /// The sound device disappeared or is back; the text is for a person.
    case device(Sentence)
    /// Listening saves power from now on, or not any more.
    case savesPower(Bool)
    /// The microphone was closed because a person asked for it, or is open again.
    case muted(Bool)
    /// A part failed and is used again: the listener after `retry`, the others with the next turn (nil).
    case failed(Part, DomainError, retry: Duration?)
    /// The listener works again.
    case recovered(Part)

    /// A part that can fail by itself.
    public enum Part: String, Sendable, Hashable, CaseIterable {
        /// Microphone, wake word and recogniser.
        case listener = "ear"
        /// The part that finds and stores answers.
        case answers
        /// Synthesiser and loudspeaker.
        case voice
    }
}

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
