// SPDX-License-Identifier: MIT

import AuthServer
import DataLayer
import Diagnostics
import Domain
import FoundationEssentials
import HTTPServer
import Persistence

/// Everything behind the door: cues, results, recordings, evaluation, flags and the rights over all of it.
struct PracticeServices: Sendable {
    private let stores: PracticeStores
    private let uploads: UploadService
    private let worker: EvaluationWorker
    private let deletion: DataDeletion
    private let deletions: DeletionStore
    private let config: AppConfigFile
    private let disk: DiskQueue
    private let clock: AuthClock
    private let logger: Logger

    /// Opens what the home has, and finishes what a server that was killed began.
    init(_ options: ServerOptions, logger: Logger) async throws {
        let stores = try await PracticeStores(options.home, maximumResults: options.maximumResults)
        self.stores = stores
        let disk = DiskQueue()
        let folder = stores.folder
        (self.disk, clock, self.logger) = (disk, options.clock, logger)
        config = try AppConfigFile(home: options.home, disk: disk, logger: logger)
        let worker = EvaluationWorker(
            stores.jobs, EvaluationChanges(), evaluator: options.evaluator,
            cue: { try await stores.cues.cue($0) },
            file: { folder.file($0.recording.id, of: $0.account) }, timeLimit: options.evaluationTimeLimit,
            logger: logger.with(category: "evaluation"))
        self.worker = worker
        uploads = UploadService(
            uploads: UploadStore(database: stores.database, policy: options.uploads), recordings: stores.recordings,
            folder: folder, disk: disk, clock: options.clock, logger: logger, arrived: { worker.ring() })
        deletions = DeletionStore(database: stores.database)
        deletion = DataDeletion(
            store: deletions, folder: folder, disk: disk, clock: options.clock,
            removeResults: { try await stores.practice.deleteResults(of: $0) })
        try await deletion.resume()
        try await stores.jobs.recover()
        let known = try await stores.recordings.knownFiles()
        let swept = try await disk.run { try folder.sweep { known.contains("\($0)/\($1)") } }
        if swept > 0 { logger.notice("removed \(swept, privacy: .public) files that belonged to nobody") }
    }

    /// - Parameter sessions: The sessions of who has an access token.
    func add(
        to router: inout Router, _ door: MemberDoor,
        sessions: @escaping @Sendable (_ accessToken: String) async throws -> [Session]
    ) {
        let export = AccountExport(
            recordings: stores.recordings, jobs: stores.jobs, presence: stores.presence, deletions: deletions,
            folder: stores.folder, disk: disk, clock: clock, results: { [stores] in stores.results(of: $0) },
            sessions: sessions)
        CueEndpoints(catalogue: stores.cues).add(to: &router, door)
        PracticeEndpoints(results: { [stores] in stores.results(of: $0) }).add(to: &router, door)
        UploadEndpoints(service: uploads).add(to: &router, door)
        RecordingEndpoints(
            store: stores.recordings, folder: stores.folder, disk: disk,
            deleted: { [worker] in worker.changes.changed($0) }
        ).add(to: &router, door)
        EvaluationEndpoints(jobs: stores.jobs, changes: worker.changes).add(to: &router, door)
        SessionEndpoints(config: config, presence: stores.presence, clock: clock).add(to: &router, door)
        DataRightsEndpoints(export: export, deletion: deletion).add(to: &router, door)
    }

    /// How many wait for evaluations; for tests.
    var watchers: Int { worker.changes.count }

    /// Evaluates and deletes until ``finish()``; evaluations also end with the task.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await worker.run() }
            group.addTask { await deletion.work() }
        }
    }

    /// Throws away uploads that nobody goes on with.
    func keepHouse() async throws {
        try await uploads.forgetTheOld()
    }

    /// Nothing new; ``run()`` returns when what was begun is done.
    func finish() {
        deletion.finish()
        worker.finish()
    }

    /// Ends what is left; an evaluation that was broken off begins again with the next server.
    func close() async {
        do {
            try await stores.jobs.release()
        } catch {
            logger.error("an evaluation was not put back: \(String(describing: error))")
        }
        await stores.close()
    }
}
