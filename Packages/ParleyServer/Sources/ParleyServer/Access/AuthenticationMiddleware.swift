// SPDX-License-Identifier: MIT

import AuthEndpoints
import AuthServer
import DataLayer
import Domain
import HTTPServer
import Networking
import Persistence

/// Answers a request of a signed-in account.
typealias MemberHandler = @Sendable (Member, ServerRequest) async throws -> ServerResponse

/// A signed-in account. Stores are reached only through it, so that no request reads data by an id of another account.
struct Member: Sendable, Hashable {
    /// The account's id, a UUID in lower case that the server made.
    let account: String
    let email: String
    let createdAt: AuthTime
    /// The token of the request; only for calls of ``AuthService``.
    let accessToken: String
}

/// Requires an access token of a live session, and translates the handlers' errors into problem details.
struct AuthenticationMiddleware: Sendable {
    private let find: @Sendable (String) async throws -> Member
    private let clock: AuthClock
    /// Counts the calls of each account.
    let limits: CallLimits
    private let audit: AuditLog

    /// - Parameters:
    ///   - audit: Records refusals.
    ///   - find: Returns the account of an access token; throws `AuthServerError`.
    init(
        clock: AuthClock, limits: CallLimits, audit: AuditLog,
        find: @escaping @Sendable (String) async throws -> Member
    ) {
        (self.clock, self.limits, self.audit) = (clock, limits, audit)
        self.find = find
    }

    init(_ service: AuthService, clock: AuthClock, limits: CallLimits, audit: AuditLog) {
        self.init(clock: clock, limits: limits, audit: audit) { token in
            let account = try await service.account(accessToken: token).account
            return Member(
                account: account.id, email: account.address.value, createdAt: account.createdAt,
                accessToken: token)
        }
    }

    /// A handler for signed-in accounts. Its responses are not cached unless they set Cache-Control.
    func handler(_ next: @escaping MemberHandler) -> HTTPHandler {
        tokenHandler { token, request in
            let member = try await find(token)
            try await limits.count(member.account)
            return try await next(member, request)
        }
    }

    /// A handler that gets the access token, checks it itself and counts the call.
    func tokenHandler(
        _ next: @escaping @Sendable (_ token: String, ServerRequest) async throws -> ServerResponse
    ) -> HTTPHandler {
        { request in
            do {
                var response = try await next(Self.bearer(of: request), request)
                if response.headers["Cache-Control"] == nil { response.headers["Cache-Control"] = "no-store" }
                return response
            } catch let error as AuthServerError {
                audit.refused(error, by: "access")
                throw error.problem(at: clock.now())
            } catch let error as DomainError {
                throw Self.problem(error) ?? error
            } catch let error as DatabaseError {
                throw ServerProblem.of(error) ?? error
            }
        }
    }

    /// The access token (RFC 6750 §2.1; the scheme's name in any case).
    private static func bearer(of request: ServerRequest) throws(AuthServerError) -> String {
        let parts = (request.headers["Authorization"] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw AuthServerError(.noAuthorization, "Send the access token as Authorization: Bearer.")
        }
        return String(parts[1])
    }

    /// The problem that the client can repair; nil for a fault of the server.
    private static func problem(_ error: DomainError) -> (any Error)? {
        switch error {
        case .invalidInput(let reason): ServerProblem.unprocessable(reason.english)
        case .notFound: ServerProblem.notFound
        case .overLimit(let reason): ServerProblem.limitReached(reason.english)
        default: nil
        }
    }
}

extension Router {
    /// Adds a route for signed-in accounts.
    mutating func member(
        _ method: HTTPMethod, _ pattern: String, _ access: AuthenticationMiddleware, bodyLimit: Int? = nil,
        handler: @escaping MemberHandler
    ) {
        on(method, pattern, bodyLimit: bodyLimit, handler: access.handler(handler))
    }
}

extension ServerProblem {
    /// 422: well formed, but invalid.
    static func unprocessable(_ detail: String) -> ServerProblem { ServerProblem(status: 422, detail: detail) }

    /// 413: a limit of the account is reached. Its `error_code` distinguishes it from a body that is too long.
    static func limitReached(_ detail: String) -> ServerProblem {
        ServerProblem(status: 413, detail: detail, members: ["error_code": .string("limit_reached")])
    }

    /// 507 or 503 for a disk that is full or a database that does not answer now; nil for other errors.
    static func of(_ error: DatabaseError) -> ServerProblem? {
        if error.code == .diskFull { return diskIsFull }
        return error.isPassing ? databaseUnavailable : nil
    }

    /// 503: the database does not answer now.
    private static let databaseUnavailable = ServerProblem(
        status: 503, detail: "The server's database does not answer. Try again in a moment.",
        headers: ["Retry-After": "5"])

    /// 503: this instance has not got the root key in use; a refusal would sign people out.
    static let rootKeyMissing = ServerProblem(
        status: 503, detail: "This server waits for a key. Try again in a moment.", headers: ["Retry-After": "5"])

    /// 507 (RFC 4918 §11.5).
    static let diskIsFull = ServerProblem(
        status: 507, detail: "The server's disk is full. Try again later.", headers: ["Retry-After": "300"])
}
