// SPDX-License-Identifier: MIT

import AuthEndpoints
public import AuthServer
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
    private let store: SQLiteAuthStore
    private let secrets: any SecretStore
    private let signing: SigningKeyRing
    private let operatorHTTP: HTTPServer?
    private let mails: MailQueue
    private let mailFile: MailFile
    private let audit: AuditLog
    private let practice: PracticeServices
    /// Every route, as method and pattern.
    let routes: [(method: HTTPMethod, pattern: String)]
    private let clock: AuthClock
    private let work: Task<Void, Never>
    /// Runs maintenance once; for tests. A running server does it each hour.
    let maintain: @Sendable () async throws -> Void
    private let lock: HomeLock

    /// Starts a server; it listens when this returns.
    public static func start(_ options: ServerOptions, logger: Logger = .disabled) async throws -> ParleyServer {
        let home = options.home
        try FileManager.default.createDirectory(
            atPath: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // Before anything is read: only one process may recover, sweep and make keys.
        let lock = try HomeLock(home)
        try ServerRestore.checkFinished(home)
        let secrets = try await FileSecretStore.open(home + "/secrets", protection: .keyFile(home + "/secrets.key"))
        let keys = try await ServerKeys.open(in: secrets, at: options.clock.now())
        let store = try await SQLiteAuthStore(at: home + "/server.sqlite")
        do {
            let mailFile = try await MailFile(
                at: home + "/mails.sqlite", capacity: options.mailQueue, logger: logger.with(category: "mail"))
            do {
                let practice = try await PracticeServices(
                    options, accounts: store, logger: logger.with(category: "practice"))
                do {
                    return try await ParleyServer(options, lock, store, mailFile, practice, secrets, keys, logger)
                } catch {
                    await practice.close()
                    throw error
                }
            } catch {
                await mailFile.close()
                throw error
            }
        } catch {
            await store.close()
            throw error
        }
    }

    private init(
        _ options: ServerOptions, _ lock: HomeLock, _ store: SQLiteAuthStore, _ mailFile: MailFile,
        _ practice: PracticeServices, _ secrets: any SecretStore, _ keys: ServerKeys, _ logger: Logger
    ) async throws {
        self.lock = lock
        self.mailFile = mailFile
        let audit = AuditLog(logger)
        self.audit = audit
        self.store = store
        self.practice = practice
        self.secrets = secrets
        clock = options.clock
        let ring = SigningKeyRing(keys.signing)
        signing = ring
        let metrics = ServerMetrics()
        let late = LateHandler()
        http = HTTPServer(
            configuration: Self.configuration(options), logger: logger.with(category: "http"), metrics: metrics,
            handler: late.handler)
        let (transport, sender) = try Self.transport(options)
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
        mails = try MailQueue(
            mailFile, key: keys.mail, transport, composer: MailComposer(sender: sender, address: publicAddress),
            clock: options.clock, logger: logger.with(category: "mail"))
        let service = AuthService(
            store: store, mailer: mails, keys: keys.auth, signing: { ring.keys }, issuer: publicAddress,
            policy: options.policy, clock: options.clock)
        let state = ServerState(
            home: options.home, minimumFreeBytes: options.minimumFreeBytes, store: store, practice: practice,
            secrets: secrets, mails: mails, audit: audit)
        let readiness = Readiness(checks: state.checks, logger: logger.with(category: "readiness"))
        var router = Self.router(service, ring, options, audit, logger.with(category: "http"))
        router.get("/readyz", handler: readiness.handler)
        let access = AuthenticationMiddleware(
            service, clock: options.clock,
            limits: CallLimits(perMinute: options.callsPerAccountAndMinute, clock: options.monotonicClock),
            audit: audit)
        let syncAccess = AuthenticationMiddleware(
            service, clock: options.clock,
            limits: CallLimits(perMinute: options.sync.callsPerMinute, clock: options.monotonicClock), audit: audit)
        practice.add(to: &router, access, syncAccess: syncAccess, service, audit)
        routes = router.patterns
        late.set(router.handler)
        operatorLate.set(
            Self.operatorRouter(OperatorMetrics(http: metrics, families: { try await state.families() }), readiness)
                .handler)
        maintain = { try await Self.runMaintenance(service, practice) }
        work = Task { [mails] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await mails.run() }
                group.addTask { await practice.run() }
                group.addTask { await Self.runMaintenance(service, practice, logger) }
                // Mails and requested work end first; maintenance runs until then.
                for _ in 0..<2 { await group.next() }
                group.cancelAll()
            }
        }
    }

    /// The number of clients that wait for evaluations; for tests.
    var evaluationWatchers: Int { practice.watchers }

    /// The number of open event streams of the relay; for tests.
    var syncStreams: Int { practice.syncStreams }

    /// Takes over the signing keys that `parley-server keys rotate` has stored.
    public func reloadKeys() async throws {
        let keys = try await ServerKeys.signing(in: secrets, at: clock.now())
        signing.keys = keys
        if let key = try keys.published.first { audit.record(.keyRotated(key: key.kid)) }
    }

    /// Serves new connections with another certificate; open ones keep theirs.
    ///
    /// - Throws: `HTTPServerError`; the earlier certificate then stays in use.
    public func useCertificate(_ tls: HTTPServerConfiguration.TLS) async throws {
        try await http.useCertificate(tls)
    }

    /// Stops: takes no new requests, answers those in flight, and sends waiting mails, all within the grace period.
    public func stop(grace: Duration = .seconds(10)) async {
        await http.stop(grace: grace)
        await operatorHTTP?.stop(grace: .zero)
        mails.finish()
        practice.finish()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [work] in await work.value }
            group.addTask { try? await Task.sleep(for: grace) }
            await group.next()
            group.cancelAll()
            work.cancel()
        }
        await practice.close()
        await mailFile.close()
        await store.close()
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
        _ service: AuthService, _ ring: SigningKeyRing, _ options: ServerOptions, _ audit: AuditLog, _ logger: Logger
    ) -> Router {
        let clients = ClientAddress(proxyCount: options.proxyCount)
        var router = Router()
        router.use(StandardRoutes.requestLog(logger))
        router.get("/healthz", handler: StandardRoutes.health())
        router.add(
            GoTrueEndpoints(
                service: service, keys: { try ring.keys.published }, redirects: RedirectRule(allowed: options.redirects)
            ),
            clients: clients, clock: options.clock, grid: AnswerGrid(step: options.answerStep), audit: audit)
        SignInPages(service: service, clients: clients, audit: audit).add(to: &router)
        return router
    }

    private static func operatorRouter(_ metrics: OperatorMetrics, _ readiness: Readiness) -> Router {
        var router = Router()
        router.get("/healthz", handler: StandardRoutes.health())
        router.get("/readyz", handler: readiness.handler)
        router.get("/metrics", handler: metrics.handler)
        return router
    }

    private static func runMaintenance(_ service: AuthService, _ practice: PracticeServices) async throws {
        let time = try await practice.ageTime()
        try await service.deleteExpired(at: time)
        try await practice.runMaintenance(at: time)
    }

    private static func runMaintenance(_ service: AuthService, _ practice: PracticeServices, _ logger: Logger) async {
        while !Task.isCancelled {
            do {
                try await runMaintenance(service, practice)
            } catch {
                logger.error("expired rows were not deleted: \(String(describing: error), privacy: .public)")
            }
            try? await Task.sleep(for: .seconds(3_600))
        }
    }
}

extension ParleyServer {
    /// Makes a new signing key the current one in a server's folder. A running server loads it by ``reloadKeys()``.
    public static func rotateKeys(
        home: String, clock: AuthClock = .system, logger: Logger = .disabled
    ) async throws {
        let secrets = try await FileSecretStore.open(home + "/secrets", protection: .keyFile(home + "/secrets.key"))
        try await ServerKeys.rotate(
            in: secrets, at: clock.now(), tokenLifetime: AuthPolicy().accessTokenLifetime)
        let keys = try await ServerKeys.signing(in: secrets, at: clock.now())
        if let key = try keys.published.first { AuditLog(logger).record(.keyRotated(key: key.kid)) }
    }
}
