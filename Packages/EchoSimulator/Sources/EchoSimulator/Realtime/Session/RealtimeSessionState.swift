// SPDX-License-Identifier: MIT

import Concurrency
import StructuredJSON

/// One session of `/v1/realtime` as the API keeps it, without a connection: the client's messages and the time are its
/// input, frames and jobs its output.
///
/// The same setup, events and times make the same frames, identifiers included.
struct RealtimeSessionState: Sendable {
    /// The kinds of a scenario's turns that a session may use up.
    enum TurnKind: Sendable, Hashable {
        /// Of the user's speech.
        case spoken
        /// Of an answer.
        case answer
    }

    /// Takes a turn of a scenario.
    ///
    /// - Throws: If no turn fits and the scenario demands one.
    typealias Turns =
        @Sendable (TurnKind, _ said: String?, _ body: JSONValue?) throws(RealtimeProblem) -> Scenario.Turn?

    struct Setup: Sendable {
        var model = "gpt-realtime"
        var seed: UInt64 = 1
        /// The age at which the session expires.
        var limit = Duration.seconds(60 * 60)
        /// The time at which the session expires, in seconds since 1970.
        var expiresAt = 0
        /// The turn that the session's opening used up.
        var opening: Scenario.Turn?
        /// True if unknown fields are an error.
        var isStrict = true
        /// Takes a turn of the scenario.
        var take: Turns = { _, _, _ throws(RealtimeProblem) in nil }

        init() {}
    }

    /// Work that needs a function outside the session.
    enum Job: Sendable {
        /// Recognises the user's words; the result is passed to ``heard(_:_:at:)``.
        case hear(item: String, sound: [Int16])
        /// Makes an answer; the result is passed to ``compose(_:_:at:)``.
        case answer(response: String, RealtimeAsk)
    }

    let setup: Setup
    let id: String
    let conversationID: String
    var settings: RealtimeSettings
    var items = RealtimeItems()
    var input = RealtimeInput()
    var hearings: [String: RealtimeHearing] = [:]
    var answers: [RealtimeAnswer] = []
    /// The turn of the speech that the next answer replies to.
    var spokenTurn: Scenario.Turn?
    /// The input of the last answer.
    var formerInput: RealtimeTokens?
    /// The time at which the user has heard the last answer, if they play it at once.
    var answerHeardAt: Duration?
    var hasSpoken = false
    private(set) var now = Duration.zero
    private(set) var isOver = false
    private(set) var frames: [RealtimeFrame] = []
    private var jobs: [Job] = []
    private var cues: RealtimeCues
    private var sessionFaults: RealtimeFaults
    private var turnFaults: RealtimeFaults?
    private var counters: [String: UInt64] = [:]

    /// A new session. `session.created` and `conversation.created` are its first frames.
    init(_ setup: Setup) {
        self.setup = setup
        settings = RealtimeSettings(model: setup.model)
        var random = SplitMix64(seed: setup.seed)
        id = random.identifier("sess_", digits: 24)
        conversationID = random.identifier("conv_", digits: 24)
        cues = RealtimeCues(setup.opening?.session?.cues ?? [])
        sessionFaults = RealtimeFaults(setup.opening?.faults ?? [])
        input.detector = settings.detector.map { TurnDetector($0) }
        let first = sessionFaults.after
        frames = first.frames
        isOver = Self.ends(first.frames)
        apply(first.effects)
        emit(["type": "session.created", "session": json])
        emit([
            "type": "conversation.created",
            "conversation": ["id": .string(conversationID), "object": "realtime.conversation"],
        ])
    }

    var json: JSONValue { settings.json(id: id, expiresAt: setup.expiresAt) }

    // MARK: In

    /// Takes a message of the client's.
    mutating func receive(_ text: String, at time: Duration) {
        now = max(now, time)
        guard !isOver else { return }
        guard let json = try? JSONValue(parsing: text), json.object != nil else {
            return complain(
                RealtimeProblem(code: "invalid_json", message: "The message is not a JSON object."), about: nil)
        }
        if !cues.take(json, at: now) { receive(json) }
        sayCued()
    }

    private mutating func sayCued() {
        for event in cues.takeDue(at: now) { emit(event.object ?? [:]) }
    }

    private mutating func receive(_ json: JSONValue) {
        let about = json["event_id"]?.string
        do throws(APIError) {
            try RequestValidator(forbidsUnknown: setup.isStrict).check(json, RealtimeRequestTable.shape)
        } catch {
            return complain(RealtimeProblem(error), about: about)
        }
        do throws(RealtimeProblem) {
            try perform(json, about: about)
        } catch {
            complain(error, about: about)
        }
    }

    /// Takes a binary message, which the API does not have.
    mutating func receiveBinary(at time: Duration) {
        now = max(now, time)
        complain(
            RealtimeProblem(code: "invalid_message", message: "Events are text messages, not binary ones."), about: nil)
    }

