// SPDX-License-Identifier: MIT

/// Makes the schema of a tool's arguments from a program's parameters.
enum ToolParameters {
    /// The keywords that a schema has beside properties. No property's schema can be their value.
    private static let combinations = ["anyOf", "oneOf", "allOf"]

    /// The parameters as a schema: unchanged if they are one, else as the properties of an object.
    static func schema(of parameters: JSONObject) -> JSONObject {
        let isSchema =
            parameters["type"]?.string != nil || parameters["$ref"]?.string != nil
            || combinations.contains { parameters[$0]?.array != nil }
        return isSchema ? parameters : closedObject(parameters)
    }

    /// An object with these properties, each required, and no others.
    static func closedObject(_ properties: JSONObject) -> JSONObject {
        [
            "type": "object", "properties": .object(properties),
            "required": .array(properties.names.map { .string($0) }), "additionalProperties": false,
        ]
    }
}
