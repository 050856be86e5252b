// SPDX-License-Identifier: MIT

/// Something that happens to a voice conversation.
enum VoiceInput: Sendable, Hashable {
    /// The conversation begins.
    case start
    /// A session is open, and as it was asked for.
    case opened(Int)
    /// A session could not be opened, or has ended.
    case failed(Int, SessionLifecycle.Failure)
    /// A session said something.
    case server(Int, ServerEvent)
    /// The microphone heard something.
    case captured([UInt8])
    /// So many frames were heard since the device was opened; what was dropped is not among them.
    case heard(frames: Int)
    /// The device is silent, after ``VoiceAction/flush``.
    case flushed(heard: Int)
    /// The device hears a voice, or no longer.
    case voice(Bool)
    /// The program wants something.
    case command(VoiceCommand)
    /// A tool has answered.
    case toolAnswered(ToolResult)
    /// The guardrail has judged, after ``VoiceAction/judge(id:text:)``.
    case judged(id: Int, isAllowed: Bool)
}

/// Something that the program wants of a voice conversation. The numbers are answered by ``VoiceAction/done(_:_:)``.
enum VoiceCommand: Sendable, Hashable {
    /// The user writes something, under that name.
    case say(Int, id: String, text: String)
    /// The user's turn begins, as when a button is pressed.
    case beginTurn
    /// The user's turn ends.
    case endTurn
    /// The assistant is to be silent.
    case interrupt(Int)
    /// Everything that is under way is to end: the answer is cut, the user's unfinished sound committed, transcripts
    /// awaited for at most that long.
    case windUp(Int, within: Duration)
    /// After ``windUp(_:within:)``: everything goes on after all.
    case goOn
    /// Words for something that the user said to an engine before, under that name, and that had none.
    case fill(id: String, text: String)
    /// The tools have changed.
    case tools([RealtimeTool])
    /// The conversation ends.
    case stop
}
