// SPDX-License-Identifier: MIT

import Concurrency
import Networking

/// The present session, its access token, and the time of the next refresh. Pure: the caller passes times of a
/// monotonic clock that counts while the machine is suspended.
struct SessionStateMachine: Sendable {
    /// The next step for a request for a token.
    enum Decision: Equatable {
        /// No account is signed in.
        case none
        /// The token is valid.
        case use(AccessToken)
        /// The token is valid, but not for long: use it, and fetch the next one.
        case useAndRefresh(AccessToken)
        /// Fetch a token first, or wait for the running fetch.
        case refresh
        /// A fetch has just failed; it is too soon for another one.
        case wait
    }

    private struct Access {
        let token: AccessToken
        let expiry: Duration
        let renewal: Duration
    }

    private struct Failures {
        var count: Int
        var demandAfter: Duration
        var timerAt: Duration
    }

    /// The session's id; nil when signed out.
    private(set) var session: String?
    private(set) var isAwaitingProof = false
    private var access: Access?
    private var running: Int?
    private var attempts = 0
    private var failures: Failures?

    /// The state of sign-in at a time.
    func state(now: Duration) -> SessionState {
        guard session != nil else { return isAwaitingProof ? .awaitingProof : .signedOut }
        if running != nil { return .refreshing }
        return goodToken(now: now) == nil ? .expired : .signedIn
    }

    /// The token, while it is valid.
    func goodToken(now: Duration) -> AccessToken? {
        guard let access, now < access.expiry else { return nil }
        return access.token
    }

    // MARK: Signing in and out

    /// A session was found in the store. It has no access token yet.
    mutating func restored(_ session: String?, isAwaitingProof: Bool) -> [AuthEvent] {
        guard session != self.session else {
            self.isAwaitingProof = isAwaitingProof
            return []
        }
        let events: [AuthEvent] = self.session == nil ? [] : [.signedOut(.elsewhere)]
        begin(session)
        self.isAwaitingProof = isAwaitingProof
        return events
    }

    mutating func linkRequested() -> [AuthEvent] {
        isAwaitingProof = true
        return [.linkRequested]
    }

    /// The mail is used up, replaced or deleted.
    mutating func proofForgotten() { isAwaitingProof = false }

    mutating func signedIn(_ session: String, token: String, lifetime: Duration, askedAt: Duration) -> [AuthEvent] {
        begin(session)
        isAwaitingProof = false
        keep(token, lifetime, askedAt)
        return [.signInSucceeded]
    }

    /// The session is over.
    ///
    /// - Parameter ended: The id of the session; nothing happens if another one is present.
    mutating func signedOut(_ ended: String, _ reason: SignOutReason) -> [AuthEvent] {
        guard ended == session else { return [] }
        begin(nil)
        return [.signedOut(reason)]
    }

    private mutating func begin(_ session: String?) {
        self.session = session
        (access, running, failures) = (nil, nil, nil)
    }

    private mutating func keep(_ token: String, _ lifetime: Duration, _ askedAt: Duration) {
        guard let session else { return }
        let margin = min(lifetime / 4, .seconds(60))
        access = Access(
            token: AccessToken(value: token, session: session), expiry: askedAt + lifetime,
            renewal: askedAt + lifetime - margin)
        failures = nil
    }

    // MARK: Tokens

    /// The decision for a request for a token.
    func tokenNeeded(now: Duration) -> Decision {
        guard session != nil else { return .none }
        if let token = goodToken(now: now) {
            let isDue = running == nil && access.map { now >= $0.renewal } == true && mayAsk(now: now)
            return isDue ? .useAndRefresh(token) : .use(token)
        }
        return running != nil || mayAsk(now: now) ? .refresh : .wait
    }

    /// The decision after the server has refused a token; another one may exist already.
    func tokenRefused(_ token: AccessToken, now: Duration) -> Decision {
        guard session == token.session else { return .none }
        if let good = goodToken(now: now), good != token { return .use(good) }
        return running != nil || mayAsk(now: now) ? .refresh : .wait
    }

    private func mayAsk(now: Duration) -> Bool { failures.map { now >= $0.demandAfter } ?? true }

    /// The time of the next fetch without a request; nil while no account is signed in or a fetch runs.
    var renewalTime: Duration? {
        guard session != nil, running == nil else { return nil }
        return failures?.timerAt ?? access?.renewal ?? .zero
    }

    /// A fetch begins.
    ///
    /// - Returns: Its number; nil if there is nothing to fetch, or a fetch runs.
    mutating func refreshBegan() -> Int? {
        guard session != nil, running == nil else { return nil }
        attempts += 1
        running = attempts
        return attempts
    }

    /// True if the fetch is still the awaited one: no other session has replaced it meanwhile.
    func isCurrent(_ attempt: Int) -> Bool { running == attempt }

    /// Takes the token of a fetch.
    ///
    /// - Returns: The token to use and the events; nil if it is late and dropped.
    mutating func refreshSucceeded(
        _ attempt: Int, token: String, lifetime: Duration, askedAt: Duration
    ) -> (token: AccessToken, events: [AuthEvent])? {
        guard isCurrent(attempt) else { return nil }
        running = nil
        keep(token, lifetime, askedAt)
        return access.map { ($0.token, [.tokenRefreshed]) }
    }

    /// Notes a failed fetch; the session stays.
    ///
    /// Automatic retries follow after 1, 2, 4 … 300 s. The first ones are soon, since a server that rotates tokens
    /// repeats a lost answer for some seconds only. A caller that needs a token may ask after a second, unless the
    /// server sets a longer wait.
    mutating func refreshFailed(
        _ attempt: Int, _ code: AuthError.Code, retryAfter: Duration?, now: Duration
    ) -> [AuthEvent] {
        guard isCurrent(attempt) else { return [] }
        running = nil
        let count = (failures?.count ?? 0) + 1
        let backoff = Backoff(first: .seconds(1), longest: .seconds(300), jitter: .none).delay(afterFailures: count)
        failures = Failures(
            count: count, demandAfter: now + (retryAfter ?? .seconds(1)),
            timerAt: now + max(backoff, retryAfter ?? .zero))
        return [.refreshFailed(code)]
    }

    /// Ends the session, since a fetch has shown that it is over.
    mutating func refreshEnded(_ attempt: Int, _ reason: SignOutReason) -> [AuthEvent] {
        guard isCurrent(attempt), let session else { return [] }
        return signedOut(session, reason)
    }
}
