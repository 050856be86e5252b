// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials
import HTTPServer
import Networking

/// Sign-in over HTTP, with GoTrue's addresses and bodies.
struct AuthEndpoints: Sendable {
    let service: AuthService
    let signing: @Sendable () -> SigningKeys
    let redirects: RedirectRule
    let clients: ClientAddress
    let clock: AuthClock

    func add(to router: inout Router) {
        router.post("/otp", bodyLimit: Self.bodyLimit, handler: answering(requestSignIn))
        router.post("/verify", bodyLimit: Self.bodyLimit, handler: answering(verify))
        router.post("/token", bodyLimit: Self.bodyLimit, handler: answering(token))
        router.post("/logout", bodyLimit: Self.bodyLimit, handler: answering(signOut))
        router.get("/user", handler: answering(user))
        router.get("/sessions", handler: answering(sessions))
        router.on(.delete, "/sessions/{id}", handler: answering(revoke))
        router.get("/settings", handler: answering(settings))
        router.get("/.well-known/jwks.json", handler: answering(keys))
    }

    private static let bodyLimit = 16 << 10

    /// Turns the rules' refusals into answers, and keeps every answer out of caches.
    func answering(_ handler: @escaping HTTPHandler) -> HTTPHandler {
        { [clock] request in
            do {
                var response = try await handler(request)
                if response.headers["Cache-Control"] == nil { response.headers["Cache-Control"] = "no-store" }
                return response
            } catch let error as AuthServerError {
                throw error.problem(at: clock.now())
            }
        }
    }

    private func requestSignIn(_ request: ServerRequest) async throws -> ServerResponse {
        let message = try await request.body.json(OneTimePasswordRequest.self)
        guard message.codeChallengeMethod.map({ $0.lowercased() == "s256" }) ?? (message.codeChallenge == nil) else {
            throw AuthServerError(.validationFailed, "The code challenge's method is not s256.")
        }
        try await service.requestSignIn(
            SignInRequest(
                address: EmailAddress(message.email), prefix: clients.prefix(of: request),
                challenge: message.codeChallenge, redirect: redirects.check(request.query["redirect_to"])))
        return try .json([String: String]())
    }

    private func verify(_ request: ServerRequest) async throws -> ServerResponse {
        let message = try await request.body.json(VerifyRequest.self)
        let (prefix, device) = (clients.prefix(of: request), clients.device(of: request))
        if let token = message.tokenHash {
            return try answer(
                await service.verify(link: token, verifier: message.codeVerifier, from: prefix, device: device))
        }
        guard let email = message.email, let code = message.token else {
            throw AuthServerError(.validationFailed, "Send email and token, or token_hash.")
        }
        return try answer(
            await service.verify(code: code, of: EmailAddress(email), from: prefix, device: device))
    }

    private func token(_ request: ServerRequest) async throws -> ServerResponse {
        switch request.query["grant_type"] {
        case "refresh_token":
            let message = try await request.body.json(RefreshRequest.self)
            return try answer(await service.refresh(message.refreshToken ?? "", from: clients.prefix(of: request)))
        case "pkce":
            let message = try await request.body.json(CodeExchangeRequest.self)
            return try answer(
                await service.exchange(
                    authorizationCode: message.authCode ?? "", verifier: message.codeVerifier ?? "",
                    from: clients.prefix(of: request), device: clients.device(of: request)))
        default:
            throw AuthServerError(.validationFailed, "grant_type is refresh_token or pkce.")
        }
    }

    private func signOut(_ request: ServerRequest) async throws -> ServerResponse {
        let scope = request.query["scope"].map { SignOutScope(rawValue: $0) } ?? .global
        guard let scope else { throw AuthServerError(.validationFailed, "scope is local, others or global.") }
        try await service.signOut(accessToken: bearer(request), scope)
        return .noContent
    }

    private func user(_ request: ServerRequest) async throws -> ServerResponse {
        try .json(UserMessage(await service.account(accessToken: bearer(request)).account))
    }

    private func sessions(_ request: ServerRequest) async throws -> ServerResponse {
        let token = try bearer(request)
        let own = try await service.account(accessToken: token).session.id
        return try .json(
            await service.sessions(accessToken: token).map { SessionMessage($0, isCurrent: $0.id == own) })
    }

    private func revoke(_ request: ServerRequest) async throws -> ServerResponse {
        try await service.revoke(session: request.parameter("id"), accessToken: bearer(request))
        return .noContent
    }

    private func settings(_ request: ServerRequest) async throws -> ServerResponse {
        try .json(SettingsMessage(disableSignup: !service.policy.allowsSignUp))
    }

    private func keys(_ request: ServerRequest) async throws -> ServerResponse {
        var response = try ServerResponse.json(["keys": signing().published])
        // Short, so that a verifier learns of a new key before the first token of it is old.
        response.headers["Cache-Control"] = "public, max-age=60"
        return response
    }

    private func answer(_ pair: TokenPair) throws -> ServerResponse {
        try .json(TokenMessage(pair, lifetime: service.policy.accessTokenLifetime))
    }

    /// RFC 6750 §2.1; the scheme's name in any case.
    private func bearer(_ request: ServerRequest) throws -> String {
        let parts = (request.headers["Authorization"] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw AuthServerError(.badAccessToken, "Send the access token as Authorization: Bearer.")
        }
        return String(parts[1])
    }
}
