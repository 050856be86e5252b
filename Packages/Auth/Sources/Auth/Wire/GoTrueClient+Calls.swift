// SPDX-License-Identifier: MIT

public import FoundationEssentials
import Networking
public import Security

/// The sessions that a sign-out ends.
public enum SignOutScope: String, Sendable, Hashable {
    /// The session of the request.
    case local
    /// All sessions of the account except that of the request.
    case others
    /// All sessions of the account.
    case global
}

extension GoTrueClient {
    /// Requests a mail with a link and a code (`POST /otp`).
    ///
    /// - Parameters:
    ///   - email: The address of the mailbox.
    ///   - challenge: The S256 challenge (RFC 7636 §4.2) of the program that will finish the sign-in.
    ///   - redirect: The address after the link was used; the server has a list of allowed ones.
    ///   - createsUser: True if an address without an account gets one.
    /// - Throws: ``AuthError``: `invalidAddress`, `tooManyMails`, `tooManyAttempts`, `unsupported`, `refused` and those
    ///   of every call: `noNetwork`, `notTrusted`, `server`.
    public func requestMail(
        to email: String, challenge: String?, redirect: URL? = nil, createsUser: Bool = true
    ) async throws {
        struct Body: Encodable {
            let email: String
            let createUser: Bool
            let codeChallenge: String?
            let codeChallengeMethod: String?
        }
        _ = try await answer(
            .post, "otp", query: redirect.map { [("redirect_to", $0.absoluteString)] } ?? [],
            body: Body(
                email: email, createUser: createsUser, codeChallenge: challenge,
                codeChallengeMethod: challenge == nil ? nil : "s256"),
            for: .mail)
    }

    /// Signs in by the code of a mail (`POST /verify`).
    ///
    /// - Throws: ``AuthError``: `wrongCode`, `expired`, `tooManyAttempts`.
    public func verify(code: String, of email: String) async throws -> TokenGrant {
        struct Body: Encodable {
            let type = "email"
            let email: String
            let token: String
        }
        return try await grant("verify", body: Body(email: email, token: code), for: .code)
    }

    /// Signs in by the token of a mail's link (`POST /verify`).
    ///
    /// - Parameters:
    ///   - type: The link's own `type`.
    ///   - verifier: The verifier for the challenge of the mail's request. Parley's server requires it; GoTrue ignores
    ///     it.
    /// - Throws: ``AuthError``: `expired`, `wrongDevice` (the link stays valid), `tooManyAttempts`.
    public func verify(
        tokenHash: Sensitive<String>, type: String = "email", verifier: Sensitive<String>?
    ) async throws -> TokenGrant {
        struct Body: Encodable {
            let type: String
            let tokenHash: String
            let codeVerifier: String?
        }
        let body = tokenHash.withExposed { token in
            Body(type: type, tokenHash: token, codeVerifier: verifier?.withExposed { $0 })
        }
        return try await grant("verify", body: body, for: .link)
    }

    /// Exchanges the code of a used link (`POST /token?grant_type=pkce`).
    ///
    /// - Throws: ``AuthError``: `alreadyUsed`, `expired`, `wrongDevice`, `tooManyAttempts`.
    public func exchange(authCode: Sensitive<String>, verifier: Sensitive<String>) async throws -> TokenGrant {
        struct Body: Encodable {
            let authCode: String
            let codeVerifier: String
        }
        let body = authCode.withExposed { code in Body(authCode: code, codeVerifier: verifier.withExposed { $0 }) }
        return try await grant("token", query: [("grant_type", "pkce")], body: body, for: .exchange)
    }

    /// Exchanges a refresh token for a new pair (`POST /token?grant_type=refresh_token`).
    ///
    /// - Throws: ``AuthError``: `signedOut` and `reused` if the session is over; any other error leaves it as it is.
    public func refresh(_ token: Sensitive<String>) async throws -> TokenGrant {
        struct Body: Encodable { let refreshToken: String }
        return try await grant(
            "token", query: [("grant_type", "refresh_token")],
            body: token.withExposed { Body(refreshToken: $0) }, for: .refresh)
    }

    /// Ends sessions (`POST /logout`).
    public func signOut(_ scope: SignOutScope, accessToken: Sensitive<String>) async throws {
        _ = try await answer(
            .post, "logout", query: [("scope", scope.rawValue)], bearer: accessToken.withExposed { $0 }, for: .account)
    }

    /// The signed-in user (`GET /user`).
    ///
    /// - Throws: ``AuthError``: `unauthorized` if a new access token may help, `signedOut`.
    public func user(accessToken: Sensitive<String>) async throws -> AuthUser {
        let (bytes, _) = try await answer(.get, "user", bearer: accessToken.withExposed { $0 }, for: .account)
        return try value(AuthUser.self, bytes)
    }

    /// The server's settings (`GET /settings`).
    public func settings() async throws -> AuthSettings {
        try value(AuthSettings.self, try await answer(.get, "settings", for: .information).bytes)
    }

    /// The public keys of access tokens (`GET /.well-known/jwks.json`, RFC 7517 §5).
    public func keys() async throws -> [AuthKey] {
        struct Body: Decodable { let keys: [AuthKey] }
        return try value(Body.self, try await answer(.get, ".well-known/jwks.json", for: .information).bytes).keys
    }

    /// The account's sessions, the newest first (`GET /sessions`, which Parley's server has).
    ///
    /// - Throws: ``AuthError`` with the code `unsupported` if the server is GoTrue.
    public func sessions(accessToken: Sensitive<String>) async throws -> [AuthSession] {
        let (bytes, _) = try await answer(.get, "sessions", bearer: accessToken.withExposed { $0 }, for: .sessions)
        return try value([AuthSession].self, bytes)
    }

    /// Ends one session of the account (`DELETE /sessions/{id}`, which Parley's server has).
    public func revoke(session id: String, accessToken: Sensitive<String>) async throws {
        _ = try await answer(
            .delete, "sessions/" + Self.encoded(id), bearer: accessToken.withExposed { $0 }, for: .sessions)
    }

    private func grant(
        _ path: String, query: [(String, String)] = [], body: any Encodable & Sendable, for operation: AuthOperation
    ) async throws -> TokenGrant {
        let (bytes, headers) = try await answer(.post, path, query: query, body: body, for: operation)
        let date = headers["Date"].flatMap { HTTPDate($0, now: clock.date()) }
        return try value(WireTokens.self, bytes).grant(serverTime: date.map { Double($0.secondsSince1970) })
    }
}
