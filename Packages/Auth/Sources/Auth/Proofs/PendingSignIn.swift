// SPDX-License-Identifier: MIT

import FoundationEssentials
public import Security

/// A requested mail that is not used yet. It is in the secret store, so that another process can finish.
struct PendingSignIn: VersionedRecord, Equatable {
    var version = 1
    /// The address of the mailbox; the code is checked together with it.
    let email: String
    /// The secret of RFC 7636.
    let verifier: String
    /// The state that a link through a browser must have; nil if the mail has no such link.
    let state: String?
    /// Milliseconds since 1970 by this machine's clock, which is the only one that two processes share over a restart.
    let sentAt: Int64
    /// The time from which another mail may be requested; milliseconds since 1970.
    var resendAt: Int64

    /// The time until another mail may be requested; zero if the clock was set back meanwhile: the server limits mails,
    /// too.
    func wait(now: Int64) -> Duration {
        sentAt <= now && now < resendAt ? .milliseconds(resendAt - now) : .zero
    }
}

extension Date {
    /// Milliseconds since 1970, limited to the range of a calendar.
    var milliseconds: Int64 { Int64(min(max(timeIntervalSince1970, -1e11), 1e11) * 1_000) }

    init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
}

/// Proof Key for Code Exchange, method S256 (RFC 7636): binds a mail to the program that requested it.
public struct PKCE: Sendable {
    /// The secret, 43 characters that encode 256 random bits (§4.1).
    public let verifier: Sensitive<String>
    /// The base64url of its SHA-256 (§4.2), which the server gets beforehand.
    public let challenge: String

    /// A new pair.
    ///
    /// - Throws: `SecurityError` if the system has no randomness.
    public init() throws {
        try self.init(verifier: SecureRandom.token())
    }

    init(verifier: String) throws {
        self.verifier = Sensitive(verifier)
        challenge = Base64URL.encode(try SHA256.hash(Array(verifier.utf8)))
    }
}
