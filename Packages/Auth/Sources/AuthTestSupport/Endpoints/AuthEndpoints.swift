// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials

/// GoTrue's interface over ``AuthServer``: JSON in, JSON out, without an HTTP server.
///
/// | call | does |
/// |---|---|
/// | `POST otp` | asks for a mail; an unknown place to come back to is dropped |
/// | `POST verify` | signs in by `email` and `token`, or by `token_hash` and (Parley's) `code_verifier` |
/// | `POST token?grant_type=refresh_token`, `pkce` | exchanges a token or a code |
/// | `POST logout?scope=local`, `others`, `global` | ends sessions |
/// | `GET user`, `settings`, `.well-known/jwks.json` | tells |
/// | `GET sessions`, `DELETE sessions/{id}` | lists and ends sessions; not GoTrue's |
///
/// Refusals are problem details (RFC 9457) that have GoTrue's `code`, `error_code` and `msg`, and `attempts_left` and
/// `retry_after` where they help. The pages behind a mail's link are not here: they are for browsers.
struct AuthEndpoints: Sendable {
    let service: AuthService
    let clock: AuthClock
    let keys: @Sendable () throws -> [PublishedKey]
    let allowsRedirect: @Sendable (String) -> Bool

    /// - Parameters:
    ///   - clock: The one that the service has.
    ///   - keys: The keys whose tokens are good.
    ///   - allowsRedirect: Whether a browser may be sent there after a link was used.
    init(
        service: AuthService, clock: AuthClock = .system, keys: @escaping @Sendable () throws -> [PublishedKey],
        allowsRedirect: @escaping @Sendable (String) -> Bool
    ) {
        (self.service, self.clock, self.keys, self.allowsRedirect) = (service, clock, keys, allowsRedirect)
    }

    /// Answers a request; whatever goes wrong is an answer, too.
    func answer(_ request: EndpointRequest) async -> EndpointAnswer {
        do {
            return try await respond(to: request)
        } catch let error as AuthServerError {
            return refusal(error)
        } catch {
            return Self.problem(500, "unexpected_failure", "The server has a fault. Try again in a minute.")
        }
    }

    private func respond(to request: EndpointRequest) async throws -> EndpointAnswer {
        switch (request.method, request.path) {
        case ("POST", "otp"): try await mail(request)
        case ("POST", "verify"): try await verify(request)
        case ("POST", "token"): try await token(request)
        case ("POST", "logout"): try await logout(request)
        case ("GET", "user"): try await user(request)
        case ("GET", "sessions"): try await sessions(request)
        case ("GET", "settings"):
            try Self.json(
                WireSettings(external: .init(email: true), disableSignup: !service.policy.allowsSignUp))
        case ("GET", ".well-known/jwks.json"): try Self.json(WireKeys(keys: try keys()))
        case ("DELETE", let path) where path.hasPrefix("sessions/"): try await revoke(request)
        case (_, "otp"), (_, "verify"), (_, "token"), (_, "logout"), (_, "user"), (_, "sessions"), (_, "settings"):
            Self.problem(405, "validation_failed", "This cannot be done with \(request.method.prefix(10)).")
        default: Self.problem(404, "not_found", "There is nothing here.")
        }
    }

    // MARK: Signing in

    private func mail(_ request: EndpointRequest) async throws -> EndpointAnswer {
        let body = try Self.body(request)
        let method = body.codeChallengeMethod?.lowercased()
        guard body.codeChallenge == nil || method == "s256" else {
            throw AuthServerError(.validationFailed, "A code challenge must have the method s256.")
        }
        let redirect = request.query.first { $0.name == "redirect_to" }?.value
        try await service.requestSignIn(
            SignInRequest(
                address: EmailAddress(body.email ?? ""), prefix: request.prefix, challenge: body.codeChallenge,
                redirect: redirect.flatMap { allowsRedirect($0) ? $0 : nil }))
        return EndpointAnswer(status: 200, headers: Self.jsonHeaders, body: Array("{}".utf8))
    }

    private func verify(_ request: EndpointRequest) async throws -> EndpointAnswer {
        let body = try Self.body(request)
        guard ["email", "magiclink", "signup"].contains(body.type) else {
            throw AuthServerError(.validationFailed, "The type must be email, magiclink or signup.")
        }
        if let token = body.tokenHash {
            return try tokens(
                await service.verify(
                    link: token, verifier: body.codeVerifier, from: request.prefix, device: request.device))
        }
        return try tokens(
            await service.verify(
                code: body.token ?? "", of: EmailAddress(body.email ?? ""), from: request.prefix, device: request.device
            ))
    }

    private func token(_ request: EndpointRequest) async throws -> EndpointAnswer {
        let body = try Self.body(request)
        switch request.query.first(where: { $0.name == "grant_type" })?.value {
        case "refresh_token":
            return try tokens(await service.refresh(body.refreshToken ?? "", from: request.prefix))
        case "pkce":
            return try tokens(
                await service.exchange(
                    authorizationCode: body.authCode ?? "", verifier: body.codeVerifier ?? "", from: request.prefix,
                    device: request.device))
        default:
            throw AuthServerError(.validationFailed, "The grant_type must be refresh_token or pkce.")
        }
    }

    private func tokens(_ pair: TokenPair) throws -> EndpointAnswer {
        try Self.json(
            WirePair(
                accessToken: pair.accessToken, tokenType: "bearer",
                expiresIn: max(0, pair.expiresAt.seconds - clock.now().seconds), expiresAt: pair.expiresAt.seconds,
                refreshToken: pair.refreshToken, user: WireUser(pair.account)))
    }

    // MARK: Signed in

    private func logout(_ request: EndpointRequest) async throws -> EndpointAnswer {
        let name = request.query.first { $0.name == "scope" }?.value ?? "global"
        guard let scope = SignOutScope(rawValue: name) else {
            throw AuthServerError(.validationFailed, "The scope must be local, others or global.")
        }
        try await service.signOut(accessToken: Self.bearer(request), scope)
        return EndpointAnswer(status: 204, headers: [], body: [])
    }

    private func user(_ request: EndpointRequest) async throws -> EndpointAnswer {
        try Self.json(WireUser(await service.account(accessToken: Self.bearer(request)).account))
    }

    private func sessions(_ request: EndpointRequest) async throws -> EndpointAnswer {
        let bearer = try Self.bearer(request)
        let own = try await service.account(accessToken: bearer).session.id
        let sessions = try await service.sessions(accessToken: bearer)
        return try Self.json(sessions.map { WireSession($0, isCurrent: $0.id == own) })
    }

    private func revoke(_ request: EndpointRequest) async throws -> EndpointAnswer {
        try await service.revoke(
            session: String(request.path.dropFirst("sessions/".count)), accessToken: Self.bearer(request))
        return EndpointAnswer(status: 204, headers: [], body: [])
    }
}
