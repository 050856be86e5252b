// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
public import Domain
import ObjectStore
import Persistence

/// Evaluates the sound of a recording, for ``ServerOptions/evaluator``.
public protocol SoundEvaluator: Sendable {
    /// Evaluates the reading of a cue.
    ///
    /// It heeds cancellation. The server calls it for one recording at a time.
    ///
    /// - Parameters:
    ///   - file: The path of the encoded sound.
    ///   - recording: Its metadata.
    ///   - cue: The cue that was read; nil if the catalogue no longer has it.
    /// - Throws: ``EvaluationFailure`` with a reason for the person; any other error is logged for the operator.
    func evaluate(file: String, _ recording: Recording, of cue: Cue?) async throws -> Evaluation
}

/// The evaluator of a server without one: every evaluation fails.
struct NoEvaluator: SoundEvaluator {
    func evaluate(file: String, _ recording: Recording, of cue: Cue?) async throws -> Evaluation {
        throw EvaluationFailure(reason: "This server does not evaluate recordings.")
    }
}

/// A condition that becomes true once.
final class Flag: Sendable {
    private let state = Guarded(false)

    var isSet: Bool { state.withLock { $0 } }

    func set() { state.withLock { $0 = true } }
}

/// Evaluates recordings, one at a time, in the order of their arrival.
struct EvaluationWorker: Sendable {
    let jobs: EvaluationJobs
    let changes: ChangeStreams<AwaitedEvaluation>
    let evaluator: any SoundEvaluator
    let cue: @Sendable (Identifier<Cue>) async throws -> Cue?
    let sounds: SoundStore
    let timeLimit: Duration
    let clock: any Clock<Duration>
    let logger: Logger
    private let isEnding = Flag()
    private let bell: AsyncStream<Void>
    private let button: AsyncStream<Void>.Continuation

    init(
        _ jobs: EvaluationJobs, _ changes: ChangeStreams<AwaitedEvaluation>, evaluator: any SoundEvaluator,
        cue: @escaping @Sendable (Identifier<Cue>) async throws -> Cue?,
        sounds: SoundStore, timeLimit: Duration,
        clock: any Clock<Duration> = ContinuousClock(), logger: Logger
    ) {
        (self.jobs, self.changes, self.evaluator, self.cue, self.sounds) = (jobs, changes, evaluator, cue, sounds)
        (self.timeLimit, self.clock, self.logger) = (timeLimit, clock, logger)
        (bell, button) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Wakes the worker, since a job waits.
    func ring() { button.yield() }

    /// Ends the work; ``run()`` returns after the present job.
    func finish() {
        isEnding.set()
        button.finish()
    }

    /// Works until ``finish()``, or until the task is cancelled. The next server then restarts the present job.
    func run() async {
        ring()
        var account = ""
        for await _ in bell {
            do {
                while !isEnding.isSet, let job = try await jobs.claim(after: account) {
                    account = job.account
                    changes.changed(job.recording.id)
                    do {
                        let outcome = try await Lease.hold(clock: clock, renew: { try await jobs.renew(job) }) {
                            try await result(of: job)
                        }
                        try await jobs.finish(job, outcome)
                    } catch is LeaseLost {
                        logger.warning("another instance has taken over an evaluation")
                    } catch let unable as WorkerUnable {
                        try await jobs.putBack(job)
                        throw unable.cause
                    }
                    changes.changed(job.recording.id)
                }
            } catch is CancellationError {
                return
            } catch {
                logger.error(
                    "evaluations are paused until the next recording: \(String(describing: error), privacy: .public)")
            }
        }
    }

    private func result(of job: EvaluationJobs.Job) async throws -> Result<Evaluation, EvaluationFailure> {
        do {
            return .success(try await limited { try await evaluation(of: job) })
        } catch let failure as EvaluationFailure {
            return .failure(failure)
        } catch let error as EvaluationChildError {
            throw WorkerUnable(cause: error)
        } catch let error as ObjectStoreError where error.code != .notFound {
            throw WorkerUnable(cause: error)
        } catch let error as DatabaseError where error.isPassing {
            throw WorkerUnable(cause: error)
        } catch {
            // The server stops: the job stays as it is.
            try Task.checkCancellation()
            logger.error("a recording could not be evaluated: \(String(describing: error), privacy: .public)")
            return .failure(EvaluationFailure(reason: Self.reason(error)))
        }
    }

    /// The recording is not to blame: the bucket or the database does not answer, or no process can be started.
    private struct WorkerUnable: Error {
        let cause: any Error
    }

    private static func reason(_ error: any Error) -> String {
        (error as? DomainError)?.detail ?? "The recording could not be evaluated."
    }

    private func evaluation(of job: EvaluationJobs.Job) async throws -> Evaluation {
        let cue = try await cue(job.recording.cue)
        var evaluation = try await sounds.withFile(job.recording.id, of: job.account) { path in
            try await evaluator.evaluate(file: path, job.recording, of: cue)
        }
        evaluation.source = .server
        return evaluation
    }

    private func limited(_ work: @escaping @Sendable () async throws -> Evaluation) async throws -> Evaluation {
        try await withThrowingTaskGroup(of: Evaluation.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await clock.sleep(for: timeLimit)
                throw EvaluationFailure(reason: "The evaluation took too long.")
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
}
