// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// What one mail gave out: a link, and perhaps a code. Only their authentication codes under the server's key are here.
public struct Proof: Sendable, Hashable {
    /// What stands for the link's token.
    public let link: Data
    /// What stands for the code; nil in a mail that carries a link alone.
    public let code: Data?
    /// When the mail was asked for.
    public let createdAt: AuthTime
    /// The challenge of the device that asked (RFC 7636, S256), which must show its verifier.
    public let challenge: String?
    /// Whose account the first sign-in makes; nil when the address has one, or may get none.
    public let newcomer: String?
    /// Where the browser goes after the link was used; checked against the list of allowed places already.
    public let redirect: String?
    /// How often a wrong code was tried.
    public internal(set) var attempts: Int
    /// When it was used; it cannot be used again.
    public internal(set) var usedAt: AuthTime?

    /// A proof as it was stored, or a new one.
    public init(
        link: Data, code: Data?, createdAt: AuthTime, challenge: String? = nil, newcomer: String? = nil,
        redirect: String? = nil, attempts: Int = 0, usedAt: AuthTime? = nil
    ) {
        self.link = link
        self.code = code
        self.createdAt = createdAt
        self.challenge = challenge
        self.newcomer = newcomer
        self.redirect = redirect
        self.attempts = attempts
        self.usedAt = usedAt
    }
}
