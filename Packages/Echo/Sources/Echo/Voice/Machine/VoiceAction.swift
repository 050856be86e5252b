// SPDX-License-Identifier: MIT

/// An action of a voice conversation.
enum VoiceAction: Sendable, Hashable {
    /// Open a session with that number.
    case connect(Int)
    /// Send an event to a session, after all earlier ones.
    case send(Int, ClientEvent)
    /// Close a session; its later events are ignored.
    case close(Int)
    /// Play sound after all earlier sound.
    case play([UInt8])
    /// Drop the unheard sound, and report ``VoiceInput/flushed(heard:)``.
    case flush
    /// Change the messages.
    case messages([TranscriptOrder.Operation])
    /// Carry out a call of a tool, and report ``VoiceInput/toolAnswered(_:)``.
    case call(ToolCall)
    /// Ask the guardrail, and report ``VoiceInput/judged(id:isAllowed:)``.
    case judge(id: Int, text: String)
    /// A command is done, or could not be.
    case done(Int, VoiceFailure?)
    /// Send the program a notice.
    case notice(VoiceNotice)
    /// No session is open, and none will be opened.
    case giveUp(SessionLifecycle.Failure)
}

/// A notice to the program.
enum VoiceNotice: Sendable, Hashable {
    case userStartedSpeaking
    case userStoppedSpeaking
    case assistantStartedSpeaking
    case assistantStoppedSpeaking
    /// A piece of the answer's text.
    case assistantText(String)
    /// A piece of the answer's sound, as it is played.
    case assistantAudio([UInt8])
    case turnBegan(Speaker)
    case turnEnded(Speaker)
    case assistantInterrupted
    /// The sound that stopped playback was not speech: the answer continues.
    case interruptionWasFalse
    case connection(ConnectionStatus)
    case latency(TurnLatency)
    /// The usage of an answer or a transcript.
    case usage(VoiceUsage)
    case toolCallRequested(ToolCall)
    case toolResultSubmitted(ToolResult)
    /// The guardrail stopped an answer.
    case answerBlocked(itemID: String)
    /// The turn was shorter than the minimum; its sound was dropped.
    case turnTooShort
    /// The user has been silent for the idle time-out.
    case idleTimedOut
    /// A turn that the program began lasted longer than its limit.
    case turnTimedOut
    /// A request for an answer waits for a rate limit, or failed since the wait would be too long.
    case rateLimited(RateLimitWait)
    /// A failure that ends nothing.
    case failed(VoiceFailure)
}

/// Usage with a cost.
enum VoiceUsage: Sendable, Hashable {
    case answer(RealtimeUsage, responseID: String)
    case transcript(TranscriptionUsage, itemID: String)
}

/// A failure, as a value.
enum VoiceFailure: Error, Sendable, Hashable {
    /// The server refused, or its answer failed.
    case api(APIFailure)
    /// No session is left.
    case session(SessionLifecycle.Failure)
    /// The server did not answer in time.
    case timedOut
    /// The wait for a rate limit would have been too long.
    case rateLimited
    /// The model called tools although it had to answer.
    case tooManyCalls(rounds: Int, limit: Int)
    /// The conversation ended first.
    case stopped
}
