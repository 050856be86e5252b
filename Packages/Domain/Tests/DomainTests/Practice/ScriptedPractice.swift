// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import TestKit

/// A recorder whose recordings are ended by the test, and what became of each of them.
actor ScriptedRecorder: PracticeRecorder {
    /// What was called on recordings, by their number from 1: "start 1", "pause 1", "keep 1".
    private(set) var log: [String] = []
    var startError: DomainError?
    var keepError: DomainError?
    var finishError: DomainError?
    var interruption: DomainError?
    private var count = 0
    private var meters: [AsyncStream<RecordingMeter>.Continuation] = []

    func set(
        startError: DomainError? = nil, keepError: DomainError? = nil, finishError: DomainError? = nil,
        interruption: DomainError? = nil
    ) {
        self.startError = startError
        self.keepError = keepError
        self.finishError = finishError
        self.interruption = interruption
    }

    func start(_ cue: Cue) async throws -> any ActiveRecording {
        if let startError { throw startError }
        count += 1
        log.append("start \(count)")
        let (meter, continuation) = AsyncStream<RecordingMeter>.makeStream()
        meters.append(continuation)
        continuation.yield(RecordingMeter(elapsed: 0.1, level: -20, peak: -10, isClipping: false, remaining: 1_000))
        return ScriptedActiveRecording(recorder: self, number: count, cue: cue, meter: meter)
    }

    /// The newest recording ends by itself.
    func breakOff() { meters.last?.finish() }

    func note(_ text: String) { log.append(text) }
    func checkKeeping() throws { if let keepError { throw keepError } }
    func checkFinishing() throws { if let finishError { throw finishError } }
}

private struct ScriptedActiveRecording: ActiveRecording {
    let recorder: ScriptedRecorder
    let number: Int
    let cue: Cue
    let meter: AsyncStream<RecordingMeter>

    func pause() async { await recorder.note("pause \(number)") }
    func resume() async { await recorder.note("resume \(number)") }
    func discard() async { await recorder.note("drop \(number)") }
    func finish() async throws -> (recording: any TakenRecording, interruption: DomainError?) {
        await recorder.note("finish \(number)")
        try await recorder.checkFinishing()
        return (ScriptedTakenRecording(recorder: recorder, number: number, cue: cue), await recorder.interruption)
    }
}

private struct ScriptedTakenRecording: TakenRecording {
    let recorder: ScriptedRecorder
    let number: Int
    let recording: Recording

    init(recorder: ScriptedRecorder, number: Int, cue: Cue) {
        self.recorder = recorder
        self.number = number
        recording = Recording(
            cue: cue.id, createdAt: Date(timeIntervalSince1970: 0), duration: 1, format: .flac, sampleRate: 16_000,
            byteCount: number, contentHash: "")
    }

    func keep() async throws {
        try await recorder.checkKeeping()
        await recorder.note("keep \(number)")
    }
    func discard() async { await recorder.note("discard \(number)") }
}

/// Plays for ever, or to the end at once.
struct ScriptedPlayer: RecordingPlayer {
    var isEndless = false
    var error: DomainError?

    func play(_ recording: Recording, report: @escaping @Sendable (Double) async -> Void) async throws {
        await report(0)
        if let error { throw error }
        if isEndless {
            await untilCancelled()
            throw CancellationError()
        }
        await report(1)
    }
}

/// Answers at once, never, or with an error.
struct ScriptedEvaluator: RecordingEvaluator {
    var answer: Result<Evaluation, DomainError>?

    func evaluate(_ recording: Recording, of cue: Cue) -> AsyncThrowingStream<EvaluationProgress, any Error> {
        AsyncThrowingStream { continuation in
            continuation.yield(.uploading(1, of: 2))
            continuation.yield(.analysing)
            switch answer {
            case .success(let evaluation):
                continuation.yield(.done(evaluation))
                continuation.finish()
            case .failure(let error): continuation.finish(throwing: error)
            case nil: break
            }
        }
    }
}
