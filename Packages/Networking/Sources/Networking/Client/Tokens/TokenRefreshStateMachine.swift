// SPDX-License-Identifier: MIT

/// Makes one refresh serve all requests that wait for it. Pure.
struct TokenRefreshStateMachine<Waiter> {
    /// The next step of a refused request.
    enum Action {
        /// Send again with this token, which is newer than the refused one.
        case replay(AccessToken)
        /// Wait, and start the refresh.
        case start
        /// Wait for the refresh that runs.
        case join
        /// Give up.
        case fail(NetworkError)
    }

    private let maximumRefreshes: Int
    private let window: Duration
    /// The waiting requests by the token that is refreshed. There are several tokens if the session changed during a
    /// refresh.
    private var running: [AccessToken: [Waiter]] = [:]
    private var latest: (expired: AccessToken, fresh: AccessToken)?
    private var started: [Duration] = []

    /// The number of waiting requests.
    var waiterCount: Int { running.values.reduce(0) { $0 + $1.count } }

    init(maximumRefreshes: Int = 5, window: Duration = .seconds(30)) {
        self.maximumRefreshes = maximumRefreshes
        self.window = window
    }

    /// Handles the refusal of a request with the token `used`.
    mutating func refused(used: AccessToken, current: AccessToken?, waiter: Waiter, now: Duration) -> Action {
        guard let current else { return .fail(.signedOut) }
        // A request of another session must not be answered with this one's rights.
        guard current.session == used.session else { return .fail(.sessionChanged) }
        guard current == used else { return .replay(current) }
        // `current` was read a moment ago, and a refresh may have ended since. The server could take a second one with
        // the same token for a theft.
        if let latest, latest.expired == used { return .replay(latest.fresh) }
        if running[used] != nil {
            running[used]?.append(waiter)
            return .join
        }
        started.removeAll { $0 <= now - window }
        guard started.count < maximumRefreshes else { return .fail(.tooManyRefreshes(maximumRefreshes, window)) }
        started.append(now)
        running[used] = [waiter]
        return .start
    }

    /// Ends the refresh of `token`; `fresh` is the new one if it succeeded.
    ///
    /// - Returns: The requests that waited for it.
    mutating func finished(_ token: AccessToken, fresh: AccessToken?) -> [Waiter] {
        if let fresh, fresh != token { latest = (token, fresh) }
        return running.removeValue(forKey: token) ?? []
    }
}

extension NetworkError {
    static var signedOut: NetworkError {
        NetworkError(code: .unauthorized, message: "Nobody is signed in. Sign in and try again.", status: 401)
    }

    static var sessionChanged: NetworkError {
        NetworkError(
            code: .unauthorized, message: "The session ended during the request. Send it again.",
            status: 401)
    }

    static func tooManyRefreshes(_ count: Int, _ window: Duration) -> NetworkError {
        NetworkError(
            code: .refreshLimit,
            message: "The token was refreshed \(count) times within \(window) and is still refused. Sign in again.",
            status: 401)
    }
}
