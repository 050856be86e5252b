// SPDX-License-Identifier: MIT

/// Something that a voice conversation does.
enum VoiceAction: Sendable, Hashable {
    /// Open a session of that number.
    case connect(Int)
    /// Send an event to a session, after those before.
    case send(Int, ClientEvent)
    /// Close a session; what it still says counts no more.
    case close(Int)
    /// Play sound after all that was given before.
    case play([UInt8])
    /// Drop what was not heard, and tell ``VoiceInput/flushed(heard:)``.
    case flush
    /// Change the messages.
    case messages([TranscriptOrder.Operation])
    /// Carry out a call of a tool, and tell ``VoiceInput/toolAnswered(_:)``.
    case call(ToolCall)
    /// Ask the guardrail, and tell ``VoiceInput/judged(id:isAllowed:)``.
    case judge(id: Int, text: String)
    /// A command is done, or could not be.
    case done(Int, VoiceFailure?)
    /// Tell the program.
    case notice(VoiceNotice)
    /// There is no session, and there will be none.
    case giveUp(SessionLifecycle.Failure)
}

/// What the program is told.
enum VoiceNotice: Sendable, Hashable {
    case userStartedSpeaking
    case userStoppedSpeaking
    case assistantStartedSpeaking
    case assistantStoppedSpeaking
    /// A piece of the answer's words.
    case assistantText(String)
    /// A piece of the answer's sound, as it is played.
    case assistantAudio([UInt8])
    case turnBegan(Speaker)
    case turnEnded(Speaker)
    case assistantInterrupted
    /// What stopped playback was no speech: the answer goes on.
    case interruptionWasFalse
    case connection(ConnectionStatus)
    case latency(TurnLatency)
    /// What an answer or a transcript used.
    case usage(VoiceUsage)
    case toolCallRequested(ToolCall)
    case toolResultSubmitted(ToolResult)
    /// The guardrail stopped an answer.
    case answerBlocked(itemID: String)
    /// There was too little sound for a turn; it was dropped.
    case turnTooShort
    /// Nobody has spoken for the idle time-out.
    case idleTimedOut
    /// Something failed that ends nothing.
    case failed(VoiceFailure)
}

/// Something that costs.
enum VoiceUsage: Sendable, Hashable {
    case answer(RealtimeUsage, responseID: String)
    case transcript(TranscriptionUsage, itemID: String)
}

/// What went wrong, as a value.
enum VoiceFailure: Error, Sendable, Hashable {
    /// The server refused, or its answer failed.
    case api(APIFailure)
    /// There is no session any more.
    case session(SessionLifecycle.Failure)
    /// The server did not answer in time.
    case timedOut
    /// The model called tools where it was to answer.
    case tooManyCalls(rounds: Int, limit: Int)
    /// The conversation ended first.
    case stopped
}
