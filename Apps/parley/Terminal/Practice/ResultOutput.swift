// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

/// The JSON form of a result.
struct ResultOutput: Encodable {
    let event = "result"
    let id: String
    let cue: String
    let text: String
    let language: String
    let recording: String?
    let practisedAt: String
    let day: String
    let rating: String
    let evaluation: EvaluationOutput?
    /// The server's evaluation; nil if it has not arrived.
    let serverEvaluation: EvaluationOutput?

    init(_ result: PracticeResult, server: Evaluation? = nil) {
        id = result.id.description
        cue = result.cue.description
        text = result.cueText
        language = result.language.description
        recording = result.recording?.description
        practisedAt = result.practisedAt.formatted(.iso8601)
        day = result.day.description
        rating = "\(result.rating)"
        evaluation = result.evaluation.map(EvaluationOutput.init)
        serverEvaluation = server.map(EvaluationOutput.init)
    }

    private enum CodingKeys: String, CodingKey {
        case event, id, cue, text, language, recording, practisedAt, day, rating, evaluation, serverEvaluation
    }
}

/// The JSON form of an evaluation.
struct EvaluationOutput: Encodable {
    struct Word: Encodable {
        let text: String
        let verdict: String
    }

    let source: String
    let words: [Word]?
    let accuracy: Double?
    let wordsPerMinute: Double?
    let speechSeconds: Double
    let pauseSeconds: [Double]
    let loudnessLUFS: Double?
    let truePeakDBTP: Double?
    let clippedShare: Double
    let noiseDBFS: Double?
    let signalToNoiseDB: Double?

    init(_ evaluation: Evaluation) {
        source = evaluation.source.rawValue
        words = evaluation.words?.map { Word(text: $0.text, verdict: $0.verdict.rawValue) }
        accuracy = evaluation.accuracy
        wordsPerMinute = evaluation.wordsPerMinute
        speechSeconds = evaluation.speechDuration
        pauseSeconds = evaluation.pauses.map(\.duration)
        loudnessLUFS = evaluation.loudness
        truePeakDBTP = evaluation.truePeak
        clippedShare = evaluation.clippedShare
        noiseDBFS = evaluation.noiseLevel
        signalToNoiseDB = evaluation.signalToNoise
    }
}
