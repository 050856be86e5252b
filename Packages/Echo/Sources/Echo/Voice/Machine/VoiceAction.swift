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
    /// Give the sender of the message with that command a piece of its answer.
    case deliver(Int, String)
    /// Count the usage of an answer or a transcript, and report ``VoiceInput/counted(_:)``.
    case count(VoiceUsage)
    /// List the tools again, since those of servers may have changed, and give ``VoiceCommand/tools(_:)``.
    case listTools
    /// Report a failure that ends nothing.
    case report(VoiceFailure)
    /// The first session is open.
    case started
    /// No session could be opened, and none will be.
    case startFailed(SessionLifecycle.Failure)
    /// Continue in text.
    case fallBack(VoiceFallback)
}

/// The reason to continue in text.
enum VoiceFallback: Sendable, Hashable {
    /// The budget for voice, or for all, is used up. In US dollars.
    case budget(spent: Double, limit: Double)
    /// The device failed, or no session is left.
    case failure(VoiceFailure)
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
    /// The microphone or the loudspeaker failed; the reason.
    case device(String)
    /// The server did not answer in time.
    case timedOut
    /// The wait for a rate limit would have been too long.
    case rateLimited
    /// The model called tools although it had to answer.
    case tooManyCalls(rounds: Int, limit: Int)
    /// Calls with those ids wait for results of the program.
    case callsPending([String])
    /// No call with that id waits for a result of the program.
    case notPending(String)
    /// The conversation had ended.
    case stopped
}
