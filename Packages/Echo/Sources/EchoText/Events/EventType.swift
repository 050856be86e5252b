// SPDX-License-Identifier: MIT

/// The kinds of events of a conversation; `echo.when(.messageFinalized) { … }` subscribes to one.
public enum EventType: String, Sendable, Hashable, CaseIterable {
    /// The detector of speech hears the user begin.
    case userStartedSpeaking
    /// The detector of speech hears the user end.
    case userStoppedSpeaking
    /// The transcript of the user's speech is complete.
    case userTranscriptionCompleted
    /// The assistant's answer begins: its first text or sound is there.
    case assistantStartedSpeaking
    /// The assistant's answer has ended, whole or interrupted.
    case assistantStoppedSpeaking
    /// A piece of the assistant's text.
    case assistantTextDelta
    /// A piece of the assistant's sound.
    case assistantAudioDelta
    /// The loudness at the microphone.
    case audioLevelChanged
    /// The state of microphone and loudspeaker changed.
    case audioStatusChanged
    /// The turn changed sides.
    case turnChanged
    /// A turn is over.
    case turnEnded
    /// The assistant's answer was cut short by the user.
    case assistantInterrupted
    /// The model wants a function called.
    case toolCallRequested
    /// A function's result is on its way to the model.
    case toolResultSubmitted
    /// A message has its place and its text for good.
    case messageFinalized
    /// The connection to the server changed.
    case connectionStatusChanged
    /// Something failed. Calls throw besides.
    case error
    /// The loudness of what is played.
    case outputLevelChanged
    /// Another microphone or loudspeaker took over.
    case audioRouteChanged
    /// The sound file that stands for the microphone is over.
    case audioInputEnded
    /// The latency of a voice turn, step by step.
    case turnTimed
    /// Something in voice cost.
    case usageCounted
    /// The sound that stopped the assistant was no speech: the answer goes on.
    case interruptionWasFalse
    /// The guardrail stopped an answer.
    case answerBlocked
    /// The conversation goes on in another mode.
    case modeChanged
    /// There was too little sound for a turn.
    case turnTooShort
    /// Nobody has spoken for the idle time-out.
    case idleTimedOut
}
