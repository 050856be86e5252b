// SPDX-License-Identifier: MIT

public import Diagnostics
import Domain
import FoundationEssentials

/// Workers of evaluations in a process of its own, beside any number of servers and workers on one shared database.
public final class EvaluationWorkers: Sendable {
    private let storage: ServerStorage
    private let jobs: EvaluationJobs
    private let workers: [EvaluationWorker]
    private let work: Task<Void, Never>
    private let lock: HomeLock
    private let logger: Logger

    /// Starts to work.
    ///
    /// - Parameter options: The database, the objects, the evaluator with its time limit, and the number of workers.
    /// - Throws: ``ServerSetupError/noSharedDatabase``, or the error of the database.
    public static func start(_ options: ServerOptions, logger: Logger = .disabled) async throws -> EvaluationWorkers {
        guard options.database != nil else { throw ServerSetupError.noSharedDatabase }
        let bucket = try options.objects.bucket()
        // Copies of a bucket's sound are in a folder of one process, which removes those of an earlier one.
        let folder = options.home + "/work"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let lock = try HomeLock(folder)
        let storage = try await ServerStorage.open(options, logger: logger)
        do {
            let stores = try await PracticeStores(
                storage, home: bucket == nil ? options.home : folder, bucket: bucket)
            if bucket != nil { stores.sounds.removeCopies() }
            return EvaluationWorkers(options, lock, storage, stores, logger.with(category: "evaluation"))
        } catch {
            await storage.close()
            throw error
        }
    }

    private init(
        _ options: ServerOptions, _ lock: HomeLock, _ storage: ServerStorage, _ stores: PracticeStores, _ logger: Logger
    ) {
        (self.lock, self.storage, self.logger) = (lock, storage, logger)
        jobs = stores.jobs
        let hints = storage.hints.map { ChangeHints($0, logger: logger) }
        let changes = ChangeStreams<AwaitedEvaluation>(limit: 0, hints: hints)
        workers = EvaluationWorker.some(options.workers, stores, changes, options, logger)
        let watch = ChangeWatch(
            database: storage.recordings, hints: storage.hints, evaluations: changes, objects: ChangeStreams(limit: 0),
            jobArrived: { [workers] in for worker in workers { worker.ring() } }, logger: logger)
        work = Task { [workers] in
            await withTaskGroup(of: Void.self) { group in
                for worker in workers { group.addTask { await worker.run() } }
                group.addTask { await watch.run() }
                if let hints { group.addTask { await hints.run() } }
                for _ in workers { await group.next() }
                group.cancelAll()
            }
        }
    }

    /// Takes no more jobs, and waits for the present ones. Those that take longer than `grace` are put back, and count
    /// no attempt.
    public func stop(grace: Duration = .seconds(10)) async {
        for worker in workers { worker.finish() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [work] in await work.value }
            group.addTask { try? await Task.sleep(for: grace) }
            await group.next()
            group.cancelAll()
            work.cancel()
        }
        await work.value
        do {
            try await jobs.release()
        } catch {
            logger.error("an evaluation was not put back: \(String(describing: error), privacy: .public)")
        }
        await storage.close()
        lock.release()
    }
}

extension EvaluationWorker {
    /// Workers that share a queue.
    static func some(
        _ count: Int, _ stores: PracticeStores, _ changes: ChangeStreams<AwaitedEvaluation>, _ options: ServerOptions,
        _ logger: Logger
    ) -> [EvaluationWorker] {
        (0..<count).map { _ in
            EvaluationWorker(
                stores.jobs, changes, evaluator: options.evaluator, cue: { try await stores.cues.cue($0) },
                sounds: stores.sounds, timeLimit: options.evaluationTimeLimit, logger: logger)
        }
    }
}
