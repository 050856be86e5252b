// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Where a flag's value came from.
public enum FlagSource: String, Hashable, Sendable, CaseIterable {
    /// The program's own default.
    case fallback = "default"
    /// The server, since this program was started.
    case server
    /// The server, at an earlier time; it could not be asked now.
    case stored
    /// A local file, for trying things out.
    case file
}

/// What holds for each flag.
public struct FlagResolver: Hashable, Sendable {
    /// Why the server's rule for a flag does not hold here.
    public enum Exclusion: String, Hashable, Sendable {
        /// The roll-out has not reached this account.
        case rollout
        /// The rule has expired.
        case expired
        /// The value is of another type than the flag.
        case wrongType
    }

    /// A flag's value and how it came about.
    public struct Resolution: Hashable, Sendable {
        /// The value.
        public let value: FlagValue
        /// Where it came from.
        public let source: FlagSource
        /// Why the server's rule does not hold, if there is one that does not.
        public let exclusion: Exclusion?

        /// A resolution.
        public init(value: FlagValue, source: FlagSource, exclusion: Exclusion?) {
            self.value = value
            self.source = source
            self.exclusion = exclusion
        }
    }

    private let config: RuntimeConfig?
    private let configSource: FlagSource
    private let overrides: [String: FlagValue]
    private let context: FeatureAccessContext

    /// A resolver.
    ///
    /// - Parameters:
    ///   - config: What the server says; `nil` when it never said anything.
    ///   - isFresh: Whether it said so since the program was started.
    ///   - overrides: Values of a local file; they come first.
    ///   - context: Who flags are for.
    public init(
        config: RuntimeConfig?, isFresh: Bool, overrides: [String: FlagValue] = [:], context: FeatureAccessContext
    ) {
        self.config = config
        configSource = isFresh ? .server : .stored
        self.overrides = overrides
        self.context = context
    }

    /// The value of a flag at a time.
    public func value<Value>(_ flag: FeatureFlag<Value>, at time: Date) -> Value {
        Value(resolve(flag.name, fallback: flag.fallback.flagValue, at: time).value) ?? flag.fallback
    }

    /// What holds for a flag at a time, and why.
    public func resolve(_ name: String, fallback: FlagValue, at time: Date) -> Resolution {
        if let value = overrides[name]?.asType(of: fallback) {
            return Resolution(value: value, source: .file, exclusion: nil)
        }
        guard let rule = config?.rules[name] else {
            return Resolution(value: fallback, source: .fallback, exclusion: nil)
        }
        func excluded(_ exclusion: Exclusion) -> Resolution {
            Resolution(value: fallback, source: .fallback, exclusion: exclusion)
        }
        if let end = rule.expiresAt, end <= time { return excluded(.expired) }
        guard let value = rule.value.asType(of: fallback) else { return excluded(.wrongType) }
        guard context.bucket(of: name) < rule.rollout else { return excluded(.rollout) }
        return Resolution(value: value, source: configSource, exclusion: nil)
    }
}

extension FlagValue {
    /// This value, if it is of the same type; a whole number is a number, too.
    fileprivate func asType(of other: FlagValue) -> FlagValue? {
        switch (self, other) {
        case (.boolean, .boolean), (.integer, .integer), (.number, .number), (.text, .text): self
        case (.integer(let value), .number): .number(Double(value))
        default: nil
        }
    }
}
