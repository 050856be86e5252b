// SPDX-License-Identifier: MIT

public import FoundationEssentials
import Security

/// The secrets of one mail: a link, and perhaps a code. Only their authentication codes under the server's key are
/// stored.
public struct Proof: Sendable, Hashable {
    /// The authentication code of the link's token.
    public let link: Data
    /// The code's authentication code; nil in a mail that carries a link alone.
    public let code: Data?
    /// The time of the request for the mail.
    public let createdAt: AuthTime
    /// The challenge of the device that requested the mail (RFC 7636, S256), which must show its verifier.
    public let challenge: String?
    /// The address that the first sign-in makes an account for; nil if it has an account, or may not get one.
    public let newcomer: String?
    /// The address after the link was used; already checked against the list of allowed ones.
    public let redirect: String?
    /// The tag of the network that requested the mail; empty for a mail of an earlier version.
    public internal(set) var network: String
    /// The number of wrong codes that were tried.
    public internal(set) var attempts: Int
    /// The part of ``attempts`` from other networks than the one that requested the mail.
    public internal(set) var foreignAttempts: Int
    /// The time of its use; it cannot be used again.
    public internal(set) var usedAt: AuthTime?

    /// A proof as it was stored, or a new one.
    public init(
        link: Data, code: Data?, createdAt: AuthTime, challenge: String? = nil, newcomer: String? = nil,
        redirect: String? = nil, network: String = "", attempts: Int = 0, foreignAttempts: Int = 0,
        usedAt: AuthTime? = nil
    ) {
        self.link = link
        self.code = code
        self.createdAt = createdAt
        self.challenge = challenge
        self.newcomer = newcomer
        self.redirect = redirect
        self.network = network
        self.attempts = attempts
        self.foreignAttempts = foreignAttempts
        self.usedAt = usedAt
    }

    /// The reason why the proof is used or expired; nil while it is valid.
    func staleness(at now: AuthTime, _ lifetime: Duration) -> AuthServerError.Staleness? {
        if usedAt != nil { return .used }
        return createdAt.isRecent(at: now, lifetime) ? nil : .expired
    }

    /// The number of wrong codes that a network may still try. Networks that did not request the mail may use up only a
    /// part of its attempts, so that some are left for the person who requested it.
    func attemptsLeft(from network: String, _ policy: AuthPolicy) -> Int {
        let left = policy.attemptsPerCode - attempts
        return max(0, network == self.network ? left : min(left, policy.foreignAttemptsPerCode - foreignAttempts))
    }

    mutating func countAttempt(from network: String) {
        attempts += 1
        if network != self.network { foreignAttempts += 1 }
    }
}

/// A requested mail, for the limits.
public struct Send: Sendable, Hashable {
    /// The time of the request.
    public let time: AuthTime
    /// The tag of the network that requested it; empty for one of an earlier version.
    public internal(set) var network: String

    /// A mail.
    public init(_ time: AuthTime, from network: String = "") {
        (self.time, self.network) = (time, network)
    }
}

/// Six decimal digits.
enum OneTimeCode {
    static let digitCount = 6

    /// A code; each of the million is equally likely: numbers beyond the last whole million of 32 bits are drawn anew.
    static func random() throws -> String {
        let limit = UInt32.max - UInt32.max % 1_000_000
        while true {
            let number = try SecureRandom.bytes(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            guard number < limit else { continue }
            let digits = String(number % 1_000_000)
            return String(repeating: "0", count: digitCount - digits.count) + digits
        }
    }

    static func isCode(_ text: String) -> Bool {
        text.utf8.count == digitCount && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

/// Proof Key for Code Exchange, method S256 (RFC 7636).
enum PKCE {
    /// 43 characters: a SHA-256 in base64url.
    static func isChallenge(_ text: String) -> Bool { Base64URL.decode(text)?.count == SHA256.byteCount }

    /// True if a verifier (§4.1: 43 to 128 unreserved characters) fits a challenge.
    static func isValid(verifier: String, for challenge: String) throws -> Bool {
        let isVerifier = (43...128).contains(verifier.utf8.count) && verifier.utf8.allSatisfy(isUnreserved)
        guard isVerifier else { return false }
        return ConstantTime.areEqual(
            Array(Base64URL.encode(try SHA256.hash(Array(verifier.utf8))).utf8), Array(challenge.utf8))
    }

    /// True for the unreserved characters of RFC 3986 §2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(byte)
        }
    }
}
