// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The server's configuration of the flags.
public struct RuntimeConfig: Hashable, Sendable {
    /// The server's rule for one flag.
    public struct Rule: Hashable, Sendable {
        /// The value for the accounts that the rule applies to.
        public let value: FlagValue
        /// The share of accounts that the rule applies to, in hundredths of a percent: 10,000 is every account.
        public let rollout: Int
        /// The time at which the rule expires; `nil` for never.
        public let expiresAt: Date?

        /// A rule; the roll-out is clamped between 0 and 10,000.
        public init(value: FlagValue, rollout: Int = 10_000, expiresAt: Date? = nil) {
            self.value = value
            self.rollout = min(max(rollout, 0), 10_000)
            self.expiresAt = expiresAt
        }
    }

    /// The rules by the name of the flag. Unknown names are kept.
    public let rules: [String: Rule]
    /// The time of the server's answer.
    public let fetchedAt: Date

    /// A configuration.
    public init(rules: [String: Rule], fetchedAt: Date) {
        self.rules = rules
        self.fetchedAt = fetchedAt
    }
}

/// The account and installation that a flag is evaluated for.
public struct FeatureAccessContext: Hashable, Sendable {
    /// The account; nil if no account is signed in.
    public let account: String?
    /// The random id of this installation; it never changes.
    public let installation: String

    /// A context.
    public init(account: String?, installation: String) {
        self.account = account
        self.installation = installation
    }

    /// The bucket of this account for a flag, from 0 to 9,999: the same wherever the account is signed in, and another
    /// one for each flag. FNV-1a over "flag:account", mixed by the finaliser of MurmurHash3 since FNV's high bits are
    /// poor.
    public func bucket(of flag: String) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(flag):\(account ?? installation)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ (hash >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return Int((hash ^ (hash >> 33)) % 10_000)
    }
}
