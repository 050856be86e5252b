// SPDX-License-Identifier: MIT

public import Domain
public import FoundationEssentials

/// The flags on the wire: the answer of `/rpc/app_config`.
public struct AppConfigDTO: Codable, Hashable, Sendable {
    /// The rule of one flag.
    public struct Rule: Codable, Hashable, Sendable {
        /// The flag's value.
        public var value: FlagValueDTO
        /// The share of accounts or installations that get the value, in 1/10,000; all if it is missing.
        public var rollout: Int?
        /// The time at which the rule expires, RFC 3339; never if it is missing.
        public var expiresAt: String?

        enum CodingKeys: String, CodingKey {
            case value, rollout
            case expiresAt = "expires_at"
        }

        func rule() throws(MappingFailure) -> RuntimeConfig.Rule {
            let expiresAt = try expiresAt.map { (text) throws(MappingFailure) in
                try WireValue.time(text, "expires_at")
            }
            let rollout = try WireValue.whole(rollout ?? 10_000, "rollout", in: 0...10_000)
            return RuntimeConfig.Rule(value: value.value, rollout: rollout, expiresAt: expiresAt)
        }
    }

    /// The rules by flag name. A broken one is left out, and the flag has its default.
    public private(set) var flags: [String: Rule]
    /// The rules that were left out, by flag name, with the reason.
    public let skipped: [String: String]

    enum CodingKeys: String, CodingKey { case flags }

    /// Makes the wire form of a configuration.
    public init(_ config: RuntimeConfig) {
        flags = config.rules.mapValues { rule in
            Rule(
                value: FlagValueDTO(value: rule.value), rollout: rule.rollout,
                expiresAt: rule.expiresAt.map(WireTime.text))
        }
        skipped = [:]
    }

    /// Reads the rules, each independently of the others.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let rules = try values.nestedContainer(keyedBy: FlagName.self, forKey: .flags)
        var flags: [String: Rule] = [:]
        var skipped: [String: String] = [:]
        for name in rules.allKeys {
            do {
                let rule = try rules.decode(Rule.self, forKey: name)
                _ = try rule.rule()
                flags[name.stringValue] = rule
            } catch {
                skipped[name.stringValue] = MappingFailure(decoding: error).description
            }
        }
        (self.flags, self.skipped) = (flags, skipped)
    }

    /// Writes the rules.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(flags, forKey: .flags)
    }

    /// Sets a value for everybody, in place of an earlier rule.
    public mutating func set(_ name: String, to value: FlagValue) {
        flags[name] = Rule(value: FlagValueDTO(value: value))
    }

    /// The configuration, as fetched at a time.
    public func config(at time: Date) -> RuntimeConfig {
        // No rule fails here: broken ones were left out when they were read.
        RuntimeConfig(rules: flags.compactMapValues { try? $0.rule() }, fetchedAt: time)
    }

    private struct FlagName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// A flag's value on the wire: true or false, a number, or text. A number without a fraction is an integer.
public struct FlagValueDTO: Codable, Hashable, Sendable {
    /// The value.
    public let value: FlagValue

    /// Makes the wire form of a value.
    public init(value: FlagValue) { self.value = value }

    /// Reads a value of any of the types.
    public init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if let flag = try? single.decode(Bool.self) {
            value = .boolean(flag)
        } else if let number = try? single.decode(Int.self) {
            value = .integer(number)
        } else if let number = try? single.decode(Double.self) {
            value = .number(number)
        } else {
            value = .text(try single.decode(String.self))
        }
    }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var single = encoder.singleValueContainer()
        switch value {
        case .boolean(let flag): try single.encode(flag)
        case .integer(let number): try single.encode(number)
        case .number(let number): try single.encode(number)
        case .text(let text): try single.encode(text)
        }
    }
}
