// SPDX-License-Identifier: MIT

/// A flag that the program knows: its name, its type, and its default.
public struct FeatureFlag<Value: FlagValueConvertible>: Sendable {
    /// The name in the server's configuration, in camel case.
    public let name: String
    /// The default: the value unless one of the right type is configured.
    public let fallback: Value
    /// The flag's purpose, in a sentence.
    public let summary: String

    /// A flag.
    public init(_ name: String, default fallback: Value, _ summary: String) {
        self.name = name
        self.fallback = fallback
        self.summary = summary
    }
}

/// A flag's value of any type.
public enum FlagValue: Hashable, Sendable, CustomStringConvertible {
    /// On or off.
    case boolean(Bool)
    /// A number without a fraction.
    case integer(Int)
    /// A number.
    case number(Double)
    /// Text.
    case text(String)

    /// As a person writes it.
    public var description: String {
        switch self {
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .text(let value): value
        }
    }
}

/// A type that a flag may have.
public protocol FlagValueConvertible: Sendable, Hashable {
    /// `nil` when the value is of another type.
    init?(_ value: FlagValue)
    /// The value.
    var flagValue: FlagValue { get }
}

extension Bool: FlagValueConvertible {
    /// See ``FlagValueConvertible``.
    public init?(_ value: FlagValue) {
        guard case .boolean(let value) = value else { return nil }
        self = value
    }
    /// See ``FlagValueConvertible``.
    public var flagValue: FlagValue { .boolean(self) }
}

extension Int: FlagValueConvertible {
    /// See ``FlagValueConvertible``.
    public init?(_ value: FlagValue) {
        guard case .integer(let value) = value else { return nil }
        self = value
    }
    /// See ``FlagValueConvertible``.
    public var flagValue: FlagValue { .integer(self) }
}

extension Double: FlagValueConvertible {
    /// See ``FlagValueConvertible``; a whole number is a number, too.
    public init?(_ value: FlagValue) {
        switch value {
        case .number(let value): self = value
        case .integer(let value): self = Double(value)
        case .boolean, .text: return nil
        }
    }
    /// See ``FlagValueConvertible``.
    public var flagValue: FlagValue { .number(self) }
}

extension String: FlagValueConvertible {
    /// See ``FlagValueConvertible``.
    public init?(_ value: FlagValue) {
        guard case .text(let value) = value else { return nil }
        self = value
    }
    /// See ``FlagValueConvertible``.
    public var flagValue: FlagValue { .text(self) }
}
