// SPDX-License-Identifier: MIT

public import FoundationEssentials
import Networking
import Security

extension SessionController {
    /// Requests a mail with a link and a code. The data for finishing is stored first, so that another program can
    /// finish (``verify(code:)``, ``verify(_:)``). That data is of the newest mail alone, so the links of earlier ones do not work
    /// any more. Their codes work where the server keeps them good: Parley's does, GoTrue does not.
    ///
    /// - Parameters:
    ///   - email: The address of the mailbox.
    ///   - redirect: The address at which the link ends, in this program; nil for a code or a pasted link.
    ///   - createsUser: True if an address without an account gets one.
    /// - Returns: The time from which another mail may be requested.
    /// - Throws: ``AuthError``: `tooManyMails` with the time until then, `alreadySignedIn`, `busy`, and the errors of
    ///   ``GoTrueClient/requestMail(to:challenge:redirect:createsUser:)``.
    @discardableResult
    public func requestLink(
        to email: String, returningTo redirect: SignInRedirect? = nil, createsUser: Bool = true
    ) async throws -> Date {
        try await reporting {
            guard machine.session == nil else { throw Self.alreadySignedIn }
            guard !isRequestingMail else { throw AuthError(.busy, "A mail is being asked for. Wait for it.") }
            isRequestingMail = true
            defer { isRequestingMail = false }
            // An unreadable record is replaced.
            let earlier = try? await records.pending()
            if let wait = earlier?.wait(now: clock.date().milliseconds), wait > .zero {
                throw AuthError(
                    .tooManyMails, "A mail was sent just now. Use it, or wait before you ask for another.",
                    retryAfter: wait, until: clock.date().addingTimeInterval(wait / .seconds(1)))
            }
            let pkce = try PKCE()
            let now = clock.date().milliseconds
            let resendAt = now + Int64(resendCooldown / .milliseconds(1))
            let pending = PendingSignIn(
                email: email, verifier: pkce.verifier.withExposed { $0 }, state: redirect?.state, sentAt: now,
                resendAt: resendAt)
            try await records.save(pending)
            do {
                try await client.requestMail(
                    to: email, challenge: pkce.challenge, redirect: redirect?.url, createsUser: createsUser)
            } catch {
                await restore(earlier, instead: pending, after: error)
                throw error
            }
            send(machine.linkRequested())
            return Date(milliseconds: resendAt)
        }
    }

    /// Requests a mail with a code that a person types into ``verify(code:)``. The mail's link works, too, but leads to
    /// the server's own page.
    ///
    /// - Parameters:
    ///   - email: The address of the mailbox.
    ///   - createsUser: True if an address without an account gets one.
    /// - Returns: The time from which another mail may be requested.
    /// - Throws: As ``requestLink(to:returningTo:createsUser:)``.
    @discardableResult
    public func requestCode(to email: String, createsUser: Bool = true) async throws -> Date {
        try await requestLink(to: email, createsUser: createsUser)
    }

    /// Restores the previous mail, which stays valid when another one was refused; its record also keeps the server's
    /// waiting time. If there was none, and the server's answer was lost, the new mail may have been sent anyway.
    private func restore(_ earlier: PendingSignIn?, instead newer: PendingSignIn, after error: any Error) async {
        guard var earlier else {
            guard Self.isAnswerLost(error) else {
                try? await records.deletePending()
                return
            }
            var newer = newer
            newer.resendAt = newer.sentAt
            try? await records.save(newer)
            return
        }
        if let wait = (error as? AuthError)?.retryAfter {
            earlier.resendAt = clock.date().milliseconds + Int64(wait / .milliseconds(1))
        }
        try? await records.save(earlier)
    }

    /// True if the server may have carried out the request.
    private static func isAnswerLost(_ error: any Error) -> Bool {
        if error is CancellationError { return true }
        let lost: Set<NetworkError.Code> = [.connectionLost, .firstByteTimeout, .idleTimeout, .timeout]
        return ((error as? AuthError)?.underlying as? NetworkError).map { lost.contains($0.code) } ?? false
    }

