// SPDX-License-Identifier: MIT

import AuthServer
import DataLayer
import Diagnostics
import Domain
import FoundationEssentials
import HTTPServer
import ObjectStore

/// All services for signed-in accounts: cues, results, recordings, evaluation, flags, the relay of their devices and the
/// rights over all of it.
struct PracticeServices: Sendable {
    private let stores: PracticeStores
    private let uploads: UploadService
    private let workers: [EvaluationWorker]
    private let evaluationChanges: ChangeStreams<AwaitedEvaluation>
    private let hints: ChangeHints?
    private let hintedDatabase: (any HintedDatabase)?
    private let syncChanges: ChangeStreams<SyncGroup>
    private let streamLifetime: Duration
    private let deletion: DataDeletion
    private let erasure: AccountErasure
    private let removal: SoundRemoval
    private let deletions: DeletionStore
    private let bucketCheck: BucketCheck
    private let config: AppConfigFile
    private let ages: AgeStore
    private let retentionDays: Int
    private let clock: AuthClock
    private let logger: Logger

    /// Finishes the work that a killed server began.
    ///
    /// - Parameter accounts: The accounts and the erasures.
    init(
        _ options: ServerOptions, _ storage: ServerStorage, accounts: any AuthStore, logger: Logger
    ) async throws {
        let stores = try await PracticeStores(
            storage, home: options.home,
            quota: PracticeQuota(
                results: options.maximumResults, bytes: options.maximumResultBytes,
                deletions: options.rememberedDeletions), sync: options.sync, bucket: options.objects.bucket())
        self.stores = stores
        (clock, self.logger) = (options.clock, logger)
        hintedDatabase = options.usesHints ? storage.hints : nil
        let hints = hintedDatabase.map { ChangeHints($0, logger: logger) }
        self.hints = hints
        syncChanges = ChangeStreams(limit: options.sync.maximumStreams, hints: hints)
        streamLifetime = options.policy.accessTokenLifetime
        config = try AppConfigFile(home: options.home, retentionDays: options.retentionDays, logger: logger)
        retentionDays = options.retentionDays
        ages = AgeStore(stores.settings, wall: options.clock, monotonic: options.monotonicClock, logger: logger)
        try await stores.practice.beginChanges(at: RecordingRow.date(options.clock.now().milliseconds))
        let changes = ChangeStreams<AwaitedEvaluation>(
            limit: options.evaluationStreamsPerAccount, hints: hints)
        evaluationChanges = changes
        let workers = EvaluationWorker.some(
            options.workers, stores, changes, options, logger.with(category: "evaluation"))
        self.workers = workers
        removal = SoundRemoval(
            recordings: stores.recordings, sounds: stores.sounds, uploadLifetime: options.uploads.lifetime)
        uploads = UploadService(
            uploads: UploadStore(database: storage.recordings, policy: options.uploads), recordings: stores.recordings,
            sounds: stores.sounds, removal: removal, clock: options.clock, logger: logger,
            arrived: {
                for worker in workers { worker.ring() }
                hints?.add(.job)
            }, instance: storage.instance)
        deletions = DeletionStore(database: storage.recordings)
        bucketCheck = BucketCheck(clock: options.monotonicClock)
        let queue = DeletionQueue()
        deletion = DataDeletion(
            store: deletions, practice: stores.practice, sync: stores.sync, sounds: removal, queue: queue,
            clock: options.clock, logger: logger)
        erasure = AccountErasure(
            accounts: accounts, store: deletions, practice: stores.practice, sync: stores.sync, sounds: removal,
            queue: queue, clock: options.clock, logger: logger)
        // What others may be doing now is left to the chores.
        if !storage.isShared { await resumeDeletions() }
        try await stores.jobs.recover()
        try await uploads.uploads.recover(storage.instance)
        stores.sounds.removeCopies()
        if !storage.isShared { await sweepAtStart() }
    }

    /// - Parameter syncAccess: Lets in calls of the relay, which have a limit of their own.
    func add(
        to router: inout Router, _ access: AuthenticationMiddleware, syncAccess: AuthenticationMiddleware,
        _ service: AuthService, _ audit: AuditLog
    ) {
        let export = AccountExport(
            recordings: stores.recordings, jobs: stores.jobs, presence: stores.presence, deletions: deletions,
            sync: stores.sync, sounds: stores.sounds, audit: audit, clock: clock,
            results: { [stores] in stores.results(of: $0) },
            account: { try await service.account(accessToken: $0).account },
            sessions: { try await service.sessions(accessToken: $0) })
        CueEndpoints(catalogue: stores.cues).add(to: &router, access)
        PracticeEndpoints(results: { [stores] in stores.results(of: $0) }).add(to: &router, access)
        UploadEndpoints(service: uploads).add(to: &router, access)
        RecordingEndpoints(
            store: stores.recordings, sounds: stores.sounds, removal: removal,
            logger: logger,
            deleted: { [evaluationChanges] in evaluationChanges.changed($0) }
        ).add(to: &router, access)
        let streams = StreamAccess(
            lifetime: streamLifetime, check: { _ = try await service.account(accessToken: $0) })
        EvaluationEndpoints(jobs: stores.jobs, changes: evaluationChanges, streams: streams).add(to: &router, access)
        SessionEndpoints(config: config, presence: stores.presence, clock: clock).add(to: &router, access)
        DataRightsEndpoints(
            export: export, deletion: deletion, erasure: erasure, service: service, audit: audit
        ).add(to: &router, access)
        SyncEndpoints(
            store: stores.sync, changes: syncChanges, slots: AccountSlots(limit: SyncEndpoints.arrivingObjects),
            streams: streams
        ).add(to: &router, syncAccess)
    }

