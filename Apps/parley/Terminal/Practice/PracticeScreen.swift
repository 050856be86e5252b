// SPDX-License-Identifier: MIT

import Domain
import TerminalKit

/// Shows the events of practice.
actor PracticeScreen {
    nonisolated let console: Console
    private nonisolated let status: StatusLine
    private var bar: LevelBar
    private(set) var keys: PracticeKeys
    private var shown: Set<Evaluation.Source> = []

    init(_ cue: Cue, console: Console) {
        self.console = console
        status = StatusLine(console: console)
        bar = LevelBar(width: 20, glyphs: console.traits.glyphs)
        keys = PracticeKeys(state: .viewing(cue))
    }

    /// The request of a key in the current state.
    func action(for key: Key) -> PracticeKeys.Action? { keys.action(for: key) }

    /// Shows one event.
    func show(_ event: PractiseCues.Event) throws {
        switch event {
        case .state(let state):
            keys.state = state
            keys.isPlaying = false
            status.clear()
            try console.emit(PracticeStateOutput(state))
            try tell(state)
            showHelp()
        case .meter(let meter):
            status.show(line(meter))
            try console.emit(PracticeMeterOutput(meter))
        case .playing(let position):
            keys.isPlaying = position != nil
            if let position {
                status.show(console.text("playing \(Duration.seconds(position).clock)" as Sentence))
            } else {
                showHelp()
            }
        case .uploading(let sent, of: let total):
            let percent = total > 0 ? sent * 100 / total : 100
            status.show(console.text("Sending \(percent)%   n next" as Sentence))
        case .stored(let result): try console.emit(ResultOutput(result))
        case .problem(let error):
            say(error.sentence)
            try console.emit(PracticeProblemOutput(error: ErrorReport(code: error.code, error.sentence)))
        }
    }

    /// Asks the person to press the key again.
    func confirmQuit() { say("The recording is not kept. Press q again to throw it away, Enter to go on.") }

    /// Shows a text above the status line.
    func show(_ lines: [String]) {
        status.clear()
        for line in lines { console.progress(verbatim: line) }
    }

    /// Shows the typed part of the answer to a question.
    func showAnswer(_ text: String) { status.show(text) }

    /// Shows the keys again, after a question.
    func showKeys() { showHelp() }

    /// Clears the status line.
    nonisolated func close() { status.clear() }

    private func tell(_ state: PracticeState) throws {
        switch state {
        case .viewing(let cue):
            shown = []
            try show(cue)
        case .recording(_, isPaused: false): shown = []
        case .recording: break
        case .reviewing(_, let recording, interrupted: let error):
            if let error { say("\(error.sentence) What was recorded until then is here.") }
            try console.tell("  \(Duration.seconds(recording.duration).clock) recorded.")
        case .waiting(_, _, let evaluation, _): try evaluation.map(show)
        case .result(_, _, let evaluations, let error):
            for evaluation in evaluations { try show(evaluation) }
            if let error { say(error.sentence) }
            try console.show(console.styled(console.text("  Kept." as Sentence), .muted))
        case .failed(_, let error): say(error.sentence)
        }
    }

    private func show(_ cue: Cue) throws {
        try console.show("")
        let level = console.text("level \(cue.level)")
        try console.show(console.styled("  \(cue.language) · \(cue.topic.printable) · \(level)", .muted))
        try console.show(console.styled("  \(cue.text.printable)", .strong))
        if let hint = cue.hint, !hint.isEmpty { try console.show(console.styled("  \(hint.printable)", .muted)) }
    }

    private func show(_ evaluation: Evaluation) throws {
        guard shown.insert(evaluation.source).inserted else { return }
        if evaluation.source == .server {
            try console.show(console.styled(console.text("  The server says:" as Sentence), .muted))
        }
        for line in EvaluationText(evaluation: evaluation, console: console).lines { try console.show(line) }
    }

    private func showHelp() {
        let help = PracticeKeys.help(for: keys.state, console.translator)
        var start = ""
        if case .waiting = keys.state { start = console.text("Analysing…" as Sentence) + "   " }
        let room = (console.errors.columns ?? 80) - 1 - start.columns
        status.show(start + help.line(width: room, glyphs: console.traits.glyphs), spoken: start + help.text)
    }

    private func line(_ meter: RecordingMeter) -> String {
        let drawn = bar.draw(
            rms: Float(meter.level), peak: Float(meter.peak), clippedSamples: meter.isClipping ? 1 : 0)
        let dot = console.traits.glyphs.dot
        let left = Int(meter.remaining)
        let room = meter.remaining < 60 ? "  " + console.text("room for \(left) s" as Sentence) : ""
        return "\(dot) \(Duration.seconds(meter.elapsed).clock) \(drawn)\(room)"
    }

    /// Shows a sentence above the status line.
    func say(_ sentence: Sentence) {
        status.clear()
        if !console.isJSON { console.warn(sentence) }
    }
}

private struct PracticeStateOutput: Encodable {
    let event = "state"
    let state: String
    let cue, text, language, topic: String
    let level: Int
    let hint: String?
    let recording: String?
    let error: ErrorReport?

    init(_ practice: PracticeState) {
        (cue, text, hint) = (practice.cue.id.description, practice.cue.text, practice.cue.hint)
        (language, topic, level) = (practice.cue.language.description, practice.cue.topic, practice.cue.level)
        var (recording, error): (Recording?, DomainError?) = (nil, nil)
        switch practice {
        case .viewing: state = "viewing"
        case .recording(_, isPaused: let isPaused): state = isPaused ? "paused" : "recording"
        case .reviewing(_, let taken, interrupted: let reason): (state, recording, error) = ("reviewing", taken, reason)
        case .waiting(_, let taken, _, _): (state, recording) = ("waiting", taken)
        case .result(_, let taken, _, let reason): (state, recording, error) = ("result", taken, reason)
        case .failed(_, let reason): (state, error) = ("failed", reason)
        }
        self.recording = recording?.id.description
        self.error = error.map { ErrorReport(code: $0.code, $0.sentence) }
    }

    private enum CodingKeys: String, CodingKey {
        case event, state, cue, text, language, topic, level, hint, recording, error
    }
}

/// The level while something is recorded, in dB of full scale, and the times in seconds.
private struct PracticeMeterOutput: Encodable {
    let event = "meter"
    let level, peak: Double
    let isClipping: Bool
    let elapsed, remaining: Double

    init(_ meter: RecordingMeter) {
        (level, peak, isClipping) = (meter.level, meter.peak, meter.isClipping)
        (elapsed, remaining) = (meter.elapsed, meter.remaining)
    }

    private enum CodingKeys: String, CodingKey { case event, level, peak, isClipping, elapsed, remaining }
}

/// A problem that practice goes on after.
private struct PracticeProblemOutput: Encodable {
    let event = "problem"
    let error: ErrorReport

    private enum CodingKeys: String, CodingKey { case event, error }
}
