// SPDX-License-Identifier: MIT

extension VoiceMachine {
    /// What a voice conversation is held with.
    struct Configuration: Sendable, Hashable {
        /// What its sessions are like.
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
        /// How often the model may ask for calls in one turn of the user's.
        var maximumRounds = ToolExecutor.Configuration().maximumRounds
        /// True if answers are judged before they are heard.
        var hasGuardrail = false
        /// What the model says instead of an answer that was blocked.
        var replacement: String?
        /// How much sound the device gets in advance.
        var lead = Duration.milliseconds(250)
        /// How long the device's word that it hears a voice is believed without the server's. 800 ms.
        var localVoice = Duration.milliseconds(800)
        /// What the names begin with that are given to items and events; another for each engine of a conversation.
        var names = "v1"
        /// For the pauses between attempts to connect.
        var seed: UInt64 = 0

        init() {}
    }

    /// An item of an answer on its way to the user's ear.
    struct Answer: Sendable {
        var responseID: String
        /// Its words so far.
        var text = ""
        /// The end of its message, which waits until its sound was heard.
        var completion: (text: String, isInterrupted: Bool)?
        /// Cut short, or blocked: what still comes of it counts no more.
        var isCut = false
        var hold: Hold?
    }

    /// Sound and words that wait for the guardrail.
    struct Hold: Sendable {
        var sound: [(part: HeardAudio.Part, bytes: [UInt8])] = []
        /// Words that were not shown.
        var words = ""
        /// How much of the text was given to the guardrail.
        var judged = 0
        /// The judgement of the whole text, when it was asked for.
        var finalJudgement: Int?
        /// Judgements that were asked for and not given.
        var open: Set<Int> = []
        var hasPassed: Bool { open.isEmpty && finalJudgement != nil }
    }

    /// Something that the user wrote, and whose answer is awaited.
    struct Saying: Sendable, Hashable {
        var command: Int
        var request: String
        var isResolved = false
        var failure: VoiceFailure?
    }

    /// An end that is being waited for.
    struct WindUp: Sendable, Hashable {
        var commands: [Int]
        var deadline: Duration
    }

    /// Calls of tools that one answer asked for.
    struct Calls: Sendable, Hashable {
        /// How often the model has asked for calls since the user's turn began.
        var rounds = 0
        var running: Set<String> = []
        /// Calls of answers that were cut: their results are kept, and nobody waits for them.
        var stray: Set<String> = []
        /// Calls of the answer that ends just now which are not carried out.
        var refused: [String] = []
        /// The items with their results.
        var results: Set<String> = []
        /// When the user is told that it takes time.
        var filler: Duration?
    }
}
