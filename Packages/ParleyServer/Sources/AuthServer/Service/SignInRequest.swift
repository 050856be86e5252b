// SPDX-License-Identifier: MIT

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