    private mutating func perform(_ event: JSONValue, about: String?) throws(RealtimeProblem) {
        switch event["type"]?.string {
        case "session.update": try update(event["session"] ?? [:])
        case "input_audio_buffer.append": try append(event["audio"]?.string ?? "")
        case "input_audio_buffer.commit": try commitAll()
        case "input_audio_buffer.clear": clearInput()
        case "output_audio_buffer.clear":
            throw RealtimeProblem(
                code: "invalid_value", message: "output_audio_buffer.clear is for WebRTC and SIP only.", param: "type")
        case "conversation.item.create": try createItem(event)
        case "conversation.item.retrieve": try retrieveItem(event)
        case "conversation.item.delete": try deleteItem(event)
        case "conversation.item.truncate": try truncateItem(event)
        case "response.create": try createAnswer(event["response"] ?? [:], about: about)
        case "response.cancel": try cancelAnswer(event["response_id"]?.string)
        default: break
        }
    }

    private mutating func update(_ session: JSONValue) throws(RealtimeProblem) {
        let former = settings.detector
        try settings.update(session, hasSpoken: hasSpoken)
        if settings.detector != former {
            input.detector = settings.detector.map { TurnDetector($0, position: input.milliseconds) }
        }
        emit(["type": "session.updated", "session": json])
    }

    // MARK: Time

    /// The time at which ``advance(to:)`` has work; `nil` while only the client can cause any.
    var deadline: Duration? {
        guard !isOver else { return nil }
        let times =
            [setup.limit, idleDeadline, cues.deadline] + hearings.values.map(\.dueAt) + answers.map { nextStep(of: $0) }
        return times.compactMap { $0 }.min()
    }

    mutating func advanceClock(to time: Duration) { now = max(now, time) }

    /// Does all work that is due: transcripts, the next step of each answer, the end of the session.
    mutating func advance(to time: Duration) {
        now = max(now, time)
        guard !isOver else { return }
        if now >= setup.limit { return apply([.expire]) }
        sayCued()
        sendDueTranscripts()
        for id in answers.map(\.id) { advanceAnswer(id) }
        if let idleDeadline, now >= idleDeadline { idle() }
    }

    /// A test's action on a session from outside.
    enum Interjection: Sendable {
        case event(JSONValue)
        case expire
        case close(code: Int, reason: String)
    }

    mutating func interject(_ interjection: Interjection, at time: Duration) {
        now = max(now, time)
        switch interjection {
        case .event(let event): emit(event.object ?? [:])
        case .expire: apply([.expire])
        case .close(let code, let reason): append([RealtimeFrame(closing: code, reason)])
        }
    }

    // MARK: Out

    /// Removes and returns the frames so far.
    mutating func takeFrames() -> [RealtimeFrame] {
        defer { frames = [] }
        return frames
    }

    /// Removes and returns the jobs so far.
    mutating func takeJobs() -> [Job] {
        defer { jobs = [] }
        return jobs
    }

    mutating func add(_ job: Job) { jobs.append(job) }

    /// Counts the events of a turn from now on.
    mutating func begin(_ turn: Scenario.Turn) {
        var faults = turn.faults
        faults.removeAll { fault in
            switch fault {
            case .status, .refuse: true
            default: false
            }
        }
        let track = RealtimeFaults(faults)
        turnFaults = faults.isEmpty ? nil : track
        guard !faults.isEmpty else { return }
        let first = track.after
        append(first.frames)
        apply(first.effects)
    }

    /// Sends an event, with its faults.
    mutating func emit(_ object: JSONObject) {
        guard !isOver else { return }
        var event: JSONObject = ["type": object["type"] ?? .null, "event_id": .string(identifier("event_"))]
        for (name, value) in object { event[name] = value }
        append(sessionFaults.before + (turnFaults?.before ?? []))
        var text = sessionFaults.changed(JSONValue.object(event).text)
        if let turnFaults { text = turnFaults.changed(text) }
        append([.text(text)])
        if sessionFaults.doublesNext || turnFaults?.doublesNext == true { append([.text(text)]) }
        sessionFaults.next()
        turnFaults?.next()
        let (session, turn) = (sessionFaults.after, turnFaults?.after)
        append(session.frames + (turn?.frames ?? []))
        apply(session.effects + (turn?.effects ?? []))
    }

    mutating func complain(_ problem: RealtimeProblem, about: String?) { emit(problem.event(about: about)) }

    private mutating func append(_ more: [RealtimeFrame]) {
        for frame in more where !isOver {
            frames.append(frame)
            isOver = Self.ends([frame])
        }
    }

    private static func ends(_ frames: [RealtimeFrame]) -> Bool {
        frames.contains { frame in
            switch frame {
            case .close, .cut: true
            case .text, .binary, .wait, .stall: false
            }
        }
    }

    private mutating func apply(_ effects: [RealtimeFaults.Effect]) {
        for effect in effects where !isOver {
            switch effect {
            case .expire:
                var event = RealtimeProblem.expired.event(about: nil)
                event["event_id"] = .string(identifier("event_"))
                append([.text(JSONValue.object(event).text), .close(1001, RealtimeProblem.expired.message)])
            case .cancel: for place in answers.indices { answers[place].isGivenUp = true }
            }
        }
    }

    /// Identifiers of each kind are counted apart, so that one kind does not depend on how many there are of another.
    mutating func identifier(_ prefix: String) -> String {
        let count = counters[prefix, default: 0] &+ 1
        counters[prefix] = count
        let kind = prefix.utf8.reduce(0) { ($0 &* 257) &+ UInt64($1) }
        var random = SplitMix64(seed: setup.seed &* 0x9E37_79B9 &+ kind &* 0x85EB_CA6B &+ count)
        return random.identifier(prefix, digits: 20)
    }
}
