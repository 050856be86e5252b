// SPDX-License-Identifier: MIT

public import FoundationEssentials
import Security

/// What the server knows of an address: its account, if it has one, the newest mail, and what its limits count.
///
/// A pure value: every rule on signing in is a method here that takes the time and answers at once. Addresses without an
/// account have a record too, and go through the same rules, so that nothing tells the two apart.
public struct AddressRecord: Sendable, Hashable {
    /// What stands for the address: its authentication code under the server's key.
    public let key: Data
    /// The account; nil for an address that nobody has signed in with.
    public internal(set) var account: String?
    /// The newest mail. It replaces the one before, whose link and code work no more.
    public internal(set) var proof: Proof?
    /// When mails were asked for in the last hour, the oldest first.
    public internal(set) var sends: [AuthTime]
    /// How many codes were wrong since the last success.
    public internal(set) var failures: Int

    /// A record as it was stored, or a new one.
    public init(
        key: Data, account: String? = nil, proof: Proof? = nil, sends: [AuthTime] = [], failures: Int = 0
    ) {
        self.key = key
        self.account = account
        self.proof = proof
        self.sends = sends
        self.failures = failures
    }

    /// Whether the next mail may carry a code.
    func allowsCode(_ policy: AuthPolicy) -> Bool { failures < policy.failuresBeforeLinksOnly }

    /// Counts a mail.
    ///
    /// - Returns: When the next one may be asked for, if this one may not be sent.
    mutating func countSend(at now: AuthTime, _ policy: AuthPolicy) -> AuthTime? {
        // A mail from the future was counted before the clock was set back.
        sends.removeAll { $0 > now || now - $0 >= .seconds(3_600) }
        if sends.count >= policy.sendsPerHour { return sends[sends.count - policy.sendsPerHour] + .seconds(3_600) }
        let recent = sends.filter { now - $0 < policy.sendWindow }
        if recent.count >= policy.sendsPerWindow {
            return recent[recent.count - policy.sendsPerWindow] + policy.sendWindow
        }
        sends.append(now)
        return nil
    }

    /// Uses up the newest mail by its code. `code` is what stands for the code that was tried.
    mutating func use(code: Data, at now: AuthTime, _ policy: AuthPolicy) -> ProofOutcome {
        guard var proof, let wanted = proof.code else { return .refused(attemptsLeft: 0) }
        let isRight = ConstantTime.areEqual(wanted, code)
        // Nobody can use what is stale, so that a guess at it tells nothing of worth.
        if let stale = Self.staleness(of: proof, at: now, policy.codeLifetime) {
            return .refused(attemptsLeft: 0, isRight ? stale : nil)
        }
        guard proof.attempts < policy.attemptsPerCode else { return .refused(attemptsLeft: 0) }
        defer { self.proof = proof }
        guard isRight else {
            proof.attempts += 1
            failures += 1
            return .refused(attemptsLeft: policy.attemptsPerCode - proof.attempts)
        }
        proof.usedAt = now
        failures = 0
        return .accepted(proof)
    }

    /// Uses up the newest mail by its link. `link` is what stands for the token that was shown.
    mutating func use(link: Data, at now: AuthTime, _ policy: AuthPolicy) -> ProofOutcome {
        guard var proof, ConstantTime.areEqual(proof.link, link) else { return .refused(attemptsLeft: 0) }
        if let stale = Self.staleness(of: proof, at: now, policy.linkLifetime) {
            return .refused(attemptsLeft: 0, stale)
        }
        proof.usedAt = now
        failures = 0
        self.proof = proof
        return .accepted(proof)
    }

    /// Used, or older than its lifetime. What seems to come from the future was made before the clock was set back, so its age
    /// is not known, and it counts as old.
    private static func staleness(
        of proof: Proof, at now: AuthTime, _ lifetime: Duration
    ) -> AuthServerError.Staleness? {
        if proof.usedAt != nil { return .used }
        return (.zero..<lifetime).contains(now - proof.createdAt) ? nil : .expired
    }
}

/// What became of a code or a link.
enum ProofOutcome: Equatable {
    /// It was right, and is used up.
    case accepted(Proof)
    /// It was wrong or replaced, or right once; so often may another code be tried.
    case refused(attemptsLeft: Int, AuthServerError.Staleness? = nil)
    /// Another device than this one has asked for the mail; it can still be used there.
    case wrongDevice
}
