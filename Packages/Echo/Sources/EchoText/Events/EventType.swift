// SPDX-License-Identifier: MIT

/// The kinds of events of a conversation; `echo.when(.messageFinalized) { … }` subscribes to one.
///
/// More may follow: a `switch` over it in another package needs `@unknown default` (ADR 0040).
@nonexhaustive
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
    /// The state of microphone and loudspeaker changed.
    case audioStatusChanged
    /// The turn changed sides.
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
    /// The latency of a voice turn, step by step.
    case turnTimed
    /// Voice incurred a cost.
    case usageCounted
    /// The sound that stopped the assistant was no speech: the answer goes on.
    case interruptionWasFalse
    /// The guardrail stopped an answer.
    case answerBlocked
    /// The conversation continues in another mode.
    case modeChanged
    /// The turn was shorter than the minimum.
    case turnTooShort
    /// The user has been silent for the idle time-out.
    case idleTimedOut
    /// A turn that the program began lasted longer than its limit, and was ended.
    case turnTimedOut
    /// A request waits for a rate limit, or fails since the wait would be too long.
    case rateLimited
}
