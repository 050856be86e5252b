// SPDX-License-Identifier: MIT

extension VoiceMachine {
    /// The configuration of a voice conversation.
    struct Configuration: Sendable, Hashable, Codable {
        /// The configuration of its sessions.
        var session = RealtimeSessionConfiguration()
        /// The settings of interruptions.
        var turns = TurnManager.Options()
        /// The limits of sessions, and of their replacement.
        var sessions = SessionLifecycle.Limits()
        /// The time-outs of answers.
        var answers = ResponseGate.Limits()
        /// The time-outs of transcripts.
        var transcripts = TranscriptOrder.Limits()
        /// The words said while a tool takes long.
        var filler: VoiceConfiguration.Filler?
        /// The number of failed attempts after which no first session is opened.
        var startAttempts = VoiceConfiguration.Limits().attempts
        /// The limit of the cost of voice, in US dollars; `nil` for none of its own.
        var voiceBudget: Double?
        /// True if the engine carries out calls of tools, false if the program does.
        var runsTools = true
        /// The number of times that the model may call tools in one turn of the user.
        var maximumRounds = ToolExecutor.Configuration().maximumRounds
        /// True if answers are judged before they are heard.
        var hasGuardrail = false
        /// The sentence that the model says instead of a blocked answer.
        var replacement: String?
        /// The sound that the device gets in advance.
        var lead = Duration.milliseconds(250)
        /// The time for which the device's voice detection counts without the server's. 800 ms.
        var localVoice = Duration.milliseconds(800)
        /// The most tokens of the history that a session is given; `nil` for no limit.
        var contextLimit: Int?
        /// The tokens for each one that is estimated for a text.
        var tokenScale = 1.0
        /// The limits of requests for answers.
        var requestLimits = RequestLimits()
        /// The prefix of the ids of items and events; another for each engine of a conversation.
        var names = "v1"
        /// The seed of the pauses between attempts to connect.
        var seed = 0

        init() {}
    }

    /// An item of an answer on its way to the user's ear.
    struct Answer: Sendable {
        var responseID: String
        /// The text so far.
        var text = ""
        /// The completion of its message, which waits until its sound was heard.
        var completion: (text: String, isInterrupted: Bool)?
        /// True if it was cut short or blocked: its later events are ignored.
        var isCut = false
        var hold: Hold?
    }

    /// Sound and text that wait for the guardrail.
    struct Hold: Sendable {
        var sound: [(part: HeardAudio.Part, bytes: [UInt8])] = []
        /// Text that was not shown.
        var words = ""
        /// The length of the text that was given to the guardrail.
        var judged = 0
        /// The judgement of the whole text, once it was requested.
        var finalJudgement: Int?
        /// Judgements that were requested and not received.
        var open: Set<Int> = []
        var hasPassed: Bool { open.isEmpty && finalJudgement != nil }
    }

    /// A command that waits for the end of the assistant's turn: a message that the user wrote, or submitted results.
    struct TurnWait: Sendable, Hashable {
        var command: Int
        /// The request for the message's answer; `nil` for results, which continue a turn.
        var request: String?
        /// True when the server has accepted the request, or it was dropped.
        var isResolved = false
        var failure: VoiceFailure?
    }

    /// A wait for the end of all turns.
    struct WindUp: Sendable, Hashable {
        var commands: [Int]
        var deadline: Duration
    }

    /// Calls of tools that one answer asked for.
    struct Calls: Sendable, Hashable {
        /// The number of times that the model has called tools since the user's turn began.
        var rounds = 0
        var running: Set<String> = []
        /// Calls of answers that were cut: their results are kept, and no answer waits for them.
        var orphaned: Set<String> = []
        /// Calls of the ending answer that are not carried out.
        var refused: [String] = []
        /// The items with their results.
        var results: Set<String> = []
        /// The time of the remark that the tools take long.
        var filler: Duration?
    }
}
