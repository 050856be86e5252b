// SPDX-License-Identifier: MIT

/// A schema in the form that the API's strict mode takes: every object closed, every property required, optional ones
/// nullable, `anyOf` for `oneOf`, an object at the root, and no keyword that it refuses.
public struct StrictJSONSchema: Sendable, Hashable {
    /// The schema to send.
    public let schema: JSONSchema
    /// True if the root is not an object and was put into the property `value` of one.
    public let isWrapped: Bool

    static let wrapper = "value"

    /// The value in the model's answer: the answer itself, or its property `value`.
    public func unwrap(_ answer: JSONValue) -> JSONValue {
        isWrapped ? answer[Self.wrapper] ?? answer : answer
    }
}

extension JSONSchema {
    /// The form for strict mode.
    ///
    /// Keywords that only narrow a value and that strict mode refuses (`uniqueItems`, `minLength`, some formats) are
    /// left out: check the answer against this schema, not against the strict one.
    ///
    /// - Throws: `JSONSchemaError.notStrict` for a schema without such a form: objects with free names, `allOf`, `not`.
    public func strict() throws(JSONSchemaError) -> StrictJSONSchema {
        var root = try StrictForm.of(json, path: "")
        let isObject = root["type"] == "object" && root["anyOf"] == nil
        guard !isObject, case .object(var object) = root else {
            return StrictJSONSchema(schema: JSONSchema(root), isWrapped: false)
        }
        // References to the root must find it in its new place.
        let definitions = object["$defs"]
        object["$defs"] = nil
        root = StrictForm.moveRootReferences(.object(object))
        var wrapped: JSONObject = [
            "type": "object", "properties": ["value": root], "required": ["value"], "additionalProperties": false,
        ]
        if let definitions { wrapped["$defs"] = StrictForm.moveRootReferences(definitions) }
        return StrictJSONSchema(schema: JSONSchema(.object(wrapped)), isWrapped: true)
    }
}

/// The rewriting of one schema and all within it.
private enum StrictForm {
    /// Keywords that change the set of valid values in a way that no other keyword can express.
    static let refused = [
        "allOf", "not", "if", "then", "else", "patternProperties", "dependentRequired", "dependentSchemas",
        "unevaluatedProperties", "propertyNames", "prefixItems", "contains",
    ]
    /// Keywords that only narrow a value, so that leaving them out makes no valid value invalid.
    static let dropped: Set<String> = [
        "$schema", "$id", "default", "examples", "uniqueItems", "minLength", "maxLength", "contentEncoding",
        "minProperties", "maxProperties", "additionalProperties", "required",
    ]
    static let formats: Set<JSONValue> = [
        "date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid",
    ]

    static func of(_ schema: JSONValue, path: String) throws(JSONSchemaError) -> JSONValue {
        guard case .object(let keywords) = schema else {
            throw .notStrict(path: path, keyword: schema.text)
        }
        if let keyword = refused.first(where: { keywords[$0] != nil }) {
            throw .notStrict(path: path, keyword: keyword)
        }
        var strict = JSONObject()
        for (name, value) in keywords where !dropped.contains(name) {
            switch name {
            case "properties": continue
            case "items": strict[name] = try of(value, path: path + "/items")
            case "anyOf", "oneOf": strict["anyOf"] = .array(try choices(value, path: path + "/" + name))
            case "$defs", "definitions": strict[name] = .object(try definitions(value, path: path + "/" + name))
            case "format": if formats.contains(value) { strict[name] = value }
            default: strict[name] = value
            }
        }
        if isObject(keywords) { try close(&strict, keywords, path: path) }
        guard strict["type"] ?? strict["anyOf"] ?? strict["$ref"] ?? strict["enum"] ?? strict["const"] != nil else {
            throw .notStrict(path: path, keyword: "no type")
        }
        return .object(strict)
    }

    private static func isObject(_ keywords: JSONObject) -> Bool {
        keywords["type"] == "object" || keywords["type"]?.array?.contains("object") ?? false
            || keywords["properties"] != nil
    }

    private static func close(
        _ strict: inout JSONObject, _ keywords: JSONObject, path: String
    ) throws(JSONSchemaError) {
        if let others = keywords["additionalProperties"], others != false {
            throw .notStrict(path: path, keyword: "additionalProperties")
        }
        let required = Set(keywords["required"]?.array ?? [])
        var properties = JSONObject()
        for (name, value) in keywords["properties"]?.object ?? [:] {
            let property = try of(value, path: path + "/properties/" + name)
            properties[name] = required.contains(.string(name)) ? property : property.nullableSchema
        }
        strict["type"] = strict["type"] ?? "object"
        strict["properties"] = .object(properties)
        strict["required"] = .array(properties.names.map { .string($0) })
        strict["additionalProperties"] = false
    }

    private static func choices(_ value: JSONValue, path: String) throws(JSONSchemaError) -> [JSONValue] {
        var choices: [JSONValue] = []
        for (index, choice) in (value.array ?? []).enumerated() {
            choices.append(try of(choice, path: path + "/\(index)"))
        }
        return choices
    }

    private static func definitions(_ value: JSONValue, path: String) throws(JSONSchemaError) -> JSONObject {
        var strict = JSONObject()
        for (name, schema) in value.object ?? [:] { strict[name] = try of(schema, path: path + "/" + name) }
        return strict
    }

    static func moveRootReferences(_ schema: JSONValue) -> JSONValue {
        switch schema {
        case .array(let values): .array(values.map(moveRootReferences))
        case .object(let object):
            .object(
                JSONObject(
                    object.map { name, value in
                        (name, name == "$ref" && value == "#" ? "#/properties/value" : moveRootReferences(value))
                    }))
        default: schema
        }
    }
}