    /// The number of clients that wait for evaluations; for tests.
    var watchers: Int { evaluationChanges.count }

    /// The number of open event streams of the relay.
    var syncStreams: Int { syncChanges.count }

    /// The number of recordings in each state of evaluation.
    func evaluationCounts() async throws -> [String: Int] { try await stores.jobs.counts() }

    /// The sums over all accounts.
    func figures() async throws -> OperatorTotals.Figures {
        let (evaluations, sound) = (try await stores.jobs.counts(), try await stores.recordings.totals())
        let objects = try await stores.sync.totals()
        return OperatorTotals.Figures(
            evaluations: evaluations, recordingBytes: sound.bytes, objects: objects.objects, objectBytes: objects.bytes)
    }

    /// Deletes an account with all of its data, for the operator.
    ///
    /// - Returns: The receipt's id.
    func erase(_ account: String, _ service: AuthService) async throws -> String {
        try await erasure.run(account: account, service).id
    }

    /// Evaluates and deletes until ``finish()``; evaluations also end with the task.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            for worker in workers { group.addTask { await worker.run() } }
            group.addTask { await deletion.queue.work() }
            if stores.storage.isShared {
                group.addTask { await watch.run() }
                if let hints { group.addTask { await hints.run() } }
            } else {
                group.addTask { await lookForLeftJobs() }
            }
            // The work ends first; the rest goes on until then.
            for _ in 0...workers.count { await group.next() }
            group.cancelAll()
        }
    }

    private var watch: ChangeWatch {
        ChangeWatch(
            database: stores.storage.recordings, hints: hintedDatabase, evaluations: evaluationChanges,
            objects: syncChanges, jobArrived: { [workers] in for worker in workers { worker.ring() } }, logger: logger)
    }

    /// Ends the streams of events; their clients come back to another instance.
    func endStreams() {
        evaluationChanges.close()
        syncChanges.close()
    }

    /// Finds the jobs that no upload announces: a command may let failed ones run again, in a process of its own, and
    /// an outcome that could not be stored leaves its job to the next worker.
    private func lookForLeftJobs() async {
        while (try? await Task.sleep(for: .seconds(5))) != nil {
            if (try? await stores.jobs.hasWaiting()) == true { for worker in workers { worker.ring() } }
        }
    }

    /// The time that maintenance compares ages with.
    func ageTime() async throws -> AuthTime { try await ages.now() }

    /// Finishes deletions that failed, and removes what has expired: recordings, abandoned uploads, and files
    /// without a row.
    func runMaintenance(at time: AuthTime) async throws {
        try await Chore.runAll([
            { try await deletion.queue.run { await resumeDeletions() } },
            { try await SharedCallRates.deleteExpired(stores.storage.recordings) },
            { try await uploads.deleteExpired(at: time) }, { try await removeOldRecordings(at: time) },
            { try await sweep(at: time) },
        ])
    }

    /// Carries out the deletions that an instance has begun and not finished.
    func resumeDeletions() async {
        await erasure.resume()
        await deletion.resume()
    }

    private func removeOldRecordings(at time: AuthTime) async throws {
        guard retentionDays > 0 else { return }
        let end = time + .seconds(-86_400 * Int64(retentionDays))
        var count = 0
        while true {
            let removed = try await stores.recordings.removeOldest(before: end)
            if removed.isEmpty { break }
            for (account, id) in removed {
                try await removal.remove(id, of: account)
                evaluationChanges.changed(id)
            }
            count += removed.count
        }
        if count > 0 {
            logger.notice(
                "removed \(count, privacy: .public) recordings older than \(retentionDays, privacy: .public) days")
        }
    }

    /// A bucket that does not answer keeps no server from starting.
    private func sweepAtStart() async {
        do { try await sweep(at: clock.now()) } catch {
            logger.error("sound without a row was not removed: \(String(describing: error), privacy: .public)")
        }
    }

    private func sweep(at time: AuthTime) async throws {
        let swept = try await removal.sweep(at: time)
        if swept > 0 { logger.notice("removed \(swept, privacy: .public) sounds without a row") }
    }

    /// True if the sound is in a bucket.
    var hasBucket: Bool { !stores.sounds.isLocal }

    /// Throws unless the bucket can be listed, read and written; the error names what is missing.
    func checkObjects() async throws { try await bucketCheck.run(stores.sounds.objects.check) }

    /// Takes no new work; ``run()`` returns when the present work is done.
    func finish() {
        deletion.queue.finish()
        for worker in workers { worker.finish() }
    }

    /// Ends the remaining work; an interrupted evaluation restarts with the next server.
    func close() async {
        do {
            try await stores.jobs.release()
        } catch {
            logger.error("an evaluation was not put back: \(String(describing: error), privacy: .public)")
        }
    }
}
