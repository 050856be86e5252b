// SPDX-License-Identifier: MIT

import AudioKitLinux
import Auth
import CommandLineArguments
import DataLayer
import DataVoice
import Diagnostics
import Domain
import FoundationEssentials
import Networking
import Persistence
import SealedRecordings
import Security

extension CompositionRoot {
    /// Opens what practice needs, does something with it, and closes it.
    ///
    /// - Parameters:
    ///   - isOffline: Whether the server is not to be asked, also where somebody is signed in.
    ///   - isLocal: Keeps what is practised on this device for good, whatever the person's answer about uploads is.
    func withPractice<Value: Sendable>(
        _ options: AccountOptions, console: Console, isOffline: Bool = false, isLocal: Bool = false,
        _ body: (PracticeServices) async throws -> Value
    ) async throws -> Value {
        guard let settings = try options.knownSettings(in: self) else {
            return try await withDatabase(nil, console) { try await body($0) }
        }
        return try await withAccount(options, console: console) { account in
            guard let user = try await account.controller.storedUser() else {
                return try await withDatabase(nil, console) { try await body($0) }
            }
            if !isOffline { try await account.controller.start() }
            let (controller, session) = (account.controller, try await account.controller.storedSession())
            let member = Member(id: user.id, server: account.server, settings: settings) {
                do {
                    guard try options.knownSettings(in: self) == settings else { return false }
                    return try await controller.storedSession() == session
                } catch { return true }
            }
            return try await withDatabase((member, isOffline || isLocal ? nil : account), console, isLocal: isLocal) {
                try await body($0)
            }
        }
    }

    /// Opens what practice needs for a command that can do with the cues that came with the program: where what is stored
    /// cannot be opened, that is a warning.
    func withCues<Value: Sendable>(
        _ options: AccountOptions, console: Console, isOffline: Bool = false,
        _ body: (PracticeServices) async throws -> Value
    ) async throws -> Value {
        var hasBegun = false
        do {
            return try await withPractice(options, console: console, isOffline: isOffline) { practice in
                hasBegun = true
                return try await body(practice)
            }
        } catch let error where !hasBegun && !(error is CancellationError) && !(error is UsageError) {
            let reason = ErrorReport(error)?.message ?? ""
            let advice = reason.contains("Run: parley") ? "" : " Run: parley doctor (it says what to do)."
            console.warn("Only the cues that came with the program are here. \(reason)\(advice)")
            let database = try await PracticeDatabase(logger: logger.with(category: "storage"))
            return try await body(try await services(database, nil, console, isLocal: false))
        }
    }

    /// The server's flags are asked for again after so many seconds.
    private static let flagAge: TimeInterval = 300

    /// Sets a damaged practice file aside and saves what can be read; nil when it is sound, or there is none.
    func repairPractice() async throws -> String? {
        guard FileManager.default.fileExists(atPath: paths.practice) else { return nil }
        return try await PracticeDatabase.repair(path: paths.practice, seal: try await dataSeal(console))
    }

    /// Reads the whole practice file, and says what is wrong with it; empty when nothing is.
    func practiceDamage() async throws -> [String] {
        let database = try await PracticeDatabase(
            path: paths.practice, damageAdvice: Self.practiceDamage, seal: try await dataSeal(console),
            logger: logger.with(category: "storage"))
        let result: Result<[String], any Error>
        do { result = .success(try await database.findDamage()) } catch { result = .failure(error) }
        await database.close()
        return try result.get()
    }

    private static let practiceDamage =
        "Your practice file is damaged. Run: parley practice repair (it keeps the old file)."

    /// Somebody who is signed in.
    private struct Member: Sendable {
        let id: String
        let server: URL
        let settings: AccountSettings
        /// Whether the same session is still stored.
        let isCurrent: @Sendable () async -> Bool
    }

