// SPDX-License-Identifier: MIT

import AuthEndpoints
public import AuthServer
import Concurrency
import Diagnostics
public import FoundationEssentials
public import Networking
import Security

/// A transport that answers from `AuthServer`'s rules in this process: a whole server without a socket, with a clock
/// that the test moves.
public final class InProcessAuthServer: HTTPTransport {
    /// The rules.
    public let service: AuthService
    private let clock = VirtualAuthClock()
    private let mailer = CollectingMailer()
    private let endpoints: GoTrueEndpoints
    private let base: String

    /// A server without accounts.
    ///
    /// - Parameter base: The address that it answers for.
    public init(base: URL, policy: AuthPolicy = AuthPolicy()) throws {
        let (keys, signing) = (try AuthKeys(root: SymmetricKey()), SigningKeys(current: try SigningKey()))
        service = AuthService(
            store: InMemoryAuthStore(), mailer: mailer, keys: { keys }, signing: { signing },
            issuer: base.absoluteString, policy: policy, clock: clock.clock)
        endpoints = GoTrueEndpoints(service: service, keys: { try signing.published })
        self.base = base.path() == "/" ? "" : base.path()
    }

    /// Answers a request.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try request.validate()
        var body: [UInt8] = []
        if case .bytes(let bytes) = request.body { body = bytes }
        let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        let path = String(request.url.path(percentEncoded: false).dropFirst(base.count))
        guard let (route, id) = GoTrueEndpoints.Route.find(method: request.method.rawValue, path: path) else {
            return HTTPResponse(status: 404, headers: [:], url: request.url, body: HTTPResponseBody([]))
        }
        let message = EndpointRequest(
            query: items.map { ($0.name, $0.value ?? "") }, id: id, authorization: request.headers["Authorization"],
            body: body, prefix: NetworkPrefix(address: "192.0.2.7"), device: request.headers["User-Agent"] ?? "")
        do {
            let answer = try await endpoints.answer(route, to: message)
            return HTTPResponse(
                status: answer.status, headers: ["Content-Type": "application/json"], url: request.url,
                body: HTTPResponseBody(answer.body))
        } catch let error as AuthServerError {
            return try refusal(error, of: request)
        }
    }

    /// Problem details with GoTrue's members, as the reference server has them.
    private func refusal(_ error: AuthServerError, of request: HTTPRequest) throws -> HTTPResponse {
        struct Problem: Encodable {
            let code: Int
            let errorCode: String
            let msg: String
            let attemptsLeft: Int?
            let retryAfter: Int?
            let reason: String?
        }
        let wait = error.wait(at: clock.clock.now())
        let problem = Problem(
            code: error.status, errorCode: error.code.rawValue, msg: error.message,
            attemptsLeft: error.attemptsLeft, retryAfter: wait, reason: error.staleness?.rawValue)
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        var headers: HTTPHeaders = ["Content-Type": "application/problem+json"]
        if let wait { headers["Retry-After"] = String(wait) }
        if let challenge = error.challenge { headers["WWW-Authenticate"] = challenge }
        return HTTPResponse(
            status: error.status, headers: headers, url: request.url,
            body: HTTPResponseBody([UInt8](try encoder.encode(problem))))
    }

    /// Advances the server's time.
    public func advance(by duration: Duration) { clock.advance(by: duration) }

    /// The newest mail of an address: its code, if it has one, and its link's token.
    public func mail(of email: String) -> (code: String?, token: String)? {
        mailer.mails.last { $0.recipient?.value == email }.map { mail in
            (mail.code?.withExposed { $0 }, mail.token.withExposed { $0 })
        }
    }

    /// Presses the button behind the link of the newest mail, and returns the code that the browser receives.
    public func followLink(of email: String) async throws -> String? {
        guard let token = mail(of: email)?.token else { return nil }
        return try await service.confirm(link: token, from: NetworkPrefix(address: "198.51.100.1")).code
    }
}

/// Keys that a test exchanges while a service uses them.
public final class HeldKeys<Keys: Sendable>: Sendable {
    private let held: Guarded<Keys>

    /// Keys to begin with.
    public init(_ keys: Keys) {
        held = Guarded(keys)
    }

    /// The present keys.
    public var keys: Keys {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}

/// A clock that moves only by ``advance(by:)``.
public final class VirtualAuthClock: Sendable {
    private let time: Guarded<AuthTime>

    /// A clock at the beginning of 2026.
    public init(at time: AuthTime = AuthTime(milliseconds: 1_767_225_600_000)) {
        self.time = Guarded(time)
    }

    /// The time.
    public var now: AuthTime { time.withLock { $0 } }

    /// The clock in the form that a service takes.
    public var clock: AuthClock { AuthClock { self.now } }

    /// Moves the clock; a negative duration sets it back.
    public func advance(by duration: Duration) {
        time.withLock { $0 = $0 + duration }
    }
}
