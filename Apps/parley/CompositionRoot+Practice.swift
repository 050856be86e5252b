// SPDX-License-Identifier: MIT

import AudioKitLinux
import Auth
import CommandLineArguments
import Concurrency
import DataLayer
import DataVoice
import Diagnostics
import Domain
import FoundationEssentials
import Networking
import Persistence
import ProductVersion
import SealedRecordings
import Security
import TerminalKit

extension CompositionRoot {
    /// Opens the practice data, calls `body` and closes the data. Nothing is written before `body` writes.
    ///
    /// - Parameters:
    ///   - isOffline: True to leave the server alone, also while somebody is signed in.
    ///   - isLocal: True to keep results on this device only, also with a consent for uploads.
    ///   - writes: True if results or decisions have to be stored, also without a practice file. Otherwise a missing
    ///     file counts as empty, unless the server is asked.
    func withPractice<Value: Sendable>(
        _ options: AccountOptions, isOffline: Bool = false, isLocal: Bool = false,
        writes: Bool = false, _ body: (Practice) async throws -> Value
    ) async throws -> Value {
        guard let settings = try options.knownSettings(in: self) else {
            return try await withDatabase(nil, isKept: writes) { try await body($0) }
        }
        return try await withAccount(options) { account in
            guard let user = try await account.controller.storedUser() else {
                return try await withDatabase(nil, isKept: writes) { try await body($0) }
            }
            if !isOffline { try await account.controller.start() }
            let (controller, session) = (account.controller, try await account.controller.storedSession())
            let member = Member(id: user.id, server: account.server, settings: settings) {
                do {
                    guard try options.knownSettings(in: self) == settings else { return false }
                    return try await controller.storedSession() == session
                } catch { return true }
            }
            return try await withDatabase(
                (member, isOffline || isLocal ? nil : account), isLocal: isLocal, isKept: writes || !isOffline
            ) { try await body($0) }
        }
    }

    /// Opens what practice needs for a command that shows cues, which can do with those that came with the program: where what is
    /// stored cannot be opened, that is a warning, and where nothing is stored, nothing is made.
    func withCues<Value: Sendable>(
        _ options: AccountOptions, isOffline: Bool = false,
        _ body: (Practice) async throws -> Value
    ) async throws -> Value {
        var hasBegun = false
        do {
            return try await withPractice(options, isOffline: isOffline) { practice in
                try await practice.storage.installStarterCues()
                hasBegun = true
                return try await body(practice)
            }
        } catch let error where !hasBegun && !(error is CancellationError) && !(error is UsageError) {
            console.warn("Only the cues that came with the program are here. \(ErrorReport.warning(error))")
            let database = try await PracticeDatabase(logger: logger.with(category: "storage"))
            let practice = try await practice(in: database, nil, isLocal: false)
            try await practice.storage.installStarterCues()
            return try await body(practice)
        }
    }

    /// Sets a damaged practice file aside and saves the readable part; nil if the file is sound or missing.
    func repairPractice() async throws -> SalvagedFile? {
        guard FileManager.default.fileExists(atPath: paths.practice) else { return nil }
        return try await PracticeDatabase.repair(path: paths.practice, seal: try await dataSeal())
    }

    /// Reads the whole practice file and returns the damage found; empty if the file is sound.
    func practiceDamage() async throws -> [String] {
        let database = try await PracticeDatabase(
            path: paths.practice, seal: try await dataSeal(), logger: logger.with(category: "storage"))
        return try await withCleanup {
            try await database.findDamage()
        } cleanup: {
            await database.close()
        }
    }

    /// The account that is signed in.
    private struct Member: Sendable {
        let id: String
        let server: URL
        let settings: AccountSettings
        /// True if the same session is still stored.
        let isCurrent: @Sendable () async -> Bool
    }

    private func withDatabase<Value: Sendable>(
        _ who: (member: Member, account: Account?)?, isLocal: Bool = false, isKept: Bool,
        _ body: (Practice) async throws -> Value
    ) async throws -> Value {
        let logger = logger.with(category: "storage")
        let database =
            isKept || !AppPaths.isMissing(paths.practice)
            ? try await PracticeDatabase(
                path: paths.practice, damage: .salvage { console.progress($0.sentence) }, seal: try await dataSeal(),
                logger: logger)
            : try await PracticeDatabase(logger: logger)
        return try await withCleanup {
            try await body(try await practice(in: database, who, isLocal: isLocal))
        } cleanup: {
            await database.close()
        }
    }

