// SPDX-License-Identifier: MIT

import FoundationEssentials
public import Networking
import Security

extension SessionController {
    /// The session's access token, or nil when signed out. Waits for a new one if the old one has expired, for example
    /// while the machine slept. If none can be fetched, it returns a token that no server accepts: the request then
    /// fails with the cause that ``refresh(_:)`` throws, not as if no account were signed in.
    public func token() async -> AccessToken? {
        switch machine.tokenNeeded(now: clock.now()) {
        case .none: return nil
        case .use(let token): return token
        case .useAndRefresh(let token):
            beginRefresh()
            return token
        case .refresh:
            guard let session = machine.session else { return nil }
            if let token = try? await refreshed() { return token }
            return machine.session == session ? Self.unavailable(session) : nil
        case .wait: return machine.session.map(Self.unavailable)
        }
    }

    private static func unavailable(_ session: String) -> AccessToken {
        AccessToken(value: "expired", session: session)
    }

    /// Fetches a new token, or returns the one that was fetched already.
    ///
    /// - Throws: `NetworkError`: `unauthorized` if no account is signed in any more, otherwise the network's error.
    public func refresh(_ expired: AccessToken) async throws -> AccessToken {
        do {
            switch machine.tokenRefused(expired, now: clock.now()) {
            case .use(let token), .useAndRefresh(let token): return token
            case .refresh: return try await refreshed()
            case .wait: throw lastFailure ?? AuthError(.server, "The server has just failed. Try again in a moment.")
            case .none: throw Self.nobody
            }
        } catch let error as AuthError {
            throw error.asNetworkError
        }
    }

    /// Returns true if the fresh token's session is still the signed-in one. The token itself was put into the store
    /// and the state in one step when it arrived.
    public func replace(_ expired: AccessToken, with fresh: AccessToken) -> Bool {
        machine.session == fresh.session && fresh.session == expired.session
    }

    static let nobody = AuthError(.signedOut, "Nobody is signed in. Sign in first.")

    /// The result of the running refresh, or of a new one.
    func refreshed() async throws -> AccessToken {
        if refreshing == nil, machine.tokenNeeded(now: clock.now()) == .wait, let lastFailure { throw lastFailure }
        beginRefresh()
        guard let refreshing else { throw Self.nobody }
        return try await refreshing.task.value
    }

    /// Carries out a refresh that has begun.
    func refresh(_ attempt: Int, _ session: String) async throws -> AccessToken {
        defer { if refreshing?.attempt == attempt { refreshing = nil } }
        do {
            return try await exchange(attempt, session)
        } catch let error as AuthError {
            if error.endsSession {
                send(machine.refreshEnded(attempt, error.reason))
            } else {
                if machine.isCurrent(attempt) { lastFailure = error }
                send(machine.refreshFailed(attempt, error.code, retryAfter: error.retryAfter, now: clock.now()))
            }
            throw error
        } catch {
            // A sign-out has cancelled the refresh; the waiting callers have not been cancelled.
            if machine.session != session { throw Self.tooLate }
            send(machine.refreshFailed(attempt, .server, retryAfter: nil, now: clock.now()))
            throw error
        }
    }

    private func exchange(_ attempt: Int, _ session: String) async throws -> AccessToken {
        let held = try await lock.acquire()
        defer { held.release() }
        guard var record = try await records.session(), record.id == session else {
            throw AuthError(
                .signedOut, "Another program has signed out. Sign in again.", underlying: SignedOutElsewhere())
        }
        if let unsaved, unsaved.record.id == session, unsaved.replaces == record.refreshToken {
            record = unsaved.record
        }
        guard machine.isCurrent(attempt) else { throw Self.tooLate }
        let askedAt = clock.now()
        let grant: TokenGrant
        do {
            grant = try await client.refresh(Sensitive(record.refreshToken))
        } catch let error as AuthError where error.endsSession {
            try? await records.deleteSession()
            throw error
        }
        // After a sign-out nothing new may be stored. Within a session the new token is the only valid one, with or
        // without a waiting caller.
        guard machine.session == session else { throw Self.tooLate }
        let old = record.refreshToken
        record.refreshToken = grant.refreshToken.withExposed { $0 }
        record.user = grant.user ?? record.user
        record.serverSession = grant.session ?? record.serverSession
        await save(record, replacing: old)
        guard
            let (token, events) = machine.refreshSucceeded(
                attempt, token: grant.accessToken.withExposed { $0 }, lifetime: grant.lifetime, askedAt: askedAt)
        else { throw Self.tooLate }
        user = record.user
        lastFailure = nil
        send(events)
        return token
    }

    private static let tooLate = AuthError(
        .signedOut, "The session changed while its token was being renewed.", underlying: SignedOutElsewhere())

    /// Stores a record; if that fails, it is kept in memory, since its predecessor is valid for seconds only.
    func save(_ record: SessionRecord, replacing old: String) async {
        for _ in 0..<3 {
            do {
                try await records.save(record)
                unsaved = nil
                return
            } catch {
                unsaved = (record, unsaved?.record.id == record.id ? unsaved?.replaces ?? old : old)
            }
        }
        send([.storingFailed])
    }
}

/// The server has not ended the session; this machine has.
struct SignedOutElsewhere: Error {}

extension AuthError {
    var reason: SignOutReason {
        if code == .reused { return .reused }
        return underlying is SignedOutElsewhere ? .elsewhere : .endedByServer
    }
}
