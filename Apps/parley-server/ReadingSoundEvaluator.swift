// SPDX-License-Identifier: MIT

import DataVoice
import Domain
import ParleyServer
import SpeechEvaluation
import VoiceActivity

/// Evaluates recordings on this machine: words in English, everything else in any language.
struct ReadingSoundEvaluator: SoundEvaluator {
    private let evaluator: ReadingEvaluator

    /// Loads nothing yet; the first English recording loads the recogniser's model, which stays loaded (about 60 MB).
    ///
    /// - Parameter longest: The length above which a recording is refused.
    init(longest: Duration = .seconds(3_600)) {
        var configuration = ReadingEvaluator.Configuration()
        configuration.longestRecording = longest
        evaluator = ReadingEvaluator(configuration: configuration, weights: try? SileroWeights())
    }

    func evaluate(file: String, _ recording: Recording, of cue: Cue?) async throws -> Evaluation {
        guard let cue else {
            throw EvaluationFailure(reason: "The cue of this recording is not in the server's catalogue.")
        }
        do {
            let reading = try await evaluator.evaluate(
                fileAt: file, expected: cue.text, language: cue.language.description)
            return Evaluation(reading, source: .server)
        } catch let error as EvaluationError where error.code != .recognizerFailed {
            throw EvaluationFailure(reason: Self.reason(error))
        }
    }

    /// Replaces the evaluator's messages, which name a file of the server.
    private static func reason(_ error: EvaluationError) -> String {
        switch error.code {
        case .nothingToRead: "The cue has no words to read."
        case .textTooLong: "The cue is too long."
        case .emptyRecording: "The recording is empty."
        case .recordingTooLong: "The recording is too long."
        case .unreadableRecording: "The recording cannot be read as sound."
        default: "The recording could not be evaluated."
        }
    }
}
