// SPDX-License-Identifier: MIT

import Diagnostics
import Domain
import Localization
import TerminalKit

/// Shows an assistant that listens all day: its turns, its failures, and a line with its current state.
actor ListenPresenter {
    private let console: Console
    private let logger: Logger
    private let map: AnswerMap?
    private let lowPower: LowPowerChoice
    private nonisolated let status: StatusLine
    private var line: ListenStatus
    private var turns: [TurnID: TurnPresenter] = [:]
    private var speaking: TurnID?
    private var failure: (any Error)?
    /// True if the wake word was heard.
    private(set) var hasWoken = false

    init(
        wakeWord: String, lowPower: LowPowerChoice = .auto, map: AnswerMap?, console: Console, logger: Logger
    ) {
        (self.map, self.lowPower) = (map, lowPower)
        self.console = console
        self.logger = logger
        status = StatusLine(console: console)
        line = ListenStatus(wakeWord: wakeWord, glyphs: console.traits.glyphs, translator: console.translator)
    }

    /// Shows one event; false if it cannot be shown, and then `rethrow()` throws the reason.
    func show(_ event: RoomEvent) -> Bool {
        if case .level(let level) = event {
            line.level = level
        } else if case .turn(_, .draft(let words)) = event {
            line.words = words
        } else {
            do { try tell(event) } catch { failure = failure ?? error }
        }
        status.show(line.text, spoken: line.spoken)
        return failure == nil
    }

    /// Shows what happens to alarms.
    func show(_ event: AlarmEvent) async {
        status.clear()
        do { try await console.show(event, hint: "parley timers cancel --all stops it." as Sentence) } catch {
            failure = failure ?? error
        }
        status.show(line.text, spoken: line.spoken)
    }

    /// Shows the answer to a question that waited for the model.
    func show(_ question: WaitingQuestion, answer: String) {
        say("\(ForeignText.short(question.text, limit: 80)): \(ForeignText.short(answer, limit: 400))")
        do { try console.emit(LaterEvent(question, answer)) } catch { failure = failure ?? error }
        status.show(line.text, spoken: line.spoken)
    }

    /// Shows a suggestion.
    func show(_ suggestion: Suggestion) {
        say(suggestion.sentence)
        do { try console.emit(SuggestionEvent(suggestion)) } catch { failure = failure ?? error }
        status.show(line.text, spoken: line.spoken)
    }

    /// Throws the first error of showing an event.
    func rethrow() throws {
        if let failure { throw failure }
    }

    /// Clears the status line.
    nonisolated func close() { status.clear() }

    private func tell(_ event: RoomEvent) throws {
        switch event {
        case .level: break
        case .phase(let phase):
            line.phase = phase
            line.words = ""
            try console.emit(["event": "state", "state": phase.rawValue])
            if phase != .speaking { try endTurn() }
        case .wakeWord:
            hasWoken = true
            try console.emit(["event": "wakeWord"])
        case .turn(let turn, let event):
            try show(event, of: turn)
        case .interrupted(let turn):
            status.clear()
            let label = String(repeating: " ", count: SpeakerLabel.columns(console) + 2)
            try console.show(console.styled(label + console.text("(interrupted)"), .muted))
            try console.emit(["event": "interrupted", "turn": turn.description])
        case .device(let text):
            say(text)
            try console.emit(["event": "device", "message": text.english])
        case .savesPower(let saves):
            let saving: Sentence =
                lowPower == .on
                ? "Listening with less power." : "On battery or a power-saver profile: listening with less power."
            say(saves ? saving : "Listening as usual.")
            try console.emit(PowerEvent(isSaving: saves))
        case .muted(let isMuted):
            say(isMuted ? "The microphone is closed." : "The microphone is open.")
            try console.emit(MutedEvent(isMuted: isMuted))
        case .failed(let part, let error, let retry):
            say(
                retry.map { "\(error.sentence) Trying again in \(max(1, $0.components.seconds)) s." } ?? error.sentence)
            try console.emit(
                FailureEvent(part: part.rawValue, error: ErrorReport(code: error.code, error.sentence)))
        case .recovered(let part):
            say("It works again.")
            try console.emit(["event": "recovered", "part": part.rawValue])
        }
    }

    private func show(_ event: TurnEvent, of turn: TurnID) throws {
        let presenter = turns[turn] ?? TurnPresenter(turn: turn, map: map, console: console, logger: logger)
        turns[turn] = presenter
        if case .answer = event { speaking = turn }
        if case .refused = event { speaking = turn }
        status.clear()
        try presenter.show(event)
    }

    /// Ends the turn of the last answer, and drops the ledgers of turns without an answer.
    private func endTurn() throws {
        guard let speaking else { return }
        self.speaking = nil
        let presenter = turns.removeValue(forKey: speaking)
        turns = [:]
        if console.isJSON { try presenter?.showLatency() }
    }

    private func say(_ sentence: Sentence) {
        status.clear()
        if !console.isJSON { console.warn(sentence) }
    }
}

/// The status line: the current state, the wake word, the level of the room.
struct ListenStatus: Sendable {
    let wakeWord: String
    let glyphs: Glyphs
    /// Shows the words in the person's language.
    let translator: Translator
    var phase = VoiceLoop.Phase.idle
    /// The level in dBFS; nil before the first sound.
    var level: Double?
    /// The words of the question so far.
    var words = ""

    /// The state in words that change with the phase alone.
    var spoken: String {
        let state = translator(phase.word)
        return hint.map { state + " " + translator($0) } ?? state
    }

    private var hint: Sentence? {
        switch phase {
        case .idle: "say \"\(wakeWord)\""
        case .listening: "ask a question"
        case .thinking: nil
        case .speaking: "speak to interrupt"
        }
    }

    /// The line without colours.
    var text: String {
        let states = [VoiceLoop.Phase.idle, .listening, .thinking, .speaking].map { translator($0.word) }
        let hint = phase == .listening && !words.isEmpty ? words : hint.map { translator($0) }
        let state = translator(phase.word)
        let text = hint.map { state.padded(to: states.map(\.columns).max() ?? 0) + "  " + $0 } ?? state
        guard let level else { return "\(glyphs.dot) \(text)" }
        return "\(glyphs.dot) \(LevelBar.bar(level, glyphs: glyphs)) \(text)"
    }
}

private struct PowerEvent: Encodable {
    let event = "power"
    let isSaving: Bool
    private enum CodingKeys: String, CodingKey { case event, isSaving }
}

private struct MutedEvent: Encodable {
    let event = "muted"
    let isMuted: Bool
    private enum CodingKeys: String, CodingKey { case event, isMuted }
}

private struct FailureEvent: Encodable {
    let event = "failure"
    let part: String
    let error: ErrorReport
    private enum CodingKeys: String, CodingKey { case event, part, error }
}

/// `{"event":"later",…}`: the answer to a question that waited for the model.
struct LaterEvent: Encodable {
    let event = "later"
    let turn, question, answer: String

    init(_ question: WaitingQuestion, _ answer: String) {
        (turn, self.question, self.answer) = (question.turn.description, question.text, answer)
    }

    private enum CodingKeys: String, CodingKey { case event, turn, question, answer }
}

extension VoiceLoop.Phase {
    /// The phase in one word.
    var word: Sentence {
        switch self {
        case .idle: "idle"
        case .listening: "listening"
        case .thinking: "thinking"
        case .speaking: "speaking"
        }
    }
}
