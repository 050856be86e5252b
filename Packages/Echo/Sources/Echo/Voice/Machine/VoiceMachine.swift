// SPDX-License-Identifier: MIT

/// Makes every decision of a voice conversation: a pure state machine over sessions, turns, answers and their sound.
///
/// Inputs in, actions out. Its driver connects sessions, moves sound and keeps the time; the machine never waits. Times
/// are durations since any fixed moment.
struct VoiceMachine: Sendable {
    let configuration: Configuration
    /// The present configuration for sessions.
    var session: RealtimeSessionConfiguration
    /// The tools that the next session is opened with.
    var openingTools: [ResponseTool] = []
    var lifecycle: SessionLifecycle
    var gate: ResponseGate
    var turns: TurnManager
    var order: TranscriptOrder
    /// The conversation so far: what the program's queue has, too.
    var transcript = Transcript()
    /// The part that the present session has, and sound that is no text yet.
    var history: SessionHistory
    var playback: AnswerPlayback
    var ledger = LatencyLedger()
    var sentSound = SentSound()

    /// Items of answers that are not over, by id.
    var answers: [String: Answer] = [:]
    /// Items of answers that were spoken in this session.
    var spokenHere: Set<String> = []
    /// Answers with sound.
    var begun: Set<String> = []
    /// Answers that were cut: their later events are ignored.
    var cutResponses: [String] = []
    /// Items of answers that were cut before any of their sound arrived, until the server is asked to delete them.
    var itemsToDelete: Set<String> = []
    /// Answers outside of the conversation, and the requests for them.
    var outOfBand: Set<String> = []
    var fillers: Set<String> = []
    var calls = Calls()
    /// Calls that wait for results of the program, in order.
    var pendingCalls: [ToolCall] = []
    /// Commands that wait for the end of the assistant's turn.
    var turnWaits: [TurnWait] = []
    /// The rate limits.
    var rates: RateLimitBuckets
    /// The time at which the first of ``deferred`` may be sent by the rate limits.
    var paceEnd: Duration?
    /// The tokens of the last answer, and of the conversation before it: the next one needs as many.
    var expectedTokens = 0
    /// Requests that wait until the server knows how much of the last answer was heard, and for the rate limits.
    var deferred: [ResponseGate.Request] = []
    /// The requests whose tokens were charged when they were sent; others are charged when their answer begins.
    var paid: Set<String> = []
    /// Items whose answers were given up since the user began to speak: the model's next answer may not take them into
    /// account.
    var unanswered: Set<String> = []
    var interrupts: [Int] = []
    var windUp: WindUp?
    var isWindingUp = false
    /// The reason to continue in text that arose while turns were ending, for ``VoiceCommand/goOn``.
    var heldFallback: VoiceFallback?
    /// Words that are still accepted, after another engine has taken over.
    var late: LateWords?
    /// True if a wanted answer was not requested, since all turns were to end.
    var mustAnswer = false
    /// The end of the time for which the device's voice detection counts.
    var localVoice: Duration?
    /// True if the program begins turns; else the microphone is open between them.
    var programBeginsTurns = false
    var openCaptured = Duration.zero
    var isMuted = false
    var spending = Spending()
    /// True if the end of the budget was followed by a request to continue in text.
    var isOverBudget = false
    var isQuiet = true
    var isSpeaking = false
    var turnNumber = 0
    /// The part with the first sound of an answer, until it is heard.
    var firstPart: HeardAudio.Part?
    var judgements: [Int: String] = [:]
    /// True if a blocked answer was replaced since the user's turn began, and no answer has passed since.
    var hasReplaced = false
    var lastJudgement = 0
    var lastName = 0
    var isOver = false
    /// The actions so far of the current step.
    var actions: [VoiceAction] = []

    /// A conversation that continues after `history`.
    ///
    /// - Parameter knownMessages: The ids of the messages that the queue has already.
    init(configuration: Configuration, history items: [ResponseItem] = [], knownMessages: [String] = []) {
        self.configuration = configuration
        session = configuration.session
        rates = RateLimitBuckets(configuration.requestLimits, at: .zero)
        lifecycle = SessionLifecycle(
            limits: configuration.sessions, startAttempts: configuration.startAttempts,
            seed: UInt64(bitPattern: Int64(configuration.seed)))
        gate = ResponseGate(limits: configuration.answers)
        var options = configuration.turns
        if case .automatic(let detection) = configuration.session.turnDetection,
            detection.interruptsResponse || detection.createsResponse
        {
            // The server stops by itself, or answers noise, too: nothing is left to resume.
            options.resumesAnswers = false
        }
        turns = TurnManager(mode: configuration.session.turnDetection, options: options)
        order = TranscriptOrder(limits: configuration.transcripts)
        history = SessionHistory(mode: configuration.session.turnDetection)
        history.contextLimit = configuration.contextLimit
        history.tokenScale = configuration.tokenScale
        playback = AnswerPlayback(lead: configuration.lead)
        order.know(knownMessages)
        for item in items {
            var item = item
            let id = item.id ?? nextName("item")
            item.id = id
            order.know([id])
            restore(item, as: id)
        }
    }

