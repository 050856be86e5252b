// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials
import TestKit

/// A `PracticeRecorder` whose recordings the test ends, and the calls on each of them.
public actor ScriptedRecorder: PracticeRecorder {
    /// The calls on recordings, by their number from 1: "start 1", "pause 1", "keep 1".
    public private(set) var log: [String] = []
    /// The recordings that were kept, in order.
    public private(set) var kept: [Recording] = []
    private var startError: DomainError?
    private var keepError: DomainError?
    private var finishError: DomainError?
    private var interruption: DomainError?
    private var meters: [AsyncStream<RecordingMeter>.Continuation] = []

    /// A recorder without errors.
    public init() {}

    /// Sets the errors of the calls from now on, and the reason why recordings end by themselves.
    public func set(
        startError: DomainError? = nil, keepError: DomainError? = nil, finishError: DomainError? = nil,
        interruption: DomainError? = nil
    ) {
        self.startError = startError
        self.keepError = keepError
        self.finishError = finishError
        self.interruption = interruption
    }

    /// See `PracticeRecorder`.
    public func start(_ cue: Cue) async throws -> any ActiveRecording {
        if let startError { throw startError }
        try Task.checkCancellation()
        let (meter, continuation) = AsyncStream<RecordingMeter>.makeStream()
        meters.append(continuation)
        log.append("start \(meters.count)")
        continuation.yield(RecordingMeter(elapsed: 0.1, level: -20, peak: -10, isClipping: false, remaining: 1_000))
        return ScriptedActiveRecording(recorder: self, number: meters.count, cue: cue, meter: meter)
    }

    /// Ends the newest recording by itself.
    public func breakOff() { meters.last?.finish() }

    fileprivate func note(_ text: String) { log.append(text) }

    fileprivate func end(_ call: String, _ number: Int) {
        log.append("\(call) \(number)")
        meters[number - 1].finish()
    }

    fileprivate func finish(_ number: Int) throws -> DomainError? {
        end("finish", number)
        if let finishError { throw finishError }
        return interruption
    }

    fileprivate func keep(_ recording: Recording, _ number: Int) throws {
        if let keepError { throw keepError }
        log.append("keep \(number)")
        kept.append(recording)
    }
}

private struct ScriptedActiveRecording: ActiveRecording {
    let recorder: ScriptedRecorder
    let number: Int
    let cue: Cue
    let meter: AsyncStream<RecordingMeter>

    func pause() async { await recorder.note("pause \(number)") }
    func resume() async { await recorder.note("resume \(number)") }
    func discard() async { await recorder.end("drop", number) }
    func finish() async throws -> (recording: any TakenRecording, interruption: DomainError?) {
        let interruption = try await recorder.finish(number)
        return (ScriptedTakenRecording(recorder: recorder, number: number, cue: cue), interruption)
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

    func keep() async throws { try await recorder.keep(recording, number) }
    func discard() async { await recorder.note("discard \(number)") }
}

/// A `RecordingPlayer` that plays for ever, to the end at once, or fails.
public struct ScriptedPlayer: RecordingPlayer {
    private let isEndless: Bool
    private let error: DomainError?

    /// A player.
    public init(isEndless: Bool = false, error: DomainError? = nil) {
        self.isEndless = isEndless
        self.error = error
    }

    /// See `RecordingPlayer`.
    public func play(_ recording: Recording, report: @escaping @Sendable (Double) async -> Void) async throws {
        await report(0)
        if let error { throw error }
        if isEndless { await untilCancelled() }
        try Task.checkCancellation()
        await report(recording.duration)
    }
}

/// A `RecordingEvaluator` that answers at once, never, or with an error.
public struct ScriptedEvaluator: RecordingEvaluator {
    private let answer: Result<Evaluation, DomainError>?

    /// An evaluator; without an answer it never ends.
    public init(answer: Result<Evaluation, DomainError>? = nil) { self.answer = answer }

    /// See `RecordingEvaluator`.
    public func evaluate(_ recording: Recording, of cue: Cue) -> AsyncThrowingStream<EvaluationProgress, any Error> {
        // It runs in the reader's task, and ends with it.
        let steps = Steps(answer)
        return AsyncThrowingStream { try await steps.next() }
    }

    private actor Steps {
        private let answer: Result<Evaluation, DomainError>?
        private var count = 0

        init(_ answer: Result<Evaluation, DomainError>?) { self.answer = answer }

        func next() async throws -> EvaluationProgress? {
            count += 1
            switch count {
            case 1: return .uploading(1, of: 2)
            case 2: return .analysing
            case 3:
                guard let answer else {
                    await untilCancelled()
                    return nil
                }
                return .done(try answer.get())
            default: return nil
            }
        }
    }
}
