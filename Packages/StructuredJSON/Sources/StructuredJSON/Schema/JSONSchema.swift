// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A JSON Schema (draft 2020-12): the rules for a value.
///
/// Made by hand, or from a type by ``of(_:)``. ``validate(_:)`` checks these keywords, and ignores the others as the
/// standard says: `type`, `enum`, `const`, `properties`, `required`, `additionalProperties`, `items`, `prefixItems`,
/// `minItems`, `maxItems`, `uniqueItems`, `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf`,
/// `minLength`, `maxLength`, `anyOf`, `oneOf`, `allOf`, `not`, and `$ref` within the schema. `format` informs the model
/// and is not checked; neither is `pattern`, since an untrusted expression may take for ever.
public struct JSONSchema: Sendable, Hashable {
    /// The schema as JSON.
    public var json: JSONValue

    /// A schema in JSON: an object, or `true` or `false`.
    public init(_ json: JSONValue) { self.json = json }

    /// The violations in `value`, in the order of the schema; empty if it is valid.
    ///
    /// A schema that takes more than 100,000 steps, or nests deeper than 256 levels, counts as violated.
    public func violations(of value: JSONValue) -> [JSONSchemaViolation] {
        var validator = JSONSchemaValidator(root: json)
        return validator.violations(of: value)
    }

    /// Throws the violations in `value`.
    public func validate(_ value: JSONValue) throws(JSONSchemaViolations) {
        let found = violations(of: value)
        if !found.isEmpty { throw JSONSchemaViolations(found) }
    }
}

extension JSONSchema: CustomStringConvertible {
    /// The schema as compact JSON.
    public var description: String { json.text }
}

extension JSONSchema: ExpressibleByDictionaryLiteral {
    /// A schema of these keywords.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(.object(JSONObject(elements))) }
}

/// A type that states its schema, since it cannot be derived, or to add to the derived one.
public protocol JSONSchemaRepresentable {
    /// The schema of the type's encoded form.
    static var jsonSchema: JSONSchema { get }
}

/// A type that explains its properties to the model.
public protocol JSONSchemaDescribed {
    /// The description of the type, in a sentence.
    static var schemaDescription: String? { get }
    /// The descriptions of its properties, by their coding keys.
    static var propertyDescriptions: [String: String] { get }
}

extension JSONSchemaDescribed {
    /// Nil by default.
    public static var schemaDescription: String? { nil }
    /// Empty by default.
    public static var propertyDescriptions: [String: String] { [:] }
}

extension JSONSchema {
    /// Decodes a value as its derived schema describes it: dates by RFC 3339, with or without fractions of a second,
    /// and `Data` in Base64.
    ///
    /// - Throws: `DecodingError`.
    public static func decode<T: Decodable>(_ type: T.Type, from value: JSONValue) throws -> T {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            if let date = try? Date(text, strategy: .iso8601) { return date }
            if let date = try? Date(text, strategy: .iso8601.time(includingFractionalSeconds: true)) { return date }
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is not a date and time of RFC 3339.")
        }
        return try decoder.decode(type, from: Data(value.bytes))
    }
}

/// The error of a type without a schema, or of a schema without a strict form.
public enum JSONSchemaError: Error, Hashable, Sendable {
    /// Decoding the type needs a value that only real data has; the reason is the type's own error.
    case notDerivable(type: String, reason: String)
    /// The type contains itself without an end: every value of it would be infinite.
    case endless(type: String)
    /// The API's strict mode has no form for the keyword at this place of the schema (a JSON Pointer).
    case notStrict(path: String, keyword: String)
}

extension JSONSchemaError: CustomStringConvertible {
    /// The fault and its remedy, for a programmer.
    public var description: String {
        switch self {
        case .notDerivable(let type, let reason):
            "No JSON schema can be derived from \(type): \(reason) Make it conform to JSONSchemaRepresentable."
        case .endless(let type):
            "\(type) contains itself without an end. Make one of its properties optional, or an array."
        case .notStrict(let path, let keyword):
            "Strict mode has no form for \"\(keyword)\" at \(path.isEmpty ? "the root" : path) of the schema. "
                + "Describe it by named properties, or do without strict mode."
        }
    }
}

extension JSONValue {
    /// This schema, or null: the schema of an optional property. A schema that allows null already stays as it is.
    var nullableSchema: JSONValue {
        guard case .object(var keywords) = self, !keywords.isEmpty else { return self }
        if var choices = keywords["anyOf"]?.array {
            if !choices.contains(["type": "null"]) { choices.append(["type": "null"]) }
            keywords["anyOf"] = .array(choices)
            return .object(keywords)
        }
        guard let type = keywords["type"], keywords["const"] == nil else { return ["anyOf": [self, ["type": "null"]]] }
        let types = type.array ?? [type]
        keywords["type"] = .array(types.contains("null") ? types : types + ["null"])
        if let values = keywords["enum"]?.array, !values.contains(.null) { keywords["enum"] = .array(values + [.null]) }
        return .object(keywords)
    }
}
