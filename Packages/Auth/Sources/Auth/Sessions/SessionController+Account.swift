// SPDX-License-Identifier: MIT

import FoundationEssentials
import Networking
import Security

extension SessionController {
    /// Signs out.
    ///
    /// With `local`, this program has signed out at once, whatever happens afterwards; the store is emptied when no program
    /// is at it, then the server is told. With `global`, the server is told first: were the tokens gone, nobody could. With
    /// `others`, this session stays.
    ///
    /// - Throws: ``AuthError``: `noNetwork` and others when the server could not be told: after `local` nobody is signed in here
    ///   all the same. `storage` when the store could not be emptied.
    public func signOut(_ scope: SignOutScope = .local) async throws {
        if scope != .local {
            try await withToken { [client] in try await client.signOut(scope, accessToken: $0) }
            if scope == .others { return }
        }
        let session = machine.session
        var token = machine.goodToken(now: clock.now()).map { Sensitive($0.value) }
        if let session { send(machine.signedOut(session, .requested)) }
        machine.proofForgotten()
        user = nil
        refreshing?.task.cancel()
        // A program that holds the lock for ever must not keep the secrets here. What it stores later is its own fault.
        var held: SessionLock.Held?
        do { held = try await lock.acquire() } catch let error as AuthError where error.code == .busy {}
        defer { held?.release() }
        let record = try await records.session()
        try await records.deletePending()
        guard let record, session == nil || record.id == session else { return }
        try await records.deleteSession()
        guard scope == .local else { return }
        do {
            if token == nil {
                let newest = unsaved?.record.id == record.id ? unsaved?.record.refreshToken : nil
                token = try await client.refresh(Sensitive(newest ?? record.refreshToken)).accessToken
            }
            unsaved = nil
            if let token { try await client.signOut(.local, accessToken: token) }
        } catch let error as AuthError where error.endsSession || error.code == .unauthorized {
            // The server has ended it before.
        }
    }

    /// Asks the server who is signed in.
    ///
    /// - Throws: ``AuthError``: `signedOut` when nobody is, or not any more; `noNetwork`.
    public func fetchUser() async throws -> AuthUser {
        try await withToken { [client] in try await client.user(accessToken: $0) }
    }

    /// The account's sessions, the newest first.
    ///
    /// - Throws: ``AuthError``: `unsupported` where the server is GoTrue.
    public func sessions() async throws -> [AuthSession] {
        var sessions = try await withToken { [client] in try await client.sessions(accessToken: $0) }
        if !sessions.contains(where: \.isCurrent), let own = try await records.session()?.serverSession {
            for index in sessions.indices where sessions[index].id == own { sessions[index].isCurrent = true }
        }
        return sessions
    }

    /// Ends one session of the account; its name is in ``sessions()``.
    public func revoke(session id: String) async throws {
        try await withToken { [client] in try await client.revoke(session: id, accessToken: $0) }
    }

    /// Runs a call with the access token, and once more with a new one when the server refuses it. When the server says that
    /// the session is over, it is.
    func withToken<Value: Sendable>(
        _ call: @Sendable (Sensitive<String>) async throws -> Value
    ) async throws -> Value {
        guard let session = machine.session else { throw Self.nobody }
        var token: AccessToken
        if let good = machine.goodToken(now: clock.now()) { token = good } else { token = try await refreshed() }
        do {
            do {
                return try await call(Sensitive(token.value))
            } catch let error as AuthError where error.code == .unauthorized {
                if let newer = machine.goodToken(now: clock.now()), newer != token {
                    token = newer
                } else {
                    token = try await refreshed()
                }
                guard token.session == session else { throw Self.nobody }
                return try await call(Sensitive(token.value))
            }
        } catch let error as AuthError where error.endsSession {
            await end(session, error.reason)
            throw error
        }
    }

    /// The server has said that the session is over.
    private func end(_ session: String, _ reason: SignOutReason) async {
        send(machine.signedOut(session, reason))
        guard let held = try? await lock.acquire() else { return }
        defer { held.release() }
        if (try? await records.session())?.id == session { try? await records.deleteSession() }
    }
}
