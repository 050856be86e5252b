// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
public import Diagnostics
public import Domain
import SealedRecordings
import Speech
public import SpeechEvaluation
import VoiceActivity

/// Evaluates recordings on this device, at once and without a network.
public struct ReadingRecordingEvaluator: RecordingEvaluator {
    private let folder: SealedRecordingFolder
    private let evaluator: ReadingEvaluator

    /// Makes an evaluator of the recordings in a folder. The first evaluation that needs the recogniser loads it.
    public init(folder: SealedRecordingFolder, logger: Logger = .disabled) {
        self.folder = folder
        evaluator = ReadingEvaluator(weights: try? SileroWeights(), logger: logger)
    }

    /// See `RecordingEvaluator`.
    public func evaluate(
        _ recording: Recording, of cue: Cue
    ) -> AsyncThrowingStream<EvaluationProgress, any Error> {
        // The evaluation runs in the reader's task, and ends with it.
        let steps = Steps { try await evaluation(of: recording, cue) }
        return AsyncThrowingStream { try await steps.next() }
    }

    private actor Steps {
        private let evaluate: @Sendable () async throws -> Evaluation
        private var count = 0

        init(_ evaluate: @escaping @Sendable () async throws -> Evaluation) { self.evaluate = evaluate }

        func next() async throws -> EvaluationProgress? {
            count += 1
            return switch count {
            case 1: .analysing
            case 2: .done(try await evaluate())
            default: nil
            }
        }
    }

    private func evaluation(of recording: Recording, _ cue: Cue) async throws -> Evaluation {
        let reader = try await folder.open(recording.id)
        return try await domainErrors {
            // A recording of a cue has minutes, not hours: SealedPracticeRecorder.longest.
            var samples: [Float] = []
            while let piece = try await reader.read(frames: 1 << 16) { samples += piece.samples }
            let sound = AudioBuffer(samples: samples, format: reader.format)
            let reading = try await evaluator.evaluate(sound, expected: cue.text, language: cue.language.description)
            return Evaluation(reading, source: .device)
        }
    }
}

extension Evaluation {
    /// Converts a measured reading.
    public init(_ reading: ReadingEvaluation, source: Source) {
        self.init(
            source: source,
            words: reading.words.map { words in
                words.map { word in
                    Domain.JudgedWord(text: word.text ?? "…", verdict: .init(word.verdict))
                }
            },
            speechDuration: reading.speechDuration, wordsPerMinute: reading.wordsPerMinute,
            pauses: reading.pauses.map { Pause(start: $0.start, duration: $0.duration) },
            loudness: reading.integratedLoudness, truePeak: reading.truePeak, clippedShare: reading.clippedShare,
            noiseLevel: reading.noiseLevel, signalToNoise: reading.signalToNoise)
    }
}

extension Domain.JudgedWord.Verdict {
    fileprivate init(_ verdict: SpeechEvaluation.JudgedWord.Verdict) {
        self =
            switch verdict {
            case .right: .right
            case .missed: .missed
            case .inserted: .inserted
            case .unjudged: .unjudged
            }
    }
}
