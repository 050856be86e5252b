// SPDX-License-Identifier: MIT

import AuthServer
import DataLayer
import Diagnostics
import Domain
import FoundationEssentials
import HTTPServer
import Persistence

/// All services for signed-in accounts: cues, results, recordings, evaluation, flags, the relay of their devices and the
/// rights over all of it.
struct PracticeServices: Sendable {
    private let stores: PracticeStores
    private let uploads: UploadService
    private let worker: EvaluationWorker
    private let syncChanges: SyncChanges
    private let streamLifetime: Duration
    private let deletion: DataDeletion
    private let erasure: AccountErasure
    private let sounds: SoundRemoval
    private let deletions: DeletionStore
    private let config: AppConfigFile
    private let ages: AgeStore
    private let retentionDays: Int
    private let disk: DiskQueue
    private let clock: AuthClock
    private let logger: Logger

    /// Opens the home's data, and finishes the work that a killed server began.
    ///
    /// - Parameter accounts: The accounts and the erasures.
    init(_ options: ServerOptions, accounts: any AuthStore, logger: Logger) async throws {
        let stores = try await PracticeStores(
            options.home,
            quota: PracticeQuota(
                results: options.maximumResults, bytes: options.maximumResultBytes,
                deletions: options.rememberedDeletions), sync: options.sync)
        self.stores = stores
        let disk = DiskQueue()
        let folder = stores.folder
        (self.disk, clock, self.logger) = (disk, options.clock, logger)
        syncChanges = SyncChanges(limit: options.sync.maximumStreams)
        streamLifetime = options.policy.accessTokenLifetime
        config = try AppConfigFile(
            home: options.home, retentionDays: options.retentionDays, disk: disk, logger: logger)
        retentionDays = options.retentionDays
        ages = AgeStore(stores.database, wall: options.clock, monotonic: options.monotonicClock, logger: logger)
        try await stores.practice.beginChanges(at: RecordingRow.date(options.clock.now().milliseconds))
        let worker = EvaluationWorker(
            stores.jobs, EvaluationChanges(), evaluator: options.evaluator,
            cue: { try await stores.cues.cue($0) },
            file: { folder.file($0.recording.id, of: $0.account) }, timeLimit: options.evaluationTimeLimit,
            logger: logger.with(category: "evaluation"))
        self.worker = worker
        sounds = SoundRemoval(recordings: stores.recordings, folder: folder, disk: disk)
        uploads = UploadService(
            uploads: UploadStore(database: stores.database, policy: options.uploads), recordings: stores.recordings,
            folder: folder, disk: disk, sounds: sounds, clock: options.clock, logger: logger, arrived: { worker.ring() }
        )
        deletions = DeletionStore(database: stores.database)
        let queue = DeletionQueue()
        deletion = DataDeletion(
            store: deletions, practice: stores.practice, sync: stores.sync, sounds: sounds, queue: queue,
            clock: options.clock, logger: logger)
        erasure = AccountErasure(
            accounts: accounts, store: deletions, practice: stores.practice, sync: stores.sync, sounds: sounds,
            queue: queue, clock: options.clock, logger: logger)
        await erasure.resume()
        await deletion.resume()
        try await stores.jobs.recover()
        try await sweep()
    }

    /// - Parameter syncAccess: Lets in calls of the relay, which have a limit of their own.
    func add(
        to router: inout Router, _ access: AuthenticationMiddleware, syncAccess: AuthenticationMiddleware,
        _ service: AuthService, _ audit: AuditLog
    ) {
        let export = AccountExport(
            recordings: stores.recordings, jobs: stores.jobs, presence: stores.presence, deletions: deletions,
            sync: stores.sync, folder: stores.folder, disk: disk, clock: clock,
            results: { [stores] in stores.results(of: $0) },
            sessions: { try await service.sessions(accessToken: $0) })
        CueEndpoints(catalogue: stores.cues).add(to: &router, access)
        PracticeEndpoints(results: { [stores] in stores.results(of: $0) }).add(to: &router, access)
        UploadEndpoints(service: uploads).add(to: &router, access)
        RecordingEndpoints(
            store: stores.recordings, folder: stores.folder, disk: disk, sounds: sounds,
            deleted: { [worker] in worker.changes.changed($0) }
        ).add(to: &router, access)
        EvaluationEndpoints(jobs: stores.jobs, changes: worker.changes).add(to: &router, access)
        SessionEndpoints(config: config, presence: stores.presence, clock: clock).add(to: &router, access)
        DataRightsEndpoints(
            export: export, deletion: deletion, erasure: erasure, service: service, audit: audit
        ).add(to: &router, access)
        SyncEndpoints(
            store: stores.sync, changes: syncChanges, slots: AccountSlots(limit: SyncEndpoints.arrivingObjects),
            streamLifetime: streamLifetime, check: { _ = try await service.account(accessToken: $0) }
        ).add(to: &router, syncAccess)
    }

    /// The number of clients that wait for evaluations; for tests.
    var watchers: Int { worker.changes.count }

    /// The number of open event streams of the relay; for tests.
    var syncStreams: Int { syncChanges.count }

    /// Throws unless the databases can be read.
    func check() async throws {
        try await stores.database.read { try $0.check() }
        try await stores.sync.database.read { try $0.check() }
        _ = try await stores.cues.count()
    }

    /// The number of recordings in each state of evaluation.
    func evaluationCounts() async throws -> [String: Int] { try await stores.jobs.counts() }

    /// The relay's objects with their bytes, and its open event streams.
    func syncCounts() async throws -> (objects: Int, bytes: Int, streams: Int) {
        let (objects, bytes) = try await stores.sync.totals()
        return (objects, bytes, syncChanges.count)
    }

    /// The bytes of all recordings and uploads.
    func recordingBytes() async throws -> Int { try await stores.recordings.totalBytes() }

    /// Evaluates and deletes until ``finish()``; evaluations also end with the task.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await worker.run() }
            group.addTask { await deletion.queue.work() }
        }
    }

    /// The time that maintenance compares ages with.
    func ageTime() async throws -> AuthTime { try await ages.now() }

    /// Finishes deletions that failed, and removes what has expired: recordings, abandoned uploads, and files
    /// without a row.
    func runMaintenance(at time: AuthTime) async throws {
        try await deletion.queue.run {
            await erasure.resume()
            await deletion.resume()
        }
        try await uploads.deleteExpired(at: time)
        try await removeOldRecordings(at: time)
        try await sweep()
    }

    private func removeOldRecordings(at time: AuthTime) async throws {
        guard retentionDays > 0 else { return }
        let end = time + .seconds(-86_400 * Int64(retentionDays))
        var count = 0
        while true {
            let removed = try await stores.recordings.removeOldest(before: end)
            if removed.isEmpty { break }
            for (account, id) in removed {
                try await sounds.remove(id, of: account)
                worker.changes.changed(id)
            }
            count += removed.count
        }
        if count > 0 {
            logger.notice(
                "removed \(count, privacy: .public) recordings older than \(retentionDays, privacy: .public) days")
        }
    }

    private func sweep() async throws {
        let swept = try await sounds.sweep()
        if swept > 0 { logger.notice("removed \(swept, privacy: .public) files without a row") }
    }

    /// Takes no new work; ``run()`` returns when the present work is done.
    func finish() {
        deletion.queue.finish()
        worker.finish()
    }

    /// Ends the remaining work; an interrupted evaluation restarts with the next server.
    func close() async {
        do {
            try await stores.jobs.release()
        } catch {
            logger.error("an evaluation was not put back: \(String(describing: error), privacy: .public)")
        }
        await stores.close()
    }
}
