// SPDX-License-Identifier: MIT

/// An input of a voice conversation.
enum VoiceInput: Sendable, Hashable, Codable {
    /// The conversation begins.
    case start
    /// A session is open with the requested configuration.
    case opened(Int)
    /// A session could not be opened, or has ended.
    case failed(Int, SessionLifecycle.Failure)
    /// A session sent an event.
    case server(Int, ServerEvent)
    /// The microphone captured sound.
    case captured([UInt8])
    /// The frames that were heard since the device was opened, without dropped frames.
    case heard(frames: Int)
    /// The device is silent, after ``VoiceAction/flush``.
    case flushed(heard: Int)
    /// The device detects a voice, or its end.
    case voice(Bool)
    /// The program gives a command.
    case command(VoiceCommand)
    /// A tool has answered.
    case toolAnswered(ToolResult)
    /// The guardrail has judged, after ``VoiceAction/judge(id:text:)``.
    case judged(id: Int, isAllowed: Bool)
    /// The spending, after ``VoiceAction/count(_:)``.
    case counted(Spending)
    /// The microphone or the loudspeaker failed for good; the reason.
    case deviceFailed(String)

    /// Without sound and the server's events: a trace has those as they arrived.
    private enum CodingKeys: CodingKey {
        case start, opened, failed, heard, flushed, voice, command, toolAnswered, judged, counted, deviceFailed
    }
}

/// A command of the program. ``VoiceAction/done(_:_:)`` answers the numbers.
enum VoiceCommand: Sendable, Hashable, Codable {
    /// The user writes a message with that id.
    case say(Int, id: String, text: String)
    /// The program submits results of the calls that it carries out. Done when calls still wait for results, or when
    /// the turn that continues is over.
    case submit(Int, [ToolResult])
    /// The microphone is closed to the conversation, or opened.
    case mute(Bool)
    /// The user's turn begins, as when a button is pressed.
    case beginTurn
    /// The user's turn ends.
    case endTurn
    /// The assistant is to be silent; calls that wait for the program are answered as interrupted.
    case interrupt(Int)
    /// All turns end: the answer is cut, the user's unfinished sound committed, and transcripts awaited for at most
    /// that long.
    case windUp(Int, within: Duration)
    /// After ``windUp(_:within:)``: the conversation continues after all.
    case goOn
    /// After ``windUp(_:within:)``: another engine continues. All messages are released; from now on only the words of
    /// the user's earlier speech count.
    case handOver
    /// After ``handOver``: wait for outstanding words for at most that long.
    case awaitLateWords(Int, within: Duration)
    /// The text of a message that the user spoke to an earlier engine, with that id, and that had none.
    case fill(id: String, text: String)
    /// The tools have changed.
    case tools([ResponseTool])
    /// The conversation ends.
    case stop
}

/// The money spent so far, in US dollars, and the limit for all of it.
struct Spending: Sendable, Hashable, Codable {
    /// For text and voice together, by all conversations of one `Echo`.
    var total = 0.0
    /// The part for voice.
    var voice = 0.0
    /// The limit of ``total``; `nil` for none.
    var limit: Double?

    /// The spending and the limit that it has reached; `nil` if no limit is reached.
    ///
    /// - Parameter limit: The limit for voice alone; `nil` for none.
    func exceeded(voice voiceLimit: Double?) -> (spent: Double, limit: Double)? {
        if let limit, total >= limit { return (total, limit) }
        if let voiceLimit, voice >= voiceLimit { return (voice, voiceLimit) }
        return nil
    }
}
