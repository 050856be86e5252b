// SPDX-License-Identifier: MIT

import Diagnostics

/// `{"event":"transcript",…}`
struct TranscriptEvent: Encodable {
    let event = "transcript"
    let turn: String
    let text: String
    let confidence: Double

    private enum CodingKeys: String, CodingKey { case event, turn, text, confidence }
}

/// `{"event":"answer",…}`: an answer with its turn.
struct TurnAnswerEvent: Encodable {
    let turn: String
    let answer: AnswerOutput

    func encode(to encoder: any Encoder) throws {
        try answer.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("answer", forKey: .event)
        try container.encode(turn, forKey: .turn)
    }

    private enum CodingKeys: String, CodingKey { case event, turn }
}

/// `{"event":"error",…}`: the turn's question was refused.
struct RefusalEvent: Encodable {
    let event = "error"
    let turn: String
    let error: ErrorReport

    private enum CodingKeys: String, CodingKey { case event, turn, error }
}

/// `{"event":"latency",…}`; all times in milliseconds.
struct LatencyEvent: Encodable {
    let event = "latency"
    let turn: String
    let stages: [Stage]
    let endOfSpeechToFirstSample: Double?

    struct Stage: Encodable {
        let stage: String
        let sinceStart: Double
        let sincePrevious: Double
    }

    /// Copies a report and, if the turn reached speech, the time from the end of speech to the first audible sample.
    init(turn: String, report: LatencyReport, reply: Duration?) {
        self.turn = turn
        stages = report.entries.map {
            Stage(
                stage: $0.stage.rawValue, sinceStart: $0.sinceStart.milliseconds,
                sincePrevious: $0.sincePrevious.milliseconds)
        }
        endOfSpeechToFirstSample = reply?.milliseconds
    }

    private enum CodingKeys: String, CodingKey { case event, turn, stages, endOfSpeechToFirstSample }
}

extension Duration {
    /// The duration in milliseconds, to a tenth of one.
    var milliseconds: Double {
        let (seconds, attoseconds) = components
        return (Double(seconds) * 10_000 + Double(attoseconds) / 1e14).rounded() / 10
    }
}
