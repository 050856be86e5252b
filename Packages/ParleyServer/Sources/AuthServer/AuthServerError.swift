// SPDX-License-Identifier: MIT

/// Why the server turns a request down. The codes are GoTrue's.
public struct AuthServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Why, in a form that a program can tell apart; more codes may come.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as it stands in the answer.
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The request does not say what it must, or in a form that it must not have.
        public static let validationFailed = Code(rawValue: "validation_failed")
        /// The code or link is wrong, too old, or used. ``AuthServerError/attemptsLeft`` and
        /// ``AuthServerError/staleness`` tell more, for addresses that have no account as for others.
        public static let proofRefused = Code(rawValue: "otp_expired")
        /// The address got as many mails as it may get.
        public static let tooManyMails = Code(rawValue: "over_email_send_rate_limit")
        /// Too many requests came from this network.
        public static let tooManyRequests = Code(rawValue: "over_request_rate_limit")
        /// The access token is not ours, too old, or not a token.
        public static let badAccessToken = Code(rawValue: "bad_jwt")
        /// The session was signed out, revoked, or has ended.
        public static let sessionEnded = Code(rawValue: "session_not_found")
        /// The refresh token is none of ours.
        public static let refreshTokenUnknown = Code(rawValue: "refresh_token_not_found")
        /// The refresh token was exchanged before: somebody else has it, so its session has ended.
        public static let refreshTokenReused = Code(rawValue: "refresh_token_already_used")
        /// The authorization code is unknown, used, or too old.
        public static let authorizationCodeRefused = Code(rawValue: "flow_state_not_found")
        /// The verifier does not belong to the challenge (RFC 7636 §4.6).
        public static let wrongVerifier = Code(rawValue: "bad_code_verifier")
    }

    /// Why a code or link that was right is not good any more. Only somebody who has the mail learns of it.
    public enum Staleness: String, Sendable, Hashable {
        /// Somebody has signed in with this mail.
        case used
        /// It is too old.
        case expired
    }

    /// Why.
    public let code: Code
    /// The failure and its remedy, for a person. No address and no secret is in it.
    public let message: String
    /// The number of attempts left for a wrong code.
    public let attemptsLeft: Int?
    /// When to try again, if waiting helps.
    public let retryAfter: AuthTime?
    /// Why a proof that was right was refused.
    public let staleness: Staleness?
    /// The id of the session that a reused token has ended; for the log, not for the answer.
    public var session: String?

    /// An error.
    public init(
        _ code: Code, _ message: String, attemptsLeft: Int? = nil, retryAfter: AuthTime? = nil,
        staleness: Staleness? = nil
    ) {
        self.code = code
        self.message = message
        self.attemptsLeft = attemptsLeft
        self.retryAfter = retryAfter
        self.staleness = staleness
    }

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
