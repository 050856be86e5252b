// SPDX-License-Identifier: MIT

/// The tool that the model must call, if any.
package enum ToolChoice: Sendable, Hashable, Codable {
    /// The model decides.
    case auto
    /// No tool.
    case none
    /// At least one tool.
    case required
    /// This function.
    case function(name: String)
    /// Any other choice, as the API describes it.
    case other(JSONValue)

    package var json: JSONValue {
        switch self {
        case .auto: "auto"
        case .none: "none"
        case .required: "required"
        case .function(let name): ["type": "function", "name": .string(name)]
        case .other(let json): json
        }
    }
}

/// The form of the answer's text.
package enum TextFormat: Sendable, Hashable {
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

/// The server's treatment of an input that is too long for the model.
package enum Truncation: String, Sendable, Hashable {
    /// It drops items from the middle.
    case auto
    /// It refuses.
    case disabled
}
