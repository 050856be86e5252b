// SPDX-License-Identifier: MIT

import AuthEndpoints
import AuthServer
import HTTPServer
import Networking
import Persistence

/// Lets in calls with a service token.
struct AdministrationAccess: Sendable {
    let tokens: ServiceTokens
    let keys: @Sendable () throws -> [PublishedKey]
    /// Counts by network, before the token is checked, so that guesses count as well.
    let limits: CallLimits
    let clients: ClientAddress
    let clock: AuthClock

    func claims(of request: ServerRequest) async throws -> ServiceClaims {
        do {
            try await limits.count(clients.prefix(of: request).value)
        } catch {
            var problem = error
            problem.detail = "This network has called too often. Wait, then try again."
            throw problem
        }
        let parts = (request.headers["Authorization"] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw AuthServerError(.noAuthorization, "Send a service token as Authorization: Bearer.")
        }
        return try await tokens.claims(of: String(parts[1]), keys: keys(), at: clock.now())
    }
}

extension Router {
    /// Adds the administration. Every act and every refusal is in the audit log.
    mutating func add(_ endpoints: AdminEndpoints, _ access: AdministrationAccess, audit: AuditLog) {
        for route in AdminEndpoints.Route.allCases {
            let method = HTTPMethod(rawValue: route.method)
            on(method, route.path, bodyLimit: GoTrueEndpoints.bodyLimit) { request in
                do {
                    let claims = try await access.claims(of: request)
                    var message = EndpointRequest(
                        query: request.query.items.map { ($0.name, $0.value) },
                        prefix: access.clients.prefix(of: request), device: access.clients.device(of: request))
                    if route.path.contains("{id}") { message.id = try request.parameter("id") }
                    if method != .get { message.body = try await request.body.collect(upTo: GoTrueEndpoints.bodyLimit) }
                    let act = try await endpoints.answer(route, to: message)
                    audit.record(
                        .administered(
                            action: route.auditName, account: act.account, receipt: act.receipt, token: claims.id))
                    var headers: HTTPHeaders = ["Cache-Control": act.answer.cacheControl]
                    for (name, value) in act.answer.headers { headers[name] = value }
                    if !act.answer.body.isEmpty { headers["Content-Type"] = "application/json" }
                    return ServerResponse(status: act.answer.status, headers: headers, body: .bytes(act.answer.body))
                } catch let error as AuthServerError {
                    audit.refused(error, by: "admin")
                    throw error.problem(at: access.clock.now())
                } catch let error as DatabaseError {
                    throw ServerProblem.of(error) ?? error
                }
            }
        }
    }
}

extension AdminEndpoints.Route {
    /// The act's name in the audit log, the same as that of the command.
    fileprivate var auditName: String {
        switch self {
        case .list: "list"
        case .create: "create"
        case .show: "show"
        case .change: "change"
        case .remove: "delete"
        case .invite: "invite"
        case .endSessions: "sign-out"
        }
    }
}
