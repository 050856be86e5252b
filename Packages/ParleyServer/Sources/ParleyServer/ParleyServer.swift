// SPDX-License-Identifier: MIT

import AuthEndpoints
import AuthServer
public import Diagnostics
import FoundationEssentials
public import HTTPServer
import Networking
import Security

/// The reference server: sign-in and practice over HTTP, stored in SQLite and files. It runs in any process, also in a
/// test's.
public final class ParleyServer: Sendable {
    /// The address that it listens on, for example `http://127.0.0.1:9999`.
    public let address: String
    /// The address of the operator's endpoints, `/metrics` among them; nil without them.
    public let metricsAddress: String?
    private let http: HTTPServer
    private let storage: ServerStorage
    private let keys: ServerKeys
    private let signing: SigningKeyRing
    private let operatorHTTP: HTTPServer?
    private let mails: MailQueue
    private let hook: HTTPHook?
    private let audit: AuditLog
    private let practice: PracticeServices
    /// Every route, as method and pattern.
    let routes: [(method: HTTPMethod, pattern: String)]
    /// Every route of the operator's listener, as method and pattern.
    let operatorRoutes: [(method: HTTPMethod, pattern: String)]
    private let clock: AuthClock
    private let policy: AuthPolicy
    private let drainTime: Duration
    private let draining = Flag()
    private let work: Task<Void, Never>
    /// Runs maintenance once; for tests. A running server does it each hour.
    let maintain: @Sendable () async throws -> Void
    /// Runs maintenance if it is due; for tests. A running server does so again and again.
    let lookForMaintenance: @Sendable () async throws -> Void
    private let lock: HomeLock

