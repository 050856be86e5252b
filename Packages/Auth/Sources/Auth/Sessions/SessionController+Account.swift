// SPDX-License-Identifier: MIT

import FoundationEssentials
import Networking
import Security

extension SessionController {
    /// Signs out.
    ///
    /// With `local`, this program has signed out at once, whatever happens afterwards; the store is emptied once no
    /// other program uses it, then the server is told. With `global`, the server is told first, since that needs the
    /// tokens. With `others`, this session stays.
    ///
    /// - Throws: ``AuthError``: `noNetwork` and others if the server could not be told; after `local` this program is
    ///   signed out anyway. `storage` if the store could not be emptied.
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
        // A program that holds the lock for ever must not keep the secrets here. It is responsible for anything it
        // stores later.
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

    /// Asks the server for the signed-in user.
    ///
    /// - Throws: ``AuthError``: `signedOut` if there is no session, or no longer one; `noNetwork`.
    public func fetchUser() async throws -> AuthUser {
        try await withToken { [client] in try await client.user(accessToken: $0) }
    }

    /// The account's sessions, the newest first.
    ///
    /// - Throws: ``AuthError``: `unsupported` if the server is GoTrue.
    public func sessions() async throws -> [AuthSession] {
        var sessions = try await withToken { [client] in try await client.sessions(accessToken: $0) }
        if !sessions.contains(where: \.isCurrent), let own = try await records.session()?.serverSession {
            for index in sessions.indices where sessions[index].id == own { sessions[index].isCurrent = true }
        }
        return sessions
    }

    /// Ends one session of the account; its id is in ``sessions()``.
    public func revoke(session id: String) async throws {
        try await withToken { [client] in try await client.revoke(session: id, accessToken: $0) }
    }

    /// Runs a call with the access token, and once more with a new one if the server refuses it. Ends the session if
    /// the server says that it is over.
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

    /// Ends a session that is over at the server.
    private func end(_ session: String, _ reason: SignOutReason) async {
        send(machine.signedOut(session, reason))
        guard let held = try? await lock.acquire() else { return }
        defer { held.release() }
        if (try? await records.session())?.id == session { try? await records.deleteSession() }
    }
}