    private func practice(
        in database: PracticeDatabase, _ who: (member: Member, account: Account?)?, isLocal: Bool
    ) async throws -> Practice {
        let owner = who?.member.id
        let waiting = owner.map { OutboxSyncQueue(database, account: $0, logger: logger.with(category: "sync")) }
        let queue = isLocal ? nil : waiting
        let index = SQLiteRecordingIndex(database, owner: owner, queue: queue)
        let folder = LazyFolder {
            try await recordingKey(who?.member.settings.store ?? .auto).open()
        }
        let storage = PracticeStorage(
            database: database, cues: SQLiteCueStore(database),
            results: SQLitePracticeRepository(database, owner: owner, queue: queue),
            evaluations: SQLiteEvaluationStore(database, owner: owner), index: index,
            recordings: SealedRecordingRepository(index, path: paths.recordings, folder: { try await folder.value() }),
            folder: { try await folder.value() })
        var server: PracticeServer?
        if let account = who?.account {
            server = PracticeServer(address: account.server, client: try await client(for: account))
        }
        let manager = SessionManager(
            account: owner, service: server.map { RemoteSessionService($0) }, store: SQLiteRuntimeConfigStore(database),
            overrides: try await flagOverrides())
        let consents = SQLiteUploadConsentStore(database)
        guard let member = who?.member, let waiting else {
            let session = PracticeSession(account: nil, manager: manager, consents: consents)
            return Practice(storage: storage, session: session, sync: nil)
        }
        let gate = UploadGate(account: member.id, store: consents) {
            try await manager.recent(within: PracticeSession.flagAge, now: Date())
                .flags.value(Flags.remoteEvaluation, at: Date())
        }
        let account = PracticeAccount(
            id: member.id, server: member.server, queue: waiting, gate: gate, isCurrent: member.isCurrent)
        var sync: PracticeSync?
        if let server, let controller = who?.account?.controller {
            sync = self.sync(with: server, account, storage, events: { await controller.events() })
        }
        return Practice(
            storage: storage, session: PracticeSession(account: account, manager: manager, consents: consents),
            sync: sync)
    }

    /// The custody of the recordings' key, which is created in the preferred kind of store.
    private func recordingKey(_ preferred: SecretStoreChoice.Kind) async throws
        -> RecordingKeyCustody
    {
        let automatic = try await automaticStore()
        let first = preferred == .auto ? automatic : preferred
        let hasFile = FileManager.default.fileExists(atPath: paths.secrets)
        let there = [SecretStoreChoice.Kind.keyring, .file].filter { $0 == .keyring ? automatic == .keyring : hasFile }
        let kinds = [first] + there.filter { $0 != first }
        return RecordingKeyCustody(
            folder: paths.recordings, lock: paths.data + "/recordings.lock",
            stores: kinds.map { kind in { try await SecretStoreChoice(kind).open(in: self) } })
    }

    private func sync(
        with server: PracticeServer, _ account: PracticeAccount, _ storage: PracticeStorage,
        events: @escaping @Sendable () async -> AsyncStream<AuthEvent>
    ) -> PracticeSync {
        // The queue tries again by itself, and reports each attempt.
        var tries = TusClient.Configuration()
        tries.maximumFailures = 2
        let remote = RemoteRecordingRepository(
            server, uploads: UploadFolder(path: "\(paths.uploads)/\(account.id)"), configuration: tries)
        let receiver = RemoteSyncReceiver(results: RemotePracticeRepository(server), recordings: remote)
        let wakeup = SyncWakeup()
        var configuration = RemoteEvaluator.Configuration()
        // PractiseCues waits no longer than the flag says.
        configuration.timeLimit = .seconds(86_400)
        return PracticeSync(
            cues: RemoteCueRepository(server),
            worker: OutboxSyncWorker(
                queue: account.queue,
                routes: [.recordings(storage.recordings, to: receiver), .results(storage.results, to: receiver)],
                gate: account.gate, wakeup: wakeup, wording: \.message),
            puller: ChangePuller(
                storage.database, account: account.id, server: server, program: ProductVersion.current),
            wakeup: wakeup,
            evaluator: GatedEvaluator(
                RemoteEvaluator(server, recordings: remote, local: storage.recordings, configuration: configuration),
                behind: account.gate),
            rights: RemoteDataRights(server), sessionEvents: events)
    }

