// SPDX-License-Identifier: MIT

public import Security

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
