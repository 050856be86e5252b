// SPDX-License-Identifier: MIT

/// The form of the answer's text.
public enum TextFormat: Sendable, Hashable {
    /// Any text.
    case text
    /// Any JSON object. The input must ask for JSON, too.
    case jsonObject
    /// JSON by a schema. `name` has letters, digits, `_` and `-`, 64 at most. With `isStrict` the schema must be of the
    /// kind that `JSONSchema` calls strict, and the answer fits it unless it is cut off.
    case jsonSchema(name: String, schema: JSONValue, description: String? = nil, isStrict: Bool = true)

    var json: JSONValue {
        switch self {
        case .text: return ["type": "text"]
        case .jsonObject: return ["type": "json_object"]
        case .jsonSchema(let name, let schema, let description, let isStrict):
            var object: JSONObject = [
                "type": "json_schema", "name": .string(name), "schema": schema, "strict": .bool(isStrict),
            ]
            object.set("description", description.map(JSONValue.string))
            return .object(object)
        }
    }
}