    /// A client with the account's tokens, and a cache whose validators it sends to the server.
    func client(for account: Account) async throws -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.tokens = account.controller
        configuration.log = networkLog { _ in }
        // Without the cache, or while the app lock is closed, whole answers are fetched: no reason to fail.
        let data = sealedData
        configuration.cache = try? await StoredHTTPCache(CacheStore(at: paths.httpCache, seal: data.key()?.pages))
        return HTTPClient(transport: try transport(to: account.server), configuration: configuration)
    }

    /// The ports that record, play and evaluate while somebody practises.
    ///
    /// - Parameters:
    ///   - replacement: Finds the microphone to go on with when one has gone.
    ///   - nextCue: Chooses what comes next.
    func practicePorts(
        _ practice: Practice, route: AudioRoute, format: Recording.Format, rate: Int,
        replacement: @escaping SoundRecorder.Replacement,
        nextCue: @escaping @Sendable (_ seen: Set<Identifier<Cue>>) async throws -> Cue
    ) async throws -> PractiseCues.Ports {
        let devices = try await devices(for: route, format: AudioFormat(sampleRate: rate))
        let storage = practice.storage
        let folder = try await storage.folder()
        return PractiseCues.Ports(
            recorder: SealedPracticeRecorder(
                device: devices.capture, folder: folder, format: format, sampleRate: rate,
                keep: { _ = try await storage.index.insert($0) }, replacement: replacement),
            player: SealedRecordingPlayer(device: devices.playback, folder: folder),
            device: ReadingRecordingEvaluator(folder: folder, logger: logger.with(category: "evaluation")),
            server: practice.sync?.evaluator, maySend: { await practice.session.maySend },
            results: storage.results, evaluations: storage.evaluations, nextCue: nextCue, now: { Date() },
            today: { CalendarDate.today() }, serverTimeLimit: { try await practice.session.evaluationTimeLimit })
    }

    /// A player of recordings on a route.
    func recordingPlayer(_ storage: PracticeStorage, route: AudioRoute) async throws -> SealedRecordingPlayer {
        SealedRecordingPlayer(device: try await devices(for: route).playback, folder: try await storage.folder())
    }

    /// Writes a recording into a plain file.
    func export(
        _ recording: Identifier<Recording>, from storage: PracticeStorage, to file: String, replacing: Bool
    ) async throws {
        let reader = try await storage.folder().open(recording)
        do {
            try await reader.export(to: file, replacing: replacing)
        } catch let error as RecordingError { throw DomainError(translating: error) }
    }

    /// The flags' values from the developer's page, else from a local file; in development builds only.
    private func flagOverrides() async throws -> [String: FlagValue] {
        #if DEBUG
            var values: [String: FlagValue] = [:]
            if let path = environment["PARLEY_FLAGS"], !path.isEmpty { values = try FlagOverrideFile.read(path) }
            return values.merging(await developer.switches()?.flagValues ?? [:]) { $1 }
        #else
            return [:]
        #endif
    }

    /// The names of the flags that the developer's page overrides.
    var flagsOfPage: Set<String> {
        get async {
            #if DEBUG
                Set((await developer.switches()?.flagValues ?? [:]).keys)
            #else
                []
            #endif
        }
    }
}

/// Opens the folder at its first use, so that nobody is asked for an unused key.
private actor LazyFolder {
    private let open: @Sendable () async throws -> SealedRecordingFolder
    private var opening: Task<SealedRecordingFolder, any Error>?

    init(_ open: @escaping @Sendable () async throws -> SealedRecordingFolder) { self.open = open }

    func value() async throws -> SealedRecordingFolder {
        let opening = opening ?? Task { try await open() }
        self.opening = opening
        do {
            return try await opening.value
        } catch {
            // A keyring that is locked now may be open at the next call.
            if self.opening == opening { self.opening = nil }
            throw error
        }
    }
}

/// The records of an account's uploads that are under way, in a folder that the first one makes.
private struct UploadFolder: TusUploadStore {
    private let path: String
    private let store: FileTusUploadStore

    init(path: String) { (self.path, store) = (path, FileTusUploadStore(folder: path)) }

    func record(for key: String) async throws -> TusUploadRecord? { try await store.record(for: key) }

    func save(_ record: TusUploadRecord) async throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw DomainError.file(
                "The folder \(path.printable) cannot be created. Check the permissions of the folder above it.")
        }
        try await store.save(record)
    }

    func remove(_ key: String) async throws { try await store.remove(key) }
}
