// SPDX-License-Identifier: MIT

import AuthEndpoints
import AuthServer
import Diagnostics
import HTTPServer
import Networking

/// The parts of a server that belong to its operator: the administration over HTTP, and the hook.
struct ServerAdministrationParts: Sendable {
    let options: ServerOptions
    let practice: PracticeServices
    /// The database in which instances count the calls together.
    let database: any ServerDatabase
    let logger: Logger
    let tokens: ServiceTokens
    let audit: AuditLog

    /// Adds the administration to the router of the listener that the options name.
    ///
    /// - Parameter address: The listener's address.
    func add(
        to router: inout Router, _ service: AuthService, keys: @escaping @Sendable () throws -> [PublishedKey],
        clients: ClientAddress, address: String
    ) {
        let endpoints = AdminEndpoints(
            service: service, redirects: RedirectRule(allowed: options.redirects), address: address,
            erase: { [practice] in try await practice.erase($0, service) })
        let access = AdministrationAccess(
            tokens: tokens, keys: keys,
            limits: CallLimits(
                perMinute: options.administrationCallsPerMinute, clock: options.monotonicClock, database: database,
                kind: "administration", logger: logger),
            clients: clients, clock: options.clock)
        router.add(endpoints, access, audit: audit)
    }

    /// The operator's hook; nil without one.
    static func hook(
        _ options: ServerOptions, _ storage: ServerStorage, _ keys: ServerKeys, _ logger: Logger
    ) throws -> HTTPHook? {
        guard let hook = options.hook else { return nil }
        var configuration = CurlTransport.Configuration()
        configuration.userAgent = "parley-server"
        let client = HookClient(
            url: hook.url, secret: hook.secret, timeLimit: options.hookTimeLimit,
            transport: try CurlTransport(configuration: configuration), clock: options.clock)
        return HTTPHook(
            client, whenAway: hook.whenAway,
            DeliveryStore(
                database: storage.mails, table: .notifications, backoff: HTTPHook.backoff,
                capacity: HTTPHook.capacity, instance: storage.instance),
            seal: keys.hookSeal(options.clock), clock: options.clock, logger: logger.with(category: "hook"))
    }
}
