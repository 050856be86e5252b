// SPDX-License-Identifier: MIT

import AuthEndpoints
import AuthServer
import HTTPServer
import Networking
import Persistence

extension Router {
    /// Adds sign-in with GoTrue's addresses. The rules' refusals become problem details, and caches may keep only the
    /// answer with the keys.
    ///
    /// - Parameter routes: The routes to add.
    /// - Parameter grid: The times of answers to requests for mail and wrong codes, so that the time reveals nothing of
    ///   the address.
    /// - Parameter calls: Counts the calls of signed-in accounts.
    /// - Parameter audit: Gets each sign-in and refusal.
    mutating func add(
        _ endpoints: GoTrueEndpoints, routes: [GoTrueEndpoints.Route] = GoTrueEndpoints.Route.allCases,
        clients: ClientAddress, clock: AuthClock, grid: AnswerGrid, calls: CallLimits, audit: AuditLog
    ) {
        for route in routes {
            let method = HTTPMethod(rawValue: route.method)
            on(method, route.path, bodyLimit: GoTrueEndpoints.bodyLimit) { request in
                var message = EndpointRequest(
                    query: request.query.items.map { ($0.name, $0.value) },
                    authorization: request.headers["Authorization"], prefix: clients.prefix(of: request),
                    device: clients.device(of: request), acceptLanguage: request.headers["Accept-Language"])
                if route == .revoke { message.id = try request.parameter("id") }
                if method == .post || method == .put {
                    message.body = try await request.body.collect(upTo: GoTrueEndpoints.bodyLimit)
                }
                do {
                    if let account = try endpoints.callingAccount(route, of: message) { try await calls.count(account) }
                    let answer =
                        route == .requestSignIn || route == .verify
                        ? try await grid.run(onlyErrors: route == .verify) { [message] in
                            try await endpoints.answer(route, to: message)
                        }
                        : try await endpoints.answer(route, to: message)
                    audit.answered(
                        route, query: request.query["grant_type"], id: message.id, body: answer.body)
                    var headers: HTTPHeaders = ["Cache-Control": answer.cacheControl]
                    if !answer.body.isEmpty { headers["Content-Type"] = "application/json" }
                    return ServerResponse(status: answer.status, headers: headers, body: .bytes(answer.body))
                } catch let error as AuthServerError {
                    audit.refused(error, by: route.auditName)
                    throw error.problem(at: clock.now())
                } catch let error as DatabaseError {
                    throw ServerProblem.of(error) ?? error
                }
            }
        }
    }
}

extension GoTrueEndpoints.Route {
    /// The way of signing in, for the audit log.
    var auditName: String {
        switch self {
        case .requestSignIn: "otp"
        case .verify: "verify"
        case .token: "token"
        default: "access"
        }
    }
}

extension AuthServerError {
    /// The answer: problem details (RFC 9457) that also have GoTrue's members.
    func problem(at now: AuthTime) -> ServerProblem {
        var problem = ServerProblem(
            status: status, detail: message,
            members: ["code": .integer(status), "error_code": .string(code.rawValue), "msg": .string(message)])
        if let attemptsLeft { problem.members["attempts_left"] = .integer(attemptsLeft) }
        if let staleness { problem.members["reason"] = .string(staleness.rawValue) }
        if let wait = wait(at: now) {
            problem.members["retry_after"] = .integer(wait)
            problem.headers["Retry-After"] = String(wait)
        }
        if let challenge { problem.headers["WWW-Authenticate"] = challenge }
        return problem
    }
}
