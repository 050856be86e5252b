// SPDX-License-Identifier: MIT

import Networking

extension SessionLifecycle {
    /// Ages and time limits.
    public struct Limits: Sendable, Hashable, Codable {
        /// The age of a session at which the next is opened. The API ends one after 60 minutes. 55 min.
        public var rollover: Duration
        /// The age of a session at which the next replaces it even within a turn. 59 min.
        public var lastSwitch: Duration
        /// For opening a session. 20 s.
        public var connect: Duration
        /// The pause after the first failure; it doubles. 500 ms.
        public var firstPause: Duration
        /// The longest pause. 8 s.
        public var longestPause: Duration
        /// The limit of failed attempts in a row, after a first session was open. 8.
        public var attempts: Int
        /// A session that broke sooner than this counts as one more failed attempt. 10 s.
        public var stable: Duration

        /// Limits; without arguments the defaults.
        public init(
            rollover: Duration = .seconds(55 * 60), lastSwitch: Duration = .seconds(59 * 60),
            connect: Duration = .seconds(20), firstPause: Duration = .milliseconds(500),
            longestPause: Duration = .seconds(8), attempts: Int = 8, stable: Duration = .seconds(10)
        ) {
            self.rollover = rollover
            self.lastSwitch = lastSwitch
            self.connect = connect
            self.firstPause = firstPause
            self.longestPause = longestPause
            self.attempts = attempts
            self.stable = stable
        }
    }

    /// The events of the lifecycle.
    enum Event: Sendable, Hashable {
        /// The conversation begins.
        case start
        /// A session is open with the requested configuration.
        case opened(Int)
        /// A session could not be opened, or has ended.
        case failed(Int, Failure)
        /// A turn begins.
        case turnBegan
        /// No turn is under way.
        case turnEnded
        /// The conversation ends.
        case stop
    }

    /// The actions of the lifecycle.
    enum Action: Sendable, Hashable {
        /// Open a session with that number.
        case connect(Int)
        /// The first session is open.
        case started
        /// Send ``RealtimeHistory/replay()`` to that session, and use it from then on.
        case use(Int)
        /// Close that session; its later events are ignored.
        case close(Int)
        /// The state of the conversation's connection.
        case status(ConnectionStatus)
        /// No session is open, and none will be opened.
        case giveUp(Failure)
    }

    /// The reason why there is no session.
    public enum Failure: Sendable, Hashable, Codable {
        /// Another attempt may succeed; the time that the server asks to wait.
        case broken(retryAfter: Duration?)
        /// Another attempt would fail, too: the key, the model, the account, or the request is at fault.
        case refused(String)

        /// The failure that the end of a connection means.
        init(_ code: WebSocketCloseCode, reason: String = "") {
            // A normal closure by the server ends a session of its full age, or is a restart.
            let isOver = code.isWorthReconnecting || code == .normal || code == .badGateway
            self = isOver ? .broken(retryAfter: nil) : .refused("The server closed the session (\(code)). \(reason)")
        }

        /// The failure that an `error` of the server means for the session; `nil` if the session goes on.
        init?(_ failure: APIFailure) {
            switch failure.code ?? failure.type {
            case "session_expired", "server_error", "rate_limit_exceeded":
                self = .broken(retryAfter: failure.retryAfter)
            case "invalid_api_key", "insufficient_quota", "model_not_found", "account_deactivated":
                self = .refused(failure.message)
            default: return nil
            }
        }

        /// The failure that a handshake's HTTP status means; `nil` where there was no answer.
        init(status: Int?, message: String, retryAfter: Duration? = nil) {
            let mayPass = status.map(NetworkError.isTransient(status:)) ?? true
            self = mayPass ? .broken(retryAfter: retryAfter) : .refused(message)
        }
    }
}
