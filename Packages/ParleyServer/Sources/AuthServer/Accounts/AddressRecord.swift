// SPDX-License-Identifier: MIT

public import FoundationEssentials
import Security

/// An address: its account, if it has one, the mails that may still be used, and the counts for its limits.
///
/// A pure value: every rule of sign-in is a method here that takes the time and answers at once. Addresses without an
/// account have a record too, and pass the same rules, so that nothing distinguishes the two.
public struct AddressRecord: Sendable, Hashable {
    /// The address's authentication code under the server's key.
    public internal(set) var key: Data
    /// The account; nil before the first sign-in with the address.
    public internal(set) var account: String?
    /// The mails, the newest first. Each signs in once; a request for another mail invalidates none.
    public internal(set) var proofs: [Proof]
    /// The mails that were requested in the last hour, the oldest first.
    public internal(set) var sends: [Send]
    /// The number of wrong codes that were compared since the last success.
    public internal(set) var failures: Int

    /// A record as it was stored, or a new one.
    public init(
        key: Data, account: String? = nil, proofs: [Proof] = [], sends: [Send] = [], failures: Int = 0
    ) {
        self.key = key
        self.account = account
        self.proofs = proofs
        self.sends = sends
        self.failures = failures
    }

    /// True if the next mail may carry a code.
    func allowsCode(_ policy: AuthPolicy) -> Bool { failures < policy.failuresBeforeLinksOnly }

    /// Counts a mail that a network requests. Each network has a separate limit, so that one cannot use up what others
    /// need; all together have a higher one.
    ///
    /// - Returns: The time of the next allowed request if this mail may not be sent; else nil.
    mutating func countSend(from network: String, at now: AuthTime, _ policy: AuthPolicy) -> AuthTime? {
        sends.removeAll { !$0.time.isRecent(at: now, .seconds(3_600)) }
        let own = sends.filter { $0.network == network }
        let waits = [
            Self.wait(sends, policy.sendsPerHourFromAll, .seconds(3_600), now),
            Self.wait(own, policy.sendsPerHour, .seconds(3_600), now),
            Self.wait(own, policy.sendsPerWindow, policy.sendWindow, now),
        ]
        if let next = waits.compactMap(\.self).max() { return next }
        sends.append(Send(now, from: network))
        return nil
    }

    /// Removes a mail that was counted and added, and then not queued.
    ///
    /// - Parameter time: The time at which the mail was counted.
    mutating func takeBackSend(of link: Data, from network: String, at time: AuthTime) {
        proofs.removeAll { $0.link == link }
        if let index = sends.lastIndex(of: Send(time, from: network)) { sends.remove(at: index) }
    }

    /// The time at which the limit allows one more; nil for now.
    private static func wait(_ sends: [Send], _ limit: Int, _ window: Duration, _ now: AuthTime) -> AuthTime? {
        let recent = sends.filter { now - $0.time < window }
        return recent.count >= limit ? recent[recent.count - limit].time + window : nil
    }

    /// Adds a mail, and removes the used ones and those whose link and code have both expired.
    mutating func add(_ proof: Proof, at now: AuthTime, _ policy: AuthPolicy) {
        let lifetime = max(policy.linkLifetime, policy.codeLifetime)
        proofs = [proof] + proofs.filter { $0.staleness(at: now, lifetime) == nil }
    }

    /// Uses up a mail by its code.
    ///
    /// - Parameters:
    ///   - network: The tag of the network that tries.
    ///   - codes: For each of ``proofs`` the authentication codes of the code that was tried, one for each root key.
    mutating func use(codes: [[Data]], from network: String, at now: AuthTime, _ policy: AuthPolicy) -> ProofOutcome {
        var accepted: Int?
        var stale: AuthServerError.Staleness?
        var compared: [Int] = []
        for (index, tried) in zip(proofs.indices, codes) {
            guard let wanted = proofs[index].code else { continue }
            let isRight = tried.reduce(false) { ConstantTime.areEqual(wanted, $1) || $0 }
            // A stale mail cannot be used, so a guess at it reveals nothing of value.
            if let why = proofs[index].staleness(at: now, policy.codeLifetime) {
                if isRight { stale = stale ?? why }
            } else if proofs[index].attemptsLeft(from: network, policy) > 0 {
                compared.append(index)
                if isRight { accepted = accepted ?? index }
            }
        }
        if let accepted {
            proofs[accepted].usedAt = now
            failures = 0
            return .accepted(proofs[accepted])
        }
        // A guess counts at each code that it was compared with: the chance to find one stays that of a single code.
        for index in compared { proofs[index].countAttempt(from: network) }
        failures += compared.count
        let left = compared.map { proofs[$0].attemptsLeft(from: network, policy) }.max()
        return .refused(attemptsLeft: left ?? 0, stale)
    }

    /// Uses up a mail by its link. `link` is the authentication code of the token that was shown.
    mutating func use(link: Data, at now: AuthTime, _ policy: AuthPolicy) -> ProofOutcome {
        guard let index = proofs.firstIndex(where: { ConstantTime.areEqual($0.link, link) }) else {
            return .refused(attemptsLeft: 0)
        }
        if let stale = proofs[index].staleness(at: now, policy.linkLifetime) {
            return .refused(attemptsLeft: 0, stale)
        }
        proofs[index].usedAt = now
        failures = 0
        return .accepted(proofs[index])
    }
}

/// The outcome for a code or a link.
enum ProofOutcome: Equatable {
    /// It was right, and is used up.
    case accepted(Proof)
    /// It was wrong, used or expired; `attemptsLeft` more codes may be tried.
    case refused(attemptsLeft: Int, AuthServerError.Staleness? = nil)
    /// Another device has requested the mail; it can still be used there.
    case wrongDevice
}
