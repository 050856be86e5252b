// SPDX-License-Identifier: MIT

extension JSONValue {
    /// The value of a Swift dictionary, array, string, number, truth value or `nil`, at any depth.
    ///
    /// - Throws: `JSONBridgingError` with the path to a value that JSON cannot hold.
    public init(bridging value: Any) throws(JSONBridgingError) {
        self = try Self.bridge(value, path: [])
    }

    private static func bridge(_ value: Any, path: [String]) throws(JSONBridgingError) -> JSONValue {
        switch value {
        case let value as JSONValue: return value
        case let value as Bool: return .bool(value)
        case let value as String: return .string(value)
        case let value as any BinaryInteger:
            if let value = Int(exactly: value) { return .integer(value) }
            return .double(Double(value))
        case let value as any BinaryFloatingPoint: return .double(Double(value))
        case let value as [Any]:
            var elements: [JSONValue] = []
            for (index, element) in value.enumerated() {
                elements.append(try bridge(element, path: path + ["\(index)"]))
            }
            return .array(elements)
        case let value as [String: Any]:
            var object = JSONObject()
            for name in value.keys.sorted() {
                guard let member = value[name] else { continue }
                object[name] = try bridge(member, path: path + [name])
            }
            return .object(object)
        case let value as Any? where value == nil: return .null
        default: throw JSONBridgingError(path: path, type: "\(type(of: value))")
        }
    }

    /// The value in Swift's types: `[String: Any]`, `[Any]`, `String`, `Int`, `Double`, `Bool`, or `Any?.none` for
    /// null.
    public var bridged: Any {
        switch self {
        case .null: Any?.none as Any
        case .bool(let value): value
        case .integer(let value): value
        case .double(let value): value
        case .string(let value): value
        case .array(let values): values.map(\.bridged)
        case .object(let object): object.bridged
        }
    }
}

extension JSONObject {
    /// The members in Swift's types.
    public var bridged: [String: Any] {
        Dictionary(map { ($0.name, $0.value.bridged) }, uniquingKeysWith: { _, last in last })
    }
}

/// A Swift value that JSON has no form for.
public struct JSONBridgingError: Error, Hashable, CustomStringConvertible {
    /// The names and indices that lead to it.
    public let path: [String]
    /// Its type.
    public let type: String

    /// For a person.
    public var description: String {
        "JSON has no form for \(type)" + (path.isEmpty ? "." : " (at \(path.joined(separator: "."))).")
            + " Use strings, numbers, truth values, arrays, and dictionaries with string keys."
    }
}
