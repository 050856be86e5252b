// SPDX-License-Identifier: MIT

/// Any JSON value (RFC 8259).
///
/// Whole numbers that fit 64 bits keep every digit; other numbers are the nearest `Double`, as RFC 8259 §6 advises.
/// Objects keep the order of their members, since a model reads a schema's properties in their order.
public enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    /// A number with a fraction or an exponent, or one that does not fit `Int`. A number that is not finite is written
    /// as `null`.
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

/// Numbers are equal by value: `1` is `1.0`, as JSON Schema has it (draft 2020-12, §4.2.2).
extension JSONValue: Hashable {
    /// True if both are the same JSON value.
    public static func == (first: JSONValue, second: JSONValue) -> Bool {
        switch (first, second) {
        case (.null, .null): true
        case (.bool(let first), .bool(let second)): first == second
        case (.integer(let first), .integer(let second)): first == second
        case (.double(let first), .double(let second)): first == second
        case (.integer(let whole), .double(let number)), (.double(let number), .integer(let whole)):
            Int(exactly: number) == whole
        case (.string(let first), .string(let second)): first.utf8.elementsEqual(second.utf8)
        case (.array(let first), .array(let second)): first == second
        case (.object(let first), .object(let second)): first == second
        default: false
        }
    }

    /// Equal values hash alike.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .double(let value):
            if let whole = Int(exactly: value) { hasher.combine(whole) } else { hasher.combine(value) }
        case .string(let value): for byte in value.utf8 { hasher.combine(byte) }
        case .array(let values): hasher.combine(values)
        case .object(let object): hasher.combine(object)
        }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// The last of two members with one name wins.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON.
    public var description: String { text }
}
