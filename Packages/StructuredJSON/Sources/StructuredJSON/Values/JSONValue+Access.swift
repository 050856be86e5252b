// SPDX-License-Identifier: MIT

extension JSONValue {
    /// The text, if this is a string.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The truth value, if this is one.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The whole number, if this is one and fits; `3.0` is 3.
    public var integer: Int? {
        switch self {
        case .integer(let value): value
        case .double(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The number, if this is one, rounded to a `Double`.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The elements, if this is an array.
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

    /// The members, if this is an object.
    public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

    /// True if this is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The member with that name; `nil` if it is missing, or if this is not an object.
    public subscript(name: String) -> JSONValue? { object?[name] }

    /// The element at that index, counted from zero; `nil` past the end, or if this is not an array.
    public subscript(index: Int) -> JSONValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }

    /// The kind of value, in the words of JSON Schema: "string", "integer", "number", "boolean", "null", "array" or
    /// "object".
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .integer: "integer"
        case .double: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
