// SPDX-License-Identifier: MIT

import FoundationEssentials
public import Security

/// A mail that was asked for and not used yet. It lies in the secret store, so that another process can finish.
struct PendingSignIn: VersionedRecord, Equatable {
    var version = 1
    /// Whose mailbox; the code is checked together with it.
    let email: String
    /// The secret of RFC 7636.
    let verifier: String
    /// The state that a link through a browser must carry; nil if the mail has no such link.
    let state: String?
    /// Milliseconds since 1970 by this machine's clock, which is the only one that two processes share over a restart.
    let sentAt: Int64
    /// From when on another mail may be asked for; milliseconds since 1970.
    var resendAt: Int64

    /// The time until another mail may be asked for.
    ///
    /// - Parameter cooldown: The longest wait that is believed when the clock was set back meanwhile.
    func wait(now: Int64, cooldown: Duration) -> Duration {
        guard resendAt > now else { return .zero }
        let wait = Duration.milliseconds(resendAt - now)
        return now < sentAt ? min(wait, cooldown) : wait
    }
}

extension Date {
    /// Milliseconds since 1970, within what a calendar has.
    var milliseconds: Int64 { Int64(min(max(timeIntervalSince1970, -1e11), 1e11) * 1_000) }

    init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
}

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
