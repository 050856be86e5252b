// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// What the server says of the flags.
public struct RuntimeConfig: Hashable, Sendable {
    /// What the server says of one flag.
    public struct Rule: Hashable, Sendable {
        /// The value for those that it is for.
        public let value: FlagValue
        /// For how many it is, in hundredths of a percent: 10,000 is everybody.
        public let rollout: Int
        /// When the rule ends to hold; `nil` for never.
        public let expiresAt: Date?

        /// A rule; the roll-out is brought between 0 and 10,000.
        public init(value: FlagValue, rollout: Int = 10_000, expiresAt: Date? = nil) {
            self.value = value
            self.rollout = min(max(rollout, 0), 10_000)
            self.expiresAt = expiresAt
        }
    }

    /// The rules by the name of the flag. Names that the program does not know are kept.
    public let rules: [String: Rule]
    /// When the server said so.
    public let fetchedAt: Date
    /// For how many days the server keeps recordings and what it makes of them; nil where it does not say.
    public let retentionDays: Int?

    /// A configuration.
    public init(rules: [String: Rule], fetchedAt: Date, retentionDays: Int? = nil) {
        self.rules = rules
        self.fetchedAt = fetchedAt
        self.retentionDays = retentionDays
    }
}

/// Who flags are for.
public struct FeatureAccessContext: Hashable, Sendable {
    /// The account, when somebody is signed in.
    public let account: String?
    /// This installation; a random name that stays.
    public let installation: String

    /// A context.
    public init(account: String?, installation: String) {
        self.account = account
        self.installation = installation
    }

    /// Which part of everybody this is for a flag, from 0 to 9,999: the same wherever the account is signed in, and another one
    /// for each flag. FNV-1a over "flag:account", mixed by the finaliser of MurmurHash3 since FNV's high bits are poor.
    public func bucket(of flag: String) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(flag):\(account ?? installation)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ (hash >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return Int((hash ^ (hash >> 33)) % 10_000)
    }
}