    private func withDatabase<Value: Sendable>(
        _ who: (member: Member, account: Account?)?, _ console: Console, isLocal: Bool = false,
        _ body: (PracticeServices) async throws -> Value
    ) async throws -> Value {
        let database = try await PracticeDatabase(
            path: paths.practice, damage: .salvage { console.progress($0) }, damageAdvice: Self.practiceDamage,
            seal: try await dataSeal(console), logger: logger.with(category: "storage"))
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(try await services(database, who, console, isLocal: isLocal)))
        } catch { result = .failure(error) }
        await database.close()
        return try result.get()
    }

    private func services(
        _ database: PracticeDatabase, _ who: (member: Member, account: Account?)?, _ console: Console, isLocal: Bool
    ) async throws -> PracticeServices {
        let owner = who?.member.id
        let waiting = owner.map { OutboxSyncQueue(database, account: $0, logger: logger.with(category: "sync")) }
        let queue = isLocal ? nil : waiting
        let cues = SQLiteCueStore(database)
        try await StarterCues.install(in: cues)
        let index = SQLiteRecordingIndex(database, owner: owner, queue: queue)
        let folder = LazyFolder { try await recordingFolder(who?.member.settings.store ?? .auto, console) }
        let recordings = SealedRecordingRepository(
            index, path: paths.recordings, folder: { try await folder.value() })
        let results = SQLitePracticeRepository(database, owner: owner, queue: queue)
        let configs = SQLiteRuntimeConfigStore(database)
        let bell = SyncBell()
        var isCurrent: @Sendable () async -> Bool = { true }
        if let who { isCurrent = who.member.isCurrent }
        var sessionEvents: (@Sendable () async -> AsyncStream<AuthEvent>)?
        if let controller = who?.account?.controller { sessionEvents = { await controller.events() } }
        var server: PracticeServer?
        if let who, let account = who.account {
            server = PracticeServer(address: who.member.server, client: try await client(for: account))
        }
        let uploads = FileTusUploadStore(folder: try server == nil ? "" : uploadsFolder(owner ?? ""))
        let session = SessionManager(
            account: owner, service: server.map { RemoteSessionService($0) }, store: configs,
            overrides: try flagOverrides())
        let consents = SQLiteUploadConsentStore(database)
        let gate = owner.map { owner in
            UploadGate(account: owner, store: consents) {
                try await session.recent(within: Self.flagAge, now: Date()).flags.value(
                    Flags.remoteEvaluation, at: Date())
            }
        }
        // The queue tries again by itself, and tells in between.
        var tries = TusClient.Configuration()
        tries.maximumFailures = 2
        let remote = server.map { [tries] in RemoteRecordingRepository($0, uploads: uploads, configuration: tries) }
        return PracticeServices(
            account: owner, isCurrent: isCurrent, sessionEvents: sessionEvents, bell: bell,
            server: who?.member.server, cues: cues, serverCues: server.map { RemoteCueRepository($0) },
            results: results, evaluations: SQLiteEvaluationStore(database, owner: owner), index: index,
            recordings: recordings, queue: waiting, consents: consents, gate: gate,
            worker: worker(server, queue, results, recordings, remote, gate, bell),
            puller: server.flatMap { server in
                owner.map { ChangePuller(database, account: $0, server: server, program: Program.version) }
            },
            evaluator: remoteEvaluator(server, remote, recordings, gate), session: session,
            folder: { try await folder.value() }, database: database, rights: server.map { RemoteDataRights($0) })
    }

    private func remoteEvaluator(
        _ server: PracticeServer?, _ remote: RemoteRecordingRepository?, _ local: any RecordingRepository,
        _ gate: UploadGate?
    ) -> (@Sendable (Duration) -> any RecordingEvaluator)? {
        guard let server, let remote, let gate else { return nil }
        return { timeLimit in
            var configuration = RemoteEvaluator.Configuration()
            configuration.timeLimit = timeLimit
            return GatedEvaluator(
                RemoteEvaluator(server, recordings: remote, local: local, configuration: configuration), behind: gate)
        }
    }

    /// The folder of an account's uploads that are under way; made if it is not there.
    private func uploadsFolder(_ owner: String) throws -> String {
        let folder = "\(paths.uploads)/\(owner)"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw DomainError.file("The folder \(folder.printable) cannot be made. Look at the one above it.")
        }
        return folder
    }

    private func worker(
        _ server: PracticeServer?, _ queue: OutboxSyncQueue?, _ results: any PracticeRepository,
        _ recordings: any RecordingRepository, _ remote: RemoteRecordingRepository?, _ gate: UploadGate?,
        _ bell: SyncBell
    ) -> (any SyncWorker)? {
        guard let server, let queue, let remote, let gate else { return nil }
        let receiver = RemoteSyncReceiver(results: RemotePracticeRepository(server), recordings: remote)
        return OutboxSyncWorker(
            queue: queue, results: results, recordings: recordings, receiver: receiver, gate: gate, bell: bell)
    }

    /// A client with the account's tokens, and a cache that says to the server which answers are known.
    private func client(for account: Account) async throws -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.tokens = account.controller
        configuration.log = networkLog { _ in }
        // Without the cache, and while the app lock is closed, everything is asked for whole, which is no reason to fail.
        let data = sealedData(console)
        configuration.cache = try? await StoredHTTPCache(CacheStore(at: paths.httpCache, seal: data.key()?.pages))
        return HTTPClient(transport: try transport(to: account.server), configuration: configuration)
    }

    /// What records, plays and evaluates while somebody practises.
    ///
    /// - Parameter replacement: Finds the microphone to go on with when one has gone.
    func practicePorts(
        _ practice: PracticeServices, route: AudioRoute, format: Recording.Format, rate: Int, flags: FlagResolver,
        replacement: @escaping SoundRecorder.Replacement
    ) async throws -> PractiseCues.Ports {
        let devices = try devices(for: route, format: AudioFormat(sampleRate: rate))
        let (folder, index) = (try await practice.folder(), practice.index)
        let timeLimit = Duration.seconds(max(1, flags.value(Flags.evaluationTimeLimit, at: Date())))
        return PractiseCues.Ports(
            recorder: SealedPracticeRecorder(
                device: devices.capture, folder: folder, format: format, sampleRate: rate,
                keep: { _ = try await index.insert($0) }, replacement: replacement),
            player: SealedRecordingPlayer(device: devices.playback, folder: folder),
            device: ReadingRecordingEvaluator(folder: folder, logger: logger.with(category: "evaluation")),
            server: practice.evaluator?(timeLimit), maySend: { await practice.maySend }, results: practice.results,
            evaluations: practice.evaluations, nextCue: { _ in nil }, now: { Date() }, today: { CalendarDate.today() },
            serverTimeLimit: timeLimit)
    }

    /// What plays recordings on a route.
    func recordingPlayer(_ practice: PracticeServices, route: AudioRoute) async throws -> SealedRecordingPlayer {
        SealedRecordingPlayer(device: try devices(for: route).playback, folder: try await practice.folder())
    }

    /// Writes a recording into a plain file.
    func export(
        _ recording: Identifier<Recording>, from practice: PracticeServices, to file: String, replacing: Bool
    ) async throws {
        let reader = try await practice.folder().open(recording)
        do {
            try await reader.export(to: file, replacing: replacing)
        } catch let error as RecordingError { throw DomainError(translating: error) }
    }

    /// Values for flags from a local file: in debug builds only.
    private func flagOverrides() throws -> [String: FlagValue] {
        #if DEBUG
            guard let path = environment["PARLEY_FLAGS"], !path.isEmpty else { return [:] }
            return try FlagOverrideFile.read(path)
        #else
            return [:]
        #endif
    }
}

/// Opened when it is needed first, so that nobody is asked for a key for nothing.
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
            // A keyring that is locked now may be open when somebody asks again.
            if self.opening == opening { self.opening = nil }
            throw error
        }
    }
}
