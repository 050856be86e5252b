// SPDX-License-Identifier: MIT

public import Security

/// A request for a sign-in mail.
public struct SignInRequest: Sendable {
    /// The mailbox.
    public var address: EmailAddress
    /// The network prefix of the request.
    public var prefix: NetworkPrefix
    /// The S256 challenge of the requesting device (RFC 7636 §4.2); the link then works only with the verifier.
    public var challenge: String?
    /// The address for the browser afterwards. The caller has checked it against its list of allowed ones.
    public var redirect: String?
    /// The languages for the mail, in the form of the field `Accept-Language` (RFC 9110 §12.5.4); not checked.
    public var acceptLanguage: String?

    /// A request.
    public init(
        address: EmailAddress, prefix: NetworkPrefix, challenge: String? = nil, redirect: String? = nil,
        acceptLanguage: String? = nil
    ) {
        self.address = address
        self.prefix = prefix
        self.challenge = challenge
        self.redirect = redirect
        self.acceptLanguage = acceptLanguage
    }
}

/// The tokens of a signed-in program.
public struct TokenPair: Sendable, Hashable {
    /// A JSON Web Token, for a quarter of an hour.
    public let accessToken: String
    /// A refresh token, valid for one exchange.
    public let refreshToken: String
    /// The time at which the access token expires.
    public let expiresAt: AuthTime
    /// The signed-in account.
    public let account: Account
    /// The session.
    public let session: String
}

/// A mail that a person signs in with.
public struct SignInMail: Sendable {
    /// The reason of a mail.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Somebody asked for it.
        case signIn = "sign-in"
        /// The operator invites the person.
        case invitation
    }

    /// The reason of the mail.
    public var kind = Kind.signIn
    /// The recipient; nil if the address has no account and may not get one. The mail then passes through the queue and
    /// is dropped at its end, so that the time reveals nothing.
    public let recipient: EmailAddress?
    /// The link's token, 256 random bits in base64url.
    public let token: Sensitive<String>
    /// Six digits; nil if only the link may be used.
    public let code: Sensitive<String>?
    /// The link's lifetime.
    public let linkLifetime: Duration
    /// The code's lifetime.
    public let codeLifetime: Duration
    /// The recipient's languages, in the form of the field `Accept-Language`: the account's, then the request's; not checked.
    public var acceptLanguage: String?
}

/// Queues mails. They are sent later and elsewhere: the person does not wait, and can request another one.
public protocol SignInMailer: Sendable {
    /// Puts a mail in the queue. When this returns, the mail is as durable as the queue.
    ///
    /// - Returns: False if the queue is full.
    func enqueue(_ mail: SignInMail) async -> Bool
}
