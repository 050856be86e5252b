// SPDX-License-Identifier: MIT

/// The claims of an access token, with the names of GoTrue's tokens (RFC 7519 §4.1).
public struct AccessClaims: Sendable, Hashable, Codable {
    /// The issuer: the server's address.
    public let issuer: String
    /// The account that the token is for.
    public let subject: String
    /// The audience.
    public let audience: String
    /// The time of issue, in seconds since 1970.
    public let issuedAt: Int64
    /// The time of expiry, in seconds since 1970.
    public let expiresAt: Int64
    /// The session that it belongs to.
    public let session: String
    /// The account's address.
    public let email: String
    /// The account's role; always `authenticated`.
    public let role: String
    /// The number of the refresh token that was issued beside it; nil in a token of a server that does not write it. GoTrue has no
    /// such claim.
    public let generation: Int64?

    /// Claims.
    public init(
        issuer: String, subject: String, audience: String, issuedAt: Int64, expiresAt: Int64, session: String,
        email: String, role: String, generation: Int64? = nil
    ) {
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.session = session
        self.email = email
        self.role = role
        self.generation = generation
    }

    enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case subject = "sub"
        case audience = "aud"
        case issuedAt = "iat"
        case expiresAt = "exp"
        case session = "session_id"
        case email
        case role
        case generation
    }
}
