// SPDX-License-Identifier: MIT

import FoundationEssentials
public import Security

/// Proof Key for Code Exchange, method S256 (RFC 7636): what binds a mail to the program that asked for it.
public struct PKCE: Sendable {
    /// The secret, 43 characters that stand for 256 random bits (§4.1).
    public let verifier: Sensitive<String>
    /// The base64url of its SHA-256 (§4.2), which the server is told beforehand.
    public let challenge: String

    /// A new pair.
    ///
    /// - Throws: `SecurityError` when the system has no randomness.
    public init() throws {
        try self.init(verifier: SecureRandom.token())
    }

    init(verifier: String) throws {
        self.verifier = Sensitive(verifier)
        challenge = Base64URL.encode(try SHA256.hash(Array(verifier.utf8)))
    }
}
