// SPDX-License-Identifier: MIT

import Concurrency
import Networking

/// Which session there is, which access token it has, and when a refresh is due. Pure: times come in, on a clock that never
/// goes back and counts while the machine is suspended.
struct SessionStateMachine: Sendable {
    /// The next step for a request for a token.
    enum Decision: Equatable {
        /// Nobody is signed in.
        case none
        /// The token is good.
        case use(AccessToken)
        /// The token is good, but not for long: use it, and fetch the next one.
        case useAndRefresh(AccessToken)
        /// Fetch one first, or wait for the fetch that runs.
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

    /// The session's identity; nil when signed out.
    private(set) var session: String?
    private(set) var isAwaitingProof = false
    private var access: Access?
    private var running: Int?
    private var attempts = 0
    private var failures: Failures?

    /// The state of signing in at a time.
    func state(now: Duration) -> SessionState {
        guard session != nil else { return isAwaitingProof ? .awaitingProof : .signedOut }
        if running != nil { return .refreshing }
        return goodToken(now: now) == nil ? .expired : .signedIn
    }

    /// The token, while it is good.
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

    /// The mail is used up, replaced or forgotten.
    mutating func proofForgotten() { isAwaitingProof = false }

    mutating func signedIn(_ session: String, token: String, lifetime: Duration, askedAt: Duration) -> [AuthEvent] {
        begin(session)
        isAwaitingProof = false
        keep(token, lifetime, askedAt)
        return [.signInSucceeded]
    }

    /// The session is over.
    ///
    /// - Parameter ended: Which one; nothing happens when it is another one by now.
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

    /// Somebody needs a token.
    func tokenNeeded(now: Duration) -> Decision {
        guard session != nil else { return .none }
        if let token = goodToken(now: now) {
            let isDue = running == nil && access.map { now >= $0.renewal } == true && mayAsk(now: now)
            return isDue ? .useAndRefresh(token) : .use(token)
        }
        return running != nil || mayAsk(now: now) ? .refresh : .wait
    }

    /// The server has refused a token; another one may be there already.
    func tokenRefused(_ token: AccessToken, now: Duration) -> Decision {
        guard session == token.session else { return .none }
        if let good = goodToken(now: now), good != token { return .use(good) }
        return running != nil || mayAsk(now: now) ? .refresh : .wait
    }

    private func mayAsk(now: Duration) -> Bool { failures.map { now >= $0.demandAfter } ?? true }

    /// When to fetch the next token without being asked; nil while nobody is signed in or a fetch runs.
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

    /// True if a fetch is still the one that is waited for: no other session has come meanwhile.
    func isCurrent(_ attempt: Int) -> Bool { running == attempt }

    /// A fetch has brought a token.
    ///
    /// - Returns: The token to use and what to tell; nil when it came too late and is dropped.
    mutating func refreshSucceeded(
        _ attempt: Int, token: String, lifetime: Duration, askedAt: Duration
    ) -> (token: AccessToken, events: [AuthEvent])? {
        guard isCurrent(attempt) else { return nil }
        running = nil
        keep(token, lifetime, askedAt)
        return access.map { ($0.token, [.tokenRefreshed]) }
    }

    /// A fetch has failed; the session stays.
    ///
    /// Retries come after 1, 2, 4 … 300 s by themselves. The first ones are soon, since a server that rotates tokens gives
    /// a lost answer again for some seconds only. Who needs a token may ask after a second, unless the server says more.
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

    /// A fetch has shown that the session is over.
    mutating func refreshEnded(_ attempt: Int, _ reason: SignOutReason) -> [AuthEvent] {
        guard isCurrent(attempt), let session else { return [] }
        return signedOut(session, reason)
    }
}
