// SPDX-License-Identifier: MIT

/// The types of a conversation's events; `echo.when(.messageFinalized) { … }` subscribes to one of them.
public enum EventType: String, Sendable, Hashable, CaseIterable {
    /// The voice activity detection hears the user begin.
    case userStartedSpeaking
    /// The voice activity detection hears the user end.
    case userStoppedSpeaking
    /// The transcript of the user's speech is complete.
    case userTranscriptionCompleted
    /// The assistant's answer begins with its first text or sound.
    case assistantStartedSpeaking
    /// The assistant's answer has ended, whole or interrupted.
    case assistantStoppedSpeaking
    /// A piece of the assistant's text.
    case assistantTextDelta
    /// A piece of the assistant's sound.
    case assistantAudioDelta
    /// The loudness at the microphone.
    case audioLevelChanged
    /// The state of microphone or loudspeaker changed.
    case audioStatusChanged
    /// A turn begins.
    case turnChanged
    /// A turn is over.
    case turnEnded
    /// The assistant's answer was cut short by the user.
    case assistantInterrupted
    /// The model calls a function.
    case toolCallRequested
    /// A function's result is on its way to the model.
    case toolResultSubmitted
    /// A message has its final position and text.
    case messageFinalized
    /// The connection to the server changed.
    case connectionStatusChanged
    /// Something failed. Calls throw the error as well.
    case error
    /// The loudness of the played sound.
    case outputLevelChanged
    /// Another microphone or loudspeaker replaced one.
    case audioRouteChanged
    /// The sound file used as the microphone has ended.
    case audioInputEnded
    /// The latencies of a voice turn.
    case turnTimed
    /// Voice incurred a cost.
    case usageCounted
    /// The sound that stopped the assistant was not speech: the answer continues.
    case interruptionWasFalse
    /// The guardrail stopped an answer.
    case answerBlocked
    /// The conversation continues in another mode.
    case modeChanged
    /// The turn was shorter than the minimum.
    case turnTooShort
    /// The user has been silent for the idle time-out.
    case idleTimedOut
}