    /// Starts a server; it listens when this returns.
    public static func start(_ options: ServerOptions, logger: Logger = .disabled) async throws -> ParleyServer {
        let home = options.home
        let templates = try options.mailTemplates.map { try MailTemplates(folder: $0) } ?? MailTemplates()
        guard options.administration != .operator || options.metrics != nil else {
            throw ServerSetupError.noOperatorListener
        }
        try FileManager.default.createDirectory(
            atPath: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // Before anything is read: only one process may recover, sweep and make keys.
        let lock = try HomeLock(home)
        try ServerRestore.checkFinished(home)
        let secrets = try await FileSecretStore.open(home + "/secrets", protection: .keyFile(home + "/secrets.key"))
        let storage = try await ServerStorage.open(options, logger: logger)
        do {
            let keys = try await ServerKeys(in: secrets, root: options.rootKey, database: storage.accounts)
            var options = options
            let databaseClock =
                storage.isShared
                ? try await DatabaseClock(storage.accounts, wall: options.clock, monotonic: options.monotonicClock)
                : nil
            if let databaseClock { options.clock = databaseClock.clock }
            let accounts = SQLAuthStore(database: storage.accounts)
            let practice = try await PracticeServices(
                options, storage, accounts: accounts, logger: logger.with(category: "practice"))
            do {
                return try await ParleyServer(
                    options, lock, storage, accounts, practice, keys, databaseClock, templates, logger)
            } catch {
                await practice.close()
                throw error
            }
        } catch {
            await storage.close()
            throw error
        }
    }

    private init(
        _ options: ServerOptions, _ lock: HomeLock, _ storage: ServerStorage, _ accounts: any AuthStore,
        _ practice: PracticeServices, _ keys: ServerKeys, _ databaseClock: DatabaseClock?, _ templates: MailTemplates,
        _ logger: Logger
    ) async throws {
        self.lock = lock
        let auditStore = AuditStore(
            database: storage.accounts, days: options.auditDays, maximumEvents: options.maximumAuditEvents)
        let audit = AuditLog(logger, store: auditStore, clock: options.clock)
        self.audit = audit
        self.storage = storage
        self.practice = practice
        self.keys = keys
        (clock, drainTime) = (options.clock, options.drainTime)
        policy = options.policy
        try await Self.announce(keys.announceRoot(at: options.clock.now()), audit)
        for key in try await RootKeyReport(keys, storage, policy, at: clock.now()).keys where key.state == .missing {
            logger.error("\(String(describing: key.loss), privacy: .public)")
        }
        let ring = SigningKeyRing(try await keys.signing(at: options.clock.now()), clock: options.clock)
        signing = ring
        let metrics = ServerMetrics()
        let late = LateHandler()
        http = HTTPServer(
            configuration: Self.configuration(options), logger: logger.with(category: "http"), metrics: metrics,
            handler: late.handler)
        let (transport, sender) = try Self.transport(options)
        let hook = try ServerAdministrationParts.hook(options, storage, keys, logger)
        self.hook = hook
        let operatorLate = LateHandler()
        let operatorHTTP = options.metrics.map { metrics in
            var configuration = HTTPServerConfiguration()
            (configuration.host, configuration.port) = (metrics.host, metrics.port)
            return HTTPServer(
                configuration: configuration, logger: logger.with(category: "operator"), handler: operatorLate.handler)
        }
        self.operatorHTTP = operatorHTTP
        let metricsBound = try await operatorHTTP?.start()
        metricsAddress = metricsBound.map { "http://\($0)" }
        let bound: SocketAddress
        do {
            bound = try await http.start()
        } catch {
            await operatorHTTP?.stop(grace: .zero)
            throw error
        }
        address = "\(options.tls == nil ? "http" : "https")://\(bound)"
        let publicAddress = options.publicAddress ?? address
        let languages = ServerLanguages(options.catalogues, logger: logger)
        mails = MailQueue(
            DeliveryStore(database: storage.mails, capacity: options.mailQueue, instance: storage.instance),
            seal: keys.mailSeal(options.clock), transport,
            composer: MailComposer(
                sender: sender, address: publicAddress, templates: templates, languages: languages),
            clock: options.clock, logger: logger.with(category: "mail"))
        let authKeys = { @Sendable [clock] in
            do { return try keys.auth(at: clock.now()) } catch { throw ServerProblem.rootKeyMissing }
        }
        let service = AuthService(
            store: accounts, mailer: mails, keys: authKeys,
            signing: { ring.keys }, issuer: publicAddress, policy: policy, clock: clock, hook: hook,
            confirmationFailed: { error in
                logger.warning("the use of a token is not noted: \(String(describing: error), privacy: .public)")
            })
        let settings = SettingStore(database: storage.recordings)
        do {
            try await MailIdentity(options, address: publicAddress, sender: sender).store(in: settings)
        } catch {
            logger.error("invitations by command have no sender: \(String(describing: error), privacy: .public)")
        }
        let state = ServerState(
            home: options.home, minimumFreeBytes: options.minimumFreeBytes, storage: storage, practice: practice,
            keys: keys, clock: options.clock, databaseClock: databaseClock, mails: mails, audit: audit,
            totals: OperatorTotals(clock: options.monotonicClock) { try await practice.figures() })
        let readiness = Readiness(
            checks: state.checks, isDraining: { [draining] in draining.isSet },
            logger: logger.with(category: "readiness"))
        let calls = CallLimits(
            perMinute: options.callsPerAccountAndMinute, clock: options.monotonicClock, database: storage.accounts,
            kind: "calls", logger: logger)
        var router = Self.router(service, ring, options, languages, calls, audit, logger.with(category: "http"))
        router.get("/readyz", handler: readiness.handler)
        let access = AuthenticationMiddleware(service, clock: options.clock, limits: calls, audit: audit)
        let syncAccess = AuthenticationMiddleware(
            service, clock: options.clock,
            limits: CallLimits(
                perMinute: options.sync.callsPerMinute, clock: options.monotonicClock, database: storage.accounts,
                kind: "sync", logger: logger), audit: audit)
        practice.add(to: &router, access, syncAccess: syncAccess, service, audit)
        var operatorRouter = Self.operatorRouter(
            OperatorMetrics(http: metrics, families: { try await state.families() }), readiness)
        let parts = ServerAdministrationParts(
            options: options, practice: practice, database: storage.accounts, logger: logger,
            tokens: ServiceTokens(settings: settings), audit: audit)
        switch options.administration {
        case .off: break
        case .operator:
            let clients = ClientAddress(proxyCount: 0)
            parts.add(
                to: &operatorRouter, service, keys: { try ring.keys.published }, clients: clients,
                address: metricsAddress ?? "")
            // GoTrue's clients sign a person out at the address of the administration, with the person's token.
            operatorRouter.add(
                GoTrueEndpoints(service: service, keys: { try ring.keys.published }), routes: [.signOut],
                clients: clients, clock: options.clock, grid: AnswerGrid(step: .zero), calls: calls, audit: audit)
        case .public:
            parts.add(
                to: &router, service, keys: { try ring.keys.published },
                clients: ClientAddress(proxyCount: options.proxyCount), address: publicAddress)
        }
        routes = router.patterns
        operatorRoutes = operatorRouter.patterns
        late.set(router.handler)
        operatorLate.set(operatorRouter.handler)
        let maintenance = Chore(
            name: "maintenance", period: .seconds(3_600), database: storage.accounts, instance: storage.instance)
        let resumption = Chore(
            name: "deletions", period: .seconds(60), database: storage.accounts, instance: storage.instance)
        maintain = {
            try await maintenance.run(isForced: true) {
                try await Self.runMaintenance(service, practice, auditStore, storage.mails)
            }
        }
        let look = { @Sendable in
            // The stored time stays younger than the tolerance of an ``AgeClock`` for the instance that works next.
            if storage.isShared { _ = try await practice.ageTime() }
            _ = try await maintenance.run {
                try await Self.runMaintenance(service, practice, auditStore, storage.mails)
            }
        }
        lookForMaintenance = look
        work = Task { [mails] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await mails.run() }
                group.addTask { await practice.run() }
                group.addTask { await hook?.run() }
                group.addTask { await audit.run() }
                group.addTask {
                    // Others look more often than they work, since the one that worked may have died meanwhile.
                    await Self.repeating(each: .seconds(storage.isShared ? 300 : 3_600), logger, look)
                }
                if let databaseClock {
                    group.addTask {
                        await Self.repeating(each: .seconds(30), logger) {
                            try await databaseClock.refresh()
                            ring.set(try await keys.signing(at: databaseClock.clock.now()))
                        }
                    }
                    group.addTask {
                        // Apart from the keys, which may not wait for a deletion of many sounds.
                        await Self.repeating(each: .seconds(30), logger) {
                            try await resumption.run { await practice.resumeDeletions() }
                        }
                    }
                }
                // Messages and requested work end first; maintenance runs until then.
                for _ in 0..<3 { await group.next() }
                group.cancelAll()
            }
        }
    }

    /// The number of clients that wait for evaluations; for tests.
    var evaluationWatchers: Int { practice.watchers }

    /// The number of recordings in each state of evaluation; for tests.
    func evaluationCounts() async throws -> [String: Int] { try await practice.evaluationCounts() }

    /// The number of open event streams of the relay; for tests.
    var syncStreams: Int { practice.syncStreams }

    /// Takes over the signing keys that `parley-server keys rotate` has stored.
    public func reloadKeys() async throws {
        signing.set(try await keys.signing(at: clock.now()))
        if let key = try signing.keys.published.first { audit.record(.keyRotated(key: key.kid)) }
    }

    /// Takes over the root keys that the file of `--key-file` has now.
    ///
    /// A new first key is accepted at once. On a shared database it is used after two minutes, by all instances that have it.
    ///
    /// - Parameter read: Reads the file.
    /// - Throws: The error of `read`, or ``ServerSetupError``; the earlier keys then stay in force, and `/readyz` says `stale`.
    public func reloadRootKeys(_ read: @Sendable () throws -> ServerRootKey) async throws {
        do {
            let (next, now) = (try read(), clock.now())
            let report = try await RootKeyReport(keys, storage, policy, at: now)
            let needed = report.keys.filter { $0.state == .needed }
            Self.announce(try await keys.replaceRoots(next, needed: needed, at: now), audit)
            keys.roots.problem = nil
        } catch {
            keys.roots.problem = "the root keys were not read again: \(String(describing: error))"
            throw error
        }
    }

    private static func announce(_ entry: RootKeyUse.Entry?, _ audit: AuditLog) {
        if let entry { audit.record(.rootKeyAnnounced(key: entry.key, from: entry.from.reportText)) }
    }

    /// Serves new connections with another certificate; open ones keep theirs.
    ///
    /// - Throws: `HTTPServerError`; the earlier certificate then stays in use.
    public func useCertificate(_ tls: HTTPServerConfiguration.TLS) async throws {
        try await http.useCertificate(tls)
    }

    /// Announces the end: `/readyz` answers 503 from now on, and the server serves on for the drain time, in which
    /// balancers notice.
    public func drain() async {
        draining.set()
        try? await Task.sleep(for: drainTime)
    }

    /// Stops: takes no new requests, ends streams of events, answers requests in flight, and sends waiting mails, all
    /// within the grace period.
    public func stop(grace: Duration = .seconds(10)) async {
        draining.set()
        practice.endStreams()
        let end = ContinuousClock.now + grace
        await http.stop(grace: grace)
        await operatorHTTP?.stop(grace: .zero)
        mails.finish()
        hook?.finish()
        practice.finish()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [work] in await work.value }
            group.addTask { try? await Task.sleep(until: end, clock: .continuous) }
            await group.next()
            group.cancelAll()
            work.cancel()
        }
        await practice.close()
        await audit.flush()
        await storage.close()
        lock.release()
    }

    /// The listener's limits.
    static func configuration(_ options: ServerOptions) -> HTTPServerConfiguration {
        var configuration = HTTPServerConfiguration()
        (configuration.host, configuration.port, configuration.tls) = (options.host, options.port, options.tls)
        configuration.tls?.strictTransportSecurity = .seconds(365 * 86_400)
        configuration.maximumConnections = options.connections.maximum
        configuration.maximumConnectionsPerAddress = options.connections.perAddress
        // All requests of a proxy have one address, and the proxy limits its clients' connections itself.
        if options.proxyCount > 0 { configuration.maximumConnectionsPerAddress = 0 }
        return configuration
    }

    private static func transport(_ options: ServerOptions) throws -> (any MailTransport, EmailAddress) {
        switch options.mail {
        case .folder(let path): (try Maildir(at: path, clock: options.clock), try EmailAddress("parley@localhost"))
        case .server(let configuration, let sender): (try SMTPTransport(configuration), sender)
        }
    }

    private static func router(
        _ service: AuthService, _ ring: SigningKeyRing, _ options: ServerOptions, _ languages: ServerLanguages,
        _ calls: CallLimits, _ audit: AuditLog, _ logger: Logger
    ) -> Router {
        let clients = ClientAddress(proxyCount: options.proxyCount)
        var router = Router()
        router.use(StandardRoutes.requestLog(logger))
        if let traces = options.traces {
            router.use(
                StandardRoutes.requestSpans { [version = options.version] trace, span in
                    // A span that cannot be kept costs no request.
                    try? traces.append(Trace(trace, service: "parley-server", version: version, spans: [span]))
                })
        }
        router.get("/healthz", handler: StandardRoutes.health())
        router.add(
            GoTrueEndpoints(
                service: service, keys: { try ring.keys.published },
                redirects: RedirectRule(allowed: options.redirects),
                version: options.version),
            clients: clients, clock: options.clock, grid: AnswerGrid(step: options.answerStep), calls: calls,
            audit: audit)
        SignInPages(service: service, clients: clients, languages: languages, audit: audit).add(to: &router)
        return router
    }

    private static func operatorRouter(_ metrics: OperatorMetrics, _ readiness: Readiness) -> Router {
        var router = Router()
        router.get("/healthz", handler: StandardRoutes.health())
        router.get("/readyz", handler: readiness.handler)
        router.get("/metrics", handler: metrics.handler)
        return router
    }

    private static func runMaintenance(
        _ service: AuthService, _ practice: PracticeServices, _ audit: AuditStore, _ mails: any ServerDatabase
    ) async throws {
        let time = try await practice.ageTime()
        try await Chore.runAll([
            { try await service.deleteExpired(at: time) }, { try await practice.runMaintenance(at: time) },
            { try await audit.deleteExpired(at: time) },
            { try await DeliveryStore.deleteExpiredNotifications(mails, at: time) },
        ])
    }

    private static func repeating(
        each period: Duration, _ logger: Logger, _ body: @Sendable () async throws -> Void
    ) async {
        while !Task.isCancelled {
            do {
                try await body()
            } catch is CancellationError {
                return
            } catch {
                logger.error("maintenance failed: \(String(describing: error), privacy: .public)")
            }
            try? await Task.sleep(for: period)
        }
    }
}
