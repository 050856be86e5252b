// SPDX-License-Identifier: MIT

/// Everything that decides in a voice conversation: a pure state machine over sessions, turns, answers and their sound.
///
/// It is told what happens and says what to do. Whoever drives it connects sessions, moves sound and keeps the time; it
/// never waits and never asks. Times are durations since any fixed moment.
struct VoiceMachine: Sendable {
    let configuration: Configuration
    /// What a session is to be like now.
    var session: RealtimeSessionConfiguration
    var lifecycle: SessionLifecycle
    var gate: ResponseGate
    var turns: TurnManager
    var order: TranscriptOrder
    /// What was said so far, as another session or engine takes it.
    var history: RealtimeHistory
    var playback: AnswerPlayback
    var ledger = LatencyLedger()
    var clock = SentSound()

    /// Items of answers that are not over, by id.
    var answers: [String: Answer] = [:]
    /// Items of answers that were spoken in this session.
    var spokenHere: Set<String> = []
    /// Answers of which sound or words came.
    var begun: Set<String> = []
    /// Answers that were cut, whose rest counts no more.
    var cutResponses: [String] = []
    /// Items of answers that were cut before any of their sound came, until the server is told to drop them.
    var unsaid: Set<String> = []
    /// Answers outside of the conversation, and the requests for them.
    var foreign: Set<String> = []
    var fillers: Set<String> = []
    var calls = Calls()
    var sayings: [Saying] = []
    /// Answers that are asked for as soon as the server knows what was heard of the last one.
    var deferred: [ResponseGate.Request] = []
    /// Items whose answers were given up since the user began to speak: what the model says to that may not have read them.
    var owed: Set<String> = []
    var interrupts: [Int] = []
    var windUp: WindUp?
    var isWindingUp = false
    /// True if an answer was wanted that was not asked for, since everything was to end.
    var owesAnswer = false
    /// Until when the device's word that the user speaks is believed.
    var localVoice: Duration?
    /// True if the program says when turns begin; else the microphone is open between them.
    var programBeginsTurns = false
    var openCaptured = Duration.zero
    var isQuiet = true
    var isSpeaking = false
    var turnNumber = 0
    /// The first sound of an answer, until it is heard.
    var firstPart: HeardAudio.Part?
    var judgements: [Int: String] = [:]
    var lastJudgement = 0
    var lastName = 0
    var isOver = false
    /// What is to be done, as it is found out.
    var actions: [VoiceAction] = []

    /// A conversation that goes on after `history`.
    ///
    /// - Parameter knownMessages: The ids of the messages that the queue has already.
    init(configuration: Configuration, history items: [RealtimeItem] = [], knownMessages: [String] = []) {
        self.configuration = configuration
        session = configuration.session
        lifecycle = SessionLifecycle(limits: configuration.sessions, seed: configuration.seed)
        gate = ResponseGate(limits: configuration.answers)
        var options = configuration.turns
        if case .automatic(let detection) = configuration.session.turnDetection,
            detection.interruptsResponse || detection.createsResponse
        {
            // The server stops by itself, or answers to noise, too: there is nothing left to go on with.
            options.resumesAnswers = false
        }
        turns = TurnManager(mode: configuration.session.turnDetection, options: options)
        order = TranscriptOrder(limits: configuration.transcripts)
        history = RealtimeHistory(
            format: configuration.session.inputFormat, mode: configuration.session.turnDetection)
        playback = AnswerPlayback(lead: configuration.lead)
        order.know(knownMessages)
        for item in items {
            let item = item.id == nil ? item.named(nextName("item")) : item
            order.know([item.id].compactMap { $0 })
            history.sent(.itemCreate(item, at: .end))
        }
    }

    /// The time of the next step of ``advance(to:)``; `nil` for never.
    var deadline: Duration? {
        guard !isOver else { return nil }
        return [
            lifecycle.deadline, gate.deadline, turns.deadline, order.deadline, playback.deadline, localVoice,
            calls.filler, windUp?.deadline,
        ].compactMap { $0 }.min()
    }

    /// Takes what happened, and says what to do, in order.
    mutating func handle(_ input: VoiceInput, at now: Duration) -> [VoiceAction] {
        guard !isOver else { return refusals(of: input) }
        switch input {
        case .start: perform(lifecycle.handle(.start, at: now), at: now)
        case .opened(let number): perform(lifecycle.handle(.opened(number), at: now), at: now)
        case .failed(let number, let failure): sessionFailed(number, failure, at: now)
        case .server(let number, let event): if number == lifecycle.session { took(event, at: now) }
        case .captured(let sound): captured(sound, at: now)
        case .heard(let frames): heard(frames, at: now)
        case .flushed(let frames):
            playback.flushed(heard: frames, at: now)
            finishCuts(at: now)
        case .voice(let isSpeech): deviceHeard(isSpeech, at: now)
        case .command(let command): obey(command, at: now)
        case .toolAnswered(let result): toolAnswered(result, at: now)
        case .judged(let id, let isAllowed): judged(id, isAllowed, at: now)
        }
        return settled(at: now)
    }

    /// Does what is due.
    mutating func advance(to now: Duration) -> [VoiceAction] {
        guard !isOver else { return [] }
        perform(lifecycle.advance(to: now), at: now)
        perform(turns.advance(to: now), at: now)
        perform(gate.advance(to: now), at: now)
        perform(order.advance(to: now))
        if playback.advance(to: now) { deviceIsStuck(at: now) }
        if let localVoice, localVoice <= now { resumeAfterLocalVoice() }
        if let filler = calls.filler, filler <= now { sayFiller(at: now) }
        if let windUp, windUp.deadline <= now { finishWindUp() }
        return settled(at: now)
    }

    /// What holds after every step.
    private mutating func settled(at now: Duration) -> [VoiceAction] {
        feed(at: now)
        settlePlayback(at: now)
        settleOwed(at: now)
        settleCommands(at: now)
        settleQuiet(at: now)
        defer { actions = [] }
        return actions
    }

    /// A name for an event or an item of ours.
    mutating func nextName(_ kind: String) -> String {
        lastName += 1
        return "\(configuration.names).\(kind).\(lastName)"
    }

    /// Sends something to the session, or keeps it for the next one where there is none.
    @discardableResult
    mutating func send(_ detail: ClientEvent.Detail, as kind: String) -> String {
        let name = nextName(kind)
        history.sent(detail)
        // Between two sessions, what the next one is to know is in its replay.
        if let number = lifecycle.session, gate.isConnected {
            actions.append(.send(number, ClientEvent(detail, id: name)))
        }
        return name
    }

    mutating func tell(_ notice: VoiceNotice) { actions.append(.notice(notice)) }
}

extension RealtimeItem {
    /// The item under that id.
    func named(_ id: String) -> RealtimeItem {
        switch self {
        case .message(var item):
            item.id = id
            return .message(item)
        case .functionCall(var item):
            item.id = id
            return .functionCall(item)
        case .functionCallOutput(var item):
            item.id = id
            return .functionCallOutput(item)
        default: return self
        }
    }
}
