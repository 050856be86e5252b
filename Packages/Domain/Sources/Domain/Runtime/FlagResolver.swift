// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The source of a flag's value.
public enum FlagSource: String, Hashable, Sendable, CaseIterable {
    /// The program's own default.
    case fallback = "default"
    /// The server, since this program was started.
    case server
    /// The server, at an earlier time; it could not be reached now.
    case stored
    /// A local file, for experiments.
    case file
}

/// Resolves each flag to its value.
public struct FlagResolver: Hashable, Sendable {
    /// The reason why the server's rule for a flag does not apply.
    public enum Exclusion: String, Hashable, Sendable {
        /// The roll-out has not reached this account.
        case rollout
        /// The rule has expired.
        case expired
        /// The value is of another type than the flag.
        case wrongType
    }

    /// A flag's value with its source.
    public struct Resolution: Hashable, Sendable {
        /// The value.
        public let value: FlagValue
        /// The source of the value.
        public let source: FlagSource
        /// The reason why the server's rule does not apply; nil if it applies or there is no rule.
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
    ///   - config: The server's configuration; `nil` before its first answer.
    ///   - isFresh: True if the server answered since the program was started.
    ///   - overrides: Values of a local file; they take precedence.
    ///   - context: The account and installation that a flag is evaluated for.
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

    /// The duration of a flag of seconds at a time, from 0 to a year: no clock waits for every number.
    public func seconds(_ flag: FeatureFlag<Int>, at time: Date) -> Duration {
        .seconds(min(max(value(flag, at: time), 0), 365 * 86_400))
    }

    /// The value of a flag at a time, and its source.
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
