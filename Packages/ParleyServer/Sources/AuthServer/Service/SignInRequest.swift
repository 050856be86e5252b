// SPDX-License-Identifier: MIT

public import Security

/// Somebody asks for a mail.
public struct SignInRequest: Sendable {
    /// Whose mailbox.
    public var address: EmailAddress
    /// From where.
    public var prefix: NetworkPrefix
    /// The S256 challenge of the device that asks (RFC 7636 §4.2); the link is then good for nothing without the verifier.
    public var challenge: String?
    /// The address for the browser afterwards. The caller has checked it against its list of allowed ones.
    public var redirect: String?

    /// A request.
    public init(address: EmailAddress, prefix: NetworkPrefix, challenge: String? = nil, redirect: String? = nil) {
        self.address = address
        self.prefix = prefix
        self.challenge = challenge
        self.redirect = redirect
    }
}

/// The tokens of a signed-in program.
public struct TokenPair: Sendable, Hashable {
    /// A JSON Web Token, for a quarter of an hour.
    public let accessToken: String
    /// Good for one exchange.
    public let refreshToken: String
    /// When the access token expires.
    public let expiresAt: AuthTime
    /// The signed-in account.
    public let account: Account
    /// The session.
    public let session: String
}

/// A mail that a person signs in with.
public struct SignInMail: Sendable {
    /// Whom to send it to; nil when the address has no account and may get none: the mail goes the whole way and is dropped
    /// at its end, so that time tells nothing.
    public let recipient: EmailAddress?
    /// The link's token, 256 random bits in base64url.
    public let token: Sensitive<String>
    /// Six digits; nil when only the link may be used.
    public let code: Sensitive<String>?
    /// The link's lifetime.
    public let linkLifetime: Duration
    /// The code's lifetime.
    public let codeLifetime: Duration
}

/// Takes mails on their way. Sending happens later and elsewhere: the person who asked is not kept waiting, and can ask again.
public protocol SignInMailer: Sendable {
    /// Puts a mail in the queue. When this returns, the mail is as safe as the queue makes it.
    ///
    /// - Returns: False when the queue is full.
    func enqueue(_ mail: SignInMail) async -> Bool
}
