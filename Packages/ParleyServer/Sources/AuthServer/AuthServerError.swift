// SPDX-License-Identifier: MIT

/// The server's refusal of a request. The codes are GoTrue's.
public struct AuthServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a refusal, for programs; more codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code in the answer.
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The request lacks a required value, or has one in an invalid form.
        public static let validationFailed = Code(rawValue: "validation_failed")
        /// The code or link is wrong, expired, or used. ``AuthServerError/attemptsLeft`` and
        /// ``AuthServerError/staleness`` have the details, for addresses with and without an account.
        public static let proofRefused = Code(rawValue: "otp_expired")
        /// The address reached its limit of mails.
        public static let tooManyMails = Code(rawValue: "over_email_send_rate_limit")
        /// This network sent too many requests.
        public static let tooManyRequests = Code(rawValue: "over_request_rate_limit")
        /// The access token is another server's, expired, or malformed.
        public static let badAccessToken = Code(rawValue: "bad_jwt")
        /// The session was signed out, revoked, or has ended.
        public static let sessionEnded = Code(rawValue: "session_not_found")
        /// The server did not issue the refresh token.
        public static let refreshTokenUnknown = Code(rawValue: "refresh_token_not_found")
        /// The refresh token was exchanged before, and the answer was used: two parties have it, so its session has ended.
        public static let refreshTokenReused = Code(rawValue: "refresh_token_already_used")
        /// The authorization code is unknown, used, or expired.
        public static let authorizationCodeRefused = Code(rawValue: "flow_state_not_found")
        /// The verifier does not belong to the challenge (RFC 7636 §4.6).
        public static let wrongVerifier = Code(rawValue: "bad_code_verifier")
        /// The operator has blocked the account. Only its owner learns of it: after a right code, link or token.
        public static let userBanned = Code(rawValue: "user_banned")
        /// The operator's hook refuses the sign-up.
        public static let hookRefused = Code(rawValue: "hook_refused")
        /// The operator's hook did not answer in time, and sign-ups wait for it.
        public static let hookAway = Code(rawValue: "hook_timeout")
        /// The token is no service token.
        public static let notAdmin = Code(rawValue: "not_admin")
        /// There is no such account; only for the operator.
        public static let userNotFound = Code(rawValue: "user_not_found")
        /// The address has an account; only for the operator.
        public static let emailExists = Code(rawValue: "email_exists")
    }

    /// The reason why a right code or link is no longer valid. Only a person with the mail learns of it.
    public enum Staleness: String, Sendable, Hashable {
        /// The mail was used to sign in.
        case used
        /// The mail has expired.
        case expired
    }

    /// The kind of refusal.
    public let code: Code
    /// The failure and its remedy, for a person. No address and no secret is in it.
    public let message: String
    /// The number of attempts left for a wrong code.
    public let attemptsLeft: Int?
    /// The time of the next attempt, if waiting helps.
    public let retryAfter: AuthTime?
    /// The reason why a right proof was refused.
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
