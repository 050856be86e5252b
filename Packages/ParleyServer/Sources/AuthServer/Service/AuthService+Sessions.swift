// SPDX-License-Identifier: MIT

import Security

/// The sessions that a sign-out ends.
public enum SignOutScope: String, Sendable, Hashable {
    /// The session of the request.
    case local
    /// All sessions of the account except that of the request.
    case others
    /// All sessions of the account.
    case global
}

extension AuthService {
    /// Exchanges a refresh token for a new pair. The token before the newest gets the newest once more until the answer is known
    /// to have arrived, and for some seconds in any case; after that, it ends its session, as an older one does.
    ///
    /// - Throws: ``AuthServerError``: `refreshTokenUnknown`, `refreshTokenReused`, `sessionEnded`, `userBanned`,
    ///   `tooManyRequests`.
    public func refresh(_ token: String, from prefix: NetworkPrefix) async throws -> TokenPair {
        let (now, keys) = (clock.now(), try keys())
        let shown = RefreshToken(token)
        let result: Result<(Account, Session), AuthServerError> = try await store.transaction { store in
            guard let shown, var session = try await store.session(id: shown.session),
                try shown.belongs(to: session, keys: keys.refresh),
                let account = try await store.account(id: session.account)
            else {
                // Only guesses are counted, so that a busy office is not locked out of its sessions.
                let limited = try await Self.countAttempt(in: store, prefix, at: now, policy)
                return .failure(limited ?? AuthServerError(.refreshTokenUnknown, "Sign in again."))
            }
            guard !account.isBanned(at: now) else { return .failure(.userBanned) }
            switch session.exchange(shown.generation, at: now, policy) {
            case .exchanged:
                try await store.put(session)
                return .success((account, session))
            case .repeated:
                return .success((account, session))
            case .reused:
                try await store.put(session)
                var error = AuthServerError(
                    .refreshTokenReused,
                    "This session's token was used twice, so the session was ended. Sign in again.")
                error.session = session.id
                return .failure(error)
            case .ended:
                return .failure(.sessionEnded)
            }
        }
        let (account, session) = try result.get()
        return try tokens(for: session, of: account, at: now)
    }

    /// The account that an access token names. The session is not looked up.
    ///
    /// - Throws: ``AuthServerError`` with the code `badAccessToken`.
    public func subject(accessToken: String) throws -> String {
        try claims(of: accessToken, at: clock.now()).subject
    }

    /// The account of an access token. The session is looked up, so that a token ends with its session. The first use is noted:
    /// the answer with this token has arrived.
    ///
    /// - Throws: ``AuthServerError``: `badAccessToken`, `sessionEnded`.
    public func account(accessToken: String) async throws -> (account: Account, session: Session) {
        let now = clock.now()
        let claims = try claims(of: accessToken, at: now)
        let owner = try await store.read { store in try await Self.owner(claims, at: now, policy, in: store) }
        var session = owner.session
        guard session.confirm(claims.generation) else { return owner }
        do {
            // The session may have been exchanged meanwhile.
            try await store.transaction { store in
                guard let found = try await store.session(id: claims.session) else { return }
                try await Self.confirm(claims, of: found, in: store)
            }
        } catch {
            if !Task.isCancelled { confirmationFailed(error) }
        }
        return owner
    }

    /// Changes the metadata of the token's account: members replace those with the same name, and `null` removes one.
    ///
    /// - Throws: ``AuthServerError``: `validationFailed` over ``AccountMetadata/byteLimit``, `badAccessToken`,
    ///   `sessionEnded`.
    public func changeMetadata(_ changes: AccountMetadata, accessToken: String) async throws -> Account {
        let now = clock.now()
        let claims = try claims(of: accessToken, at: now)
        return try await store.transaction { store in
            var account = try await Self.confirmedOwner(claims, at: now, policy, in: store).account
            account.metadata = try account.metadata.merging(changes)
            try await store.put(account)
            return account
        }
    }