    /// The time from which another mail may be requested; nil if none was requested.
    public var resendTime: Date? {
        get async throws {
            guard let pending = try await records.pending() else { return nil }
            let wait = pending.wait(now: clock.date().milliseconds)
            return clock.date().addingTimeInterval(wait / .seconds(1))
        }
    }

    /// Deletes the record of the requested mail.
    public func cancelSignIn() async throws {
        try await records.deletePending()
        machine.proofForgotten()
    }

    /// Signs in by the code of the mail that this or another program requested; spaces in it are dropped. Also takes
    /// the long code on the page behind a mail's link, which it shows if it cannot return to a program.
    ///
    /// - Throws: ``AuthError``: `wrongCode`, `expired`, `alreadyUsed`, `tooManyAttempts`, `noPendingSignIn`,
    ///   `alreadySignedIn`, `storage`.
    public func verify(code: String) async throws {
        try await reporting {
            let code = code.filter { $0 != " " }
            let isShort = (6...10).contains(code.utf8.count) && code.utf8.allSatisfy { (0x30...0x39).contains($0) }
            let isLong = (20...256).contains(code.utf8.count) && SignInQuery.isToken(code)
            guard isShort || isLong else {
                throw AuthError(.wrongCode, "This is not a code. Type the six digits of the newest mail.")
            }
            let pending = try await awaited()
            let askedAt = clock.now()
            let grant =
                isShort
                ? try await client.verify(code: code, of: pending.email)
                : try await client.exchange(authCode: Sensitive(code), verifier: Sensitive(pending.verifier))
            try await adopt(grant, askedAt: askedAt)
        }
    }

    /// Signs in by a link, in whatever way it arrived. The server decides on it.
    ///
    /// - Throws: ``AuthError``: `invalidLink` for one that belongs to another sign-in, `expired`, `alreadyUsed`,
    ///   `wrongDevice`, `tooManyAttempts`, `noPendingSignIn`, `alreadySignedIn`, `storage`, and the server's refusal in
    ///   a browser's link.
    public func verify(_ link: SignInLink) async throws {
        try await reporting {
            let pending = try await awaited()
            guard link.belongs(to: pending.state) else {
                throw AuthError(.invalidLink, "This link is for another sign-in. Use the link of the newest mail.")
            }
            let askedAt = clock.now()
            let verifier = Sensitive(pending.verifier)
            switch link.proof {
            case .token(let token, let type):
                try await adopt(
                    client.verify(tokenHash: token, type: type, verifier: verifier), askedAt: askedAt)
            case .code(let code):
                try await adopt(client.exchange(authCode: code, verifier: verifier), askedAt: askedAt)
            case .refused(let name):
                throw AuthError(
                    WireProblem(refusal: name), status: 403, headers: [:], to: .link, now: clock.date())
            }
        }
    }

    private static let alreadySignedIn = AuthError(
        .alreadySignedIn, "Somebody is signed in already. Sign out first.")

    private func awaited() async throws -> PendingSignIn {
        guard machine.session == nil else { throw Self.alreadySignedIn }
        guard let pending = try await records.pending() else {
            throw AuthError(.noPendingSignIn, "No mail was asked for here. Ask for one first.")
        }
        return pending
    }

    /// Stores a new session, and then uses it.
    private func adopt(_ grant: TokenGrant, askedAt: Duration) async throws {
        let record = SessionRecord(
            id: try SecureRandom.token(byteCount: 16), user: grant.user, serverSession: grant.session,
            refreshToken: grant.refreshToken.withExposed { $0 })
        do {
            let held = try await lock.acquire()
            defer { held.release() }
            try await records.save(record)
        } catch {
            // Without this, the session could never be ended.
            try? await client.signOut(.local, accessToken: grant.accessToken)
            throw error
        }
        try? await records.deletePending()
        user = record.user
        unsaved = nil
        send(
            machine.signedIn(
                record.id, token: grant.accessToken.withExposed { $0 }, lifetime: grant.lifetime, askedAt: askedAt))
    }

    private func reporting<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as AuthError {
            send([.signInFailed(error.code)])
            throw error
        }
    }
}
