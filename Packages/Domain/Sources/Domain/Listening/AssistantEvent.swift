// SPDX-License-Identifier: MIT

/// What an assistant that listens all day reports to whoever shows it.
public enum AssistantEvent: Sendable {
    /// What it does from now on.
    case phase(VoiceLoop.Phase)
    /// How loud the room is, in dBFS (RMS), ten times a second.
    case level(Double)
    /// The wake word was heard.
    case wakeWord
    /// Something happened in a turn, in the order of ``TurnEvent``.
    case turn(TurnID, TurnEvent)
    /// The answer of this turn was cut off because somebody spoke.
    case interrupted(TurnID)
    /// The sound device went away or came back; the text is for a person.
    case device(String)
    /// A part failed and is used again: the ear after `retry`, the others with the next turn (nil).
    case failed(Part, DomainError, retry: Duration?)
    /// The ear works again.
    case recovered(Part)

    /// What can fail by itself.
    public enum Part: String, Sendable, Hashable, CaseIterable {
        /// Microphone, wake word and recogniser.
        case ear
        /// What finds and stores answers.
        case answers
        /// Synthesiser and loudspeaker.
        case voice
    }
}
