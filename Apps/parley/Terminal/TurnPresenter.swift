// SPDX-License-Identifier: MIT

import Diagnostics
import Domain
import TerminalKit

/// Shows a spoken turn as it happens, and keeps its latency ledger.
struct TurnPresenter: Sendable {
    let turn: TurnID
    let console: Console
    let logger: Logger
    private let map: AnswerMap?
    private let ledger: LatencyLedger

    /// Makes a presenter for one turn.
    ///
    /// - Parameter map: Draws states beside answers; nil draws none.
    init(turn: TurnID, map: AnswerMap? = nil, console: Console, logger: Logger) {
        self.turn = turn
        self.map = map
        self.console = console
        self.logger = logger.with("turn", "\(turn, privacy: .public)")
        ledger = LatencyLedger(id: turn.description)
    }

    /// Shows one event.
    func show(_ event: TurnEvent) throws {
        switch event {
        case .reached(let stage, let instant):
            ledger.mark(LatencyLedger.Stage(stage.rawValue), at: instant)
            logger.debug("reached \(stage.rawValue, privacy: .public)")
        case .answering(.available):
            if !console.isJSON { console.progress(AnswerEventText.available, .muted) }
        case .level, .draft, .answering:
            break
        case .transcript(let transcript):
            try console.show("\(console.styled("you   ", .accent))  \(transcript.text.printable)")
            try console.emit(
                TranscriptEvent(turn: turn.description, text: transcript.text, confidence: transcript.confidence))
        case .answer(let answer):
            let text = "\(console.styled("parley", .success))  \(answer.text.printable)\(source(of: answer))"
            try console.show(map?.beside(text, answer.states) ?? text)
            try console.emit(TurnAnswerEvent(turn: turn.description, answer: AnswerOutput(answer)))
        case .refused(let error):
            try console.show("\(console.styled("parley", .warning))  \(console.text(error.sentence))")
            try console.emit(
                RefusalEvent(turn: turn.description, error: ErrorReport(code: error.code, error.sentence)))
        }
    }

    /// The part of the assistant that answered, for a person at a terminal.
    private func source(of answer: AssistantAnswer) -> String {
        console.output.isTerminal ? console.styled(" (\(answer.source.text.printable))", .muted) : ""
    }

    /// Shows the times of the turn's stages; nothing if it did not reach speech.
    func showLatency() throws {
        let report = ledger.report
        guard !report.entries.isEmpty else { return }
        try console.show("\n" + report.formatted())
        if let reply = replyLatency {
            try console.show("end of speech to first audible sample: \(reply.milliseconds) ms")
        }
        try console.emit(LatencyEvent(turn: turn.description, report: report, reply: replyLatency))
    }

    private var replyLatency: Duration? {
        ledger.interval(
            from: LatencyLedger.Stage(TurnStage.speechEnded.rawValue),
            to: LatencyLedger.Stage(TurnStage.firstSampleAudible.rawValue))
    }
}