    /// Ends sessions of the token's account.
    public func signOut(accessToken: String, _ scope: SignOutScope) async throws {
        let now = clock.now()
        let claims = try claims(of: accessToken, at: now)
        try await store.transaction { store in
            let (account, own) = try await Self.confirmedOwner(claims, at: now, policy, in: store)
            for var session in try await store.sessions(of: account.id) where session.end == nil {
                let isOwn = session.id == own.id
                guard scope == .global || isOwn == (scope == .local) else { continue }
                session.end = isOwn ? .signedOut : .revoked
                try await store.put(session)
            }
        }
    }

    /// The sessions of the account that can still be used, the newest first.
    public func sessions(accessToken: String) async throws -> [Session] {
        try await sessions(of: account(accessToken: accessToken).account.id)
    }

    /// Ends one session of the account.
    ///
    /// - Throws: ``AuthServerError`` with the code `sessionEnded` if the account has no such session, even if another
    ///   one has.
    public func revoke(session id: String, accessToken: String) async throws {
        let now = clock.now()
        let claims = try claims(of: accessToken, at: now)
        try await store.transaction { store in
            let (account, own) = try await Self.confirmedOwner(claims, at: now, policy, in: store)
            guard var session = try await store.session(id: id), session.account == account.id else {
                throw AuthServerError.sessionEnded
            }
            guard session.end == nil else { return }
            session.end = session.id == own.id ? .signedOut : .revoked
            try await store.put(session)
        }
    }

    /// Deletes the sessions, links and codes that no rule reads any more. Call it about once an hour.
    ///
    /// - Parameter time: The time to compare with; the service's clock if nil.
    public func deleteExpired(at time: AuthTime? = nil) async throws {
        let now = time ?? clock.now()
        let before = now + (.zero - policy.sessionLifetime)
        try await store.transaction { store in
            try await store.forget(sessionsBefore: before, restBefore: now + .seconds(-86_400))
        }
    }

    func claims(of token: String, at now: AuthTime) throws -> AccessClaims {
        try AccessTokenFormat.verify(
            token, keys: try signing().published, issuer: issuer, audience: audience, at: now)
    }

    nonisolated(nonsending) static func owner(
        _ claims: AccessClaims, at now: AuthTime, _ policy: AuthPolicy, in store: any AuthReading
    ) async throws -> (account: Account, session: Session) {
        guard let session = try await store.session(id: claims.session), session.account == claims.subject,
            let account = try await store.account(id: session.account)
        else { throw AuthServerError.sessionEnded }
        guard !account.isBanned(at: now) else { throw AuthServerError.userBanned }
        guard session.isAlive(at: now, policy) else { throw AuthServerError.sessionEnded }
        return (account, session)
    }

    /// The same, and notes the use of the token.
    nonisolated(nonsending) private static func confirmedOwner(
        _ claims: AccessClaims, at now: AuthTime, _ policy: AuthPolicy, in store: any AuthTransaction
    ) async throws -> (account: Account, session: Session) {
        let owner = try await owner(claims, at: now, policy, in: store)
        try await confirm(claims, of: owner.session, in: store)
        return owner
    }

    nonisolated(nonsending) private static func confirm(
        _ claims: AccessClaims, of session: Session, in store: any AuthTransaction
    ) async throws {
        var session = session
        if session.confirm(claims.generation) { try await store.put(session) }
    }

    func tokens(for session: Session, of account: Account, at now: AuthTime) throws -> TokenPair {
        let expiry = AuthTime(seconds: (now + policy.accessTokenLifetime).seconds) ?? now
        let claims = AccessClaims(
            issuer: issuer, subject: account.id, audience: audience, issuedAt: now.seconds,
            expiresAt: expiry.seconds, session: session.id, email: account.address.value, role: "authenticated",
            generation: session.generation)
        return TokenPair(
            accessToken: try AccessTokenFormat.sign(claims, with: signing()),
            refreshToken: try RefreshToken(session, generation: session.generation, keys: keys()).text,
            expiresAt: expiry, account: account, session: session.id)
    }
}

extension AuthServerError {
    static let sessionEnded = AuthServerError(.sessionEnded, "This session has ended. Sign in again.")
}
