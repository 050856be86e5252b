// SPDX-License-Identifier: MIT

/// A JSON Schema (draft 2020-12): what a value must look like.
///
/// Made by hand, or from a type by ``of(_:)``. ``validate(_:)`` checks these keywords, and ignores the others as the
/// standard says: `type`, `enum`, `const`, `properties`, `required`, `additionalProperties`, `items`, `prefixItems`,
/// `minItems`, `maxItems`, `uniqueItems`, `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf`,
/// `minLength`, `maxLength`, `anyOf`, `oneOf`, `allOf`, `not`, and `$ref` within the schema. `format` says something
/// to the model and is not checked; neither is `pattern`, since a stranger's expression may take for ever.
public struct JSONSchema: Sendable, Hashable {
    /// The schema as JSON.
    public var json: JSONValue

    /// A schema in JSON: an object, or `true` or `false`.
    public init(_ json: JSONValue) { self.json = json }

    /// What `value` does not fulfil, in the order of the schema; empty where it is valid.
    ///
    /// A schema which takes more than 100,000 steps, or goes deeper than 256 levels, counts as not fulfilled.
    public func violations(of value: JSONValue) -> [JSONSchemaViolation] {
        var validator = JSONSchemaValidator(root: json)
        return validator.violations(of: value)
    }

    /// Throws what `value` does not fulfil.
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
