// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The error of this module; `CancellationError` passes untouched. No message has an address or a secret in it.
public struct AuthError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, for programs; more codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The name.
        public var description: String { rawValue }

        /// The code is wrong; type it again. ``AuthError/attemptsLeft`` is the number of attempts left, if the server
        /// reports it. GoTrue does not distinguish a wrong code from an expired one.
        public static let wrongCode = Code(rawValue: "wrongCode")
        /// The code or link is expired, was replaced by a newer mail, or was used. Ask for another mail.
        public static let expired = Code(rawValue: "expired")
        /// The link was used, and its sign-in is finished or took too long. Ask for another mail.
        public static let alreadyUsed = Code(rawValue: "alreadyUsed")
        /// Too many attempts; wait until ``AuthError/until``.
        public static let tooManyAttempts = Code(rawValue: "tooManyAttempts")
        /// Too many mails; use the newest, or wait until ``AuthError/until``.
        public static let tooManyMails = Code(rawValue: "tooManyMails")
        /// The server cannot be reached. The session stays.
        public static let noNetwork = Code(rawValue: "noNetwork")
        /// The connection is not safe: certificate, TLS or key. Nothing was sent.
        public static let notTrusted = Code(rawValue: "notTrusted")
        /// The session has ended: signed out, revoked, or expired. Sign in.
        public static let signedOut = Code(rawValue: "signedOut")
        /// An old refresh token was shown to the server, which has ended the session. Sign in.
        public static let reused = Code(rawValue: "reused")
        /// The access token is refused; a new one may help.
        public static let unauthorized = Code(rawValue: "unauthorized")
        /// The link is not one of this server's, or is damaged.
        public static let invalidLink = Code(rawValue: "invalidLink")
        /// Another program or device has requested the mail; finish there.
        public static let wrongDevice = Code(rawValue: "wrongDevice")
        /// No mail was requested here, so there is nothing to finish.
        public static let noPendingSignIn = Code(rawValue: "noPendingSignIn")
        /// An account is signed in already.
        public static let alreadySignedIn = Code(rawValue: "alreadySignedIn")
        /// The e-mail address is invalid, or the server does not send mail to it.
        public static let invalidAddress = Code(rawValue: "invalidAddress")
        /// The server does not offer this.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The server refuses, for another reason.
        public static let refused = Code(rawValue: "refused")
        /// The server has a fault, or the answer is not from an auth server.
        public static let server = Code(rawValue: "server")
        /// The secret store or the lock beside it failed.
        public static let storage = Code(rawValue: "storage")
        /// Another program, or this one, is using the session.
        public static let busy = Code(rawValue: "busy")
        /// The address of the server, or another setting, cannot be used.
        public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
    }

    /// The kind of failure.
    public var code: Code
    /// The failure and its remedy, for a person.
    public var message: String
    /// The number of attempts left for the code.
    public var attemptsLeft: Int?
    /// The time to wait; nil if waiting does not help.
    public var retryAfter: Duration?
    /// The time of the next attempt by this machine's clock, if waiting helps.
    public var until: Date?
    /// The status, if the server answered.
    public var status: Int?
    /// The server's own code, such as `otp_expired`; at most 64 letters, digits and underscores.
    public var serverCode: String?
    /// The error behind it.
    public var underlying: (any Error)?

    /// An error.
    public init(
        _ code: Code, _ message: String, attemptsLeft: Int? = nil, retryAfter: Duration? = nil, until: Date? = nil,
        status: Int? = nil, serverCode: String? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.attemptsLeft = attemptsLeft
        self.retryAfter = retryAfter
        self.until = until
        self.status = status
        self.serverCode = serverCode
        self.underlying = underlying
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    /// True if the server itself has ended the session.
    var endsSession: Bool { code == .signedOut || code == .reused }
}
