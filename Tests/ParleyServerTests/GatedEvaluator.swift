// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import ParleyServer

/// Evaluates when a test says so.
final class GatedEvaluator: SoundEvaluator {
    private let gate: AsyncStream<Result<Evaluation, EvaluationFailure>>
    private let opener: AsyncStream<Result<Evaluation, EvaluationFailure>>.Continuation
    let files = Guarded<[String]>([])

    init() { (gate, opener) = AsyncStream.makeStream() }

    static let evaluation = Evaluation(
        source: .device, words: [JudgedWord(text: "hello", verdict: .right)], speechDuration: 1.5, wordsPerMinute: 40,
        pauses: [.init(start: 0.5, duration: 0.25)], loudness: -23, truePeak: -1, clippedShare: 0, noiseLevel: -60,
        signalToNoise: 37)

    func open(_ result: Result<Evaluation, EvaluationFailure> = .success(evaluation)) { opener.yield(result) }

    func evaluate(file: String, _ recording: Recording, of cue: Cue?) async throws -> Evaluation {
        files.withLock { $0.append(file) }
        for await result in gate { return try result.get() }
        throw CancellationError()
    }
}