    /// The time of the next step of ``advance(to:)``; `nil` for never.
    var deadline: Duration? {
        guard !isOver else { return nil }
        return [
            lifecycle.deadline, gate.deadline, turns.deadline, order.deadline, playback.deadline, localVoice,
            calls.filler, windUp?.deadline, paceEnd, late?.command?.deadline,
        ].compactMap { $0 }.min()
    }

    /// Handles an input, and returns the actions to perform, in order.
    mutating func handle(_ input: VoiceInput, at now: Duration) -> [VoiceAction] {
        guard !isOver else { return refusals(of: input) }
        switch input {
        case .start: updateLifecycle(.start, at: now)
        case .opened(let number): updateLifecycle(.opened(number), at: now)
        case .failed(let number, let failure): sessionFailed(number, failure, at: now)
        case .server(let number, let event): if number == lifecycle.session { receive(event, at: now) }
        case .captured(let sound): if isListening { captured(sound, at: now) }
        case .heard(let frames): heard(frames, at: now)
        case .flushed(let frames):
            playback.flushed(heard: frames, at: now)
            finishCuts(at: now)
        case .voice(let isSpeech): if isListening { deviceHeard(isSpeech, at: now) }
        case .command(let command): obey(command, at: now)
        case .toolAnswered(let result): toolAnswered(result, at: now)
        case .judged(let id, let isAllowed): judged(id, isAllowed, at: now)
        case .counted(let spending): self.spending = spending
        case .deviceFailed(let reason): fallBack(.failure(.device(reason)), isHeld: isWindingUp)
        }
        return settled(at: now)
    }

    /// Performs the actions that are due.
    mutating func advance(to now: Duration) -> [VoiceAction] {
        guard !isOver else { return [] }
        performLifecycle(lifecycle.advance(to: now), at: now)
        performTurns(turns.advance(to: now), at: now)
        performGate(gate.advance(to: now), at: now)
        performOrder(order.advance(to: now))
        if playback.advance(to: now) { deviceIsStuck(at: now) }
        if let localVoice, localVoice <= now { resumeAfterLocalVoice() }
        if let paceEnd, paceEnd <= now { sendDeferred(at: now) }
        if let filler = calls.filler, filler <= now { sayFiller(at: now) }
        if let windUp, windUp.deadline <= now { finishWindUp() }
        if let command = late?.command, command.deadline <= now { finishLateWords() }
        return settled(at: now)
    }

    /// Restores the invariants after every step.
    private mutating func settled(at now: Duration) -> [VoiceAction] {
        fillDevice(at: now)
        settlePlayback(at: now)
        settleUnanswered(at: now)
        settleCommands(at: now)
        settleQuiet(at: now)
        settleBudget()
        defer { actions = [] }
        return actions
    }

    /// An id for an event or an item of ours.
    mutating func nextName(_ kind: String) -> String {
        lastName += 1
        return "\(configuration.names).\(kind).\(lastName)"
    }

    /// Sends an event to the session, or keeps it for the next one if none is open.
    @discardableResult
    mutating func send(_ detail: ClientEvent.Detail, as kind: String) -> String {
        let name = nextName(kind)
        if case .inputAudioCommit = detail { keepPlaceOfTurn() }
        history.send(detail)
        // Between two sessions, the replay contains what the next one needs.
        if let number = lifecycle.session, gate.isConnected {
            actions.append(.send(number, ClientEvent(detail, id: name)))
        }
        return name
    }

    /// Keeps a position for a turn that was committed, until the server gives it an id.
    private mutating func keepPlaceOfTurn() {
        let position = nextName("turn")
        if history.commit(as: position) { change([.keepPlace(id: position, at: .end)]) }
    }

    mutating func emit(_ event: EchoEvent) { actions.append(.emit(event)) }
}
