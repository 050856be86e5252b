// SPDX-License-Identifier: MIT

/// An action of a voice conversation.
enum VoiceAction: Sendable {
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
    case messages([Transcript.Change])
    /// Carry out a call of a tool, and report ``VoiceInput/toolAnswered(_:)``.
    case call(ToolCall)
    /// Ask the guardrail, and report ``VoiceInput/judged(id:isAllowed:)``.
    case judge(id: Int, text: String)
    /// A command is done, or could not be.
    case done(Int, VoiceFailure?)
    /// Give the program an event.
    case emit(EchoEvent)
    /// Count the usage of an answer or a transcript.
    case count(VoiceUsage)
    /// Report a failure that ends nothing.
    case report(VoiceFailure)
    /// No session is open, and none will be opened.
    case giveUp(SessionLifecycle.Failure)
}

/// Usage with a cost.
enum VoiceUsage: Sendable, Hashable {
    case answer(Usage, responseID: String)
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
