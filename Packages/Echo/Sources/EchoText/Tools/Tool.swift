// SPDX-License-Identifier: MIT

/// A function of the program that the model may call.
///
/// ```swift
/// let weather = Tool(
///     name: "get_weather", description: "Get weather for location", parameters: ["location": ["type": "string"]]
/// ) { arguments in
///     "Sunny in \(arguments["location"] as? String ?? "")"
/// }
/// ```
///
/// The handler gets arguments that fulfil the schema; others are returned to the model with the fault. Errors of the
/// handler are sent to the model, too, so an error's description should help it, and contain no secret.
public struct Tool: Sendable {
    /// The name for the model: 1 to 64 letters, digits, `_` and `-` of ASCII.
    public let name: String
    /// The purpose and the use, for the model.
    public let description: String
    /// The schema of its arguments: an object.
    public let schema: JSONSchema
    /// The reason why the tool cannot be used; a conversation throws it as ``EchoError/invalidConfiguration(_:)``.
    let problem: String?
    let handler: @Sendable (JSONValue) async throws -> String

    /// A tool whose parameters are Swift values.
    ///
    /// - Parameters:
    ///   - name: The tool's name for the model.
    ///   - description: The tool's purpose and use.
    ///   - parameters: A JSON Schema of an object (`"type": "object"`, with `properties`); or the bare properties, each
    ///     with its schema, all of which are then required and no others allowed.
    ///   - handler: Answers a call. Several may run at once; each is cancelled at its time limit, and in text when the
    ///     turn is interrupted. By voice, an interruption lets a handler that runs end by itself, and begins no other.
    public init(
        name: String, description: String, parameters: [String: Any],
        handler: @escaping @Sendable ([String: Any]) async throws -> String
    ) {
        var problem: String?
        var schema = JSONSchema(.object(ToolParameters.closedObject([:])))
        do throws(JSONBridgingError) {
            let members = try JSONValue(bridging: parameters).object ?? [:]
            schema = JSONSchema(.object(ToolParameters.schema(of: members)))
        } catch {
            problem = "The parameters of the tool \(name) are no JSON: \(error)"
        }
        self.init(name: name, description: description, schema: schema, problem: problem) { arguments in
            try await handler(arguments.object?.bridged ?? [:])
        }
    }

    /// A tool with a schema, whose handler reads JSON.
    public init(
        name: String, description: String, schema: JSONSchema,
        handler: @escaping @Sendable (JSONValue) async throws -> String
    ) {
        self.init(name: name, description: description, schema: schema, problem: nil, handler: handler)
    }

    /// A tool whose arguments are a type of the program; the schema is derived from it.
    public init<Arguments: Decodable & SendableMetatype>(
        name: String, description: String, arguments: Arguments.Type,
        handler: @escaping @Sendable (Arguments) async throws -> String
    ) {
        var problem: String?
        var schema = JSONSchema(.object(ToolParameters.closedObject([:])))
        do throws(JSONSchemaError) { schema = try JSONSchema.of(Arguments.self) } catch {
            problem = "The arguments of the tool \(name) have no schema: \(error)"
        }
        self.init(name: name, description: description, schema: schema, problem: problem) { arguments in
            try await handler(try JSONSchema.decode(Arguments.self, from: arguments))
        }
    }

    private init(
        name: String, description: String, schema: JSONSchema, problem: String?,
        handler: @escaping @Sendable (JSONValue) async throws -> String
    ) {
        self.name = name
        self.description = description
        self.schema = schema
        self.handler = handler
        self.problem = problem ?? Self.problem(name: name, schema: schema)
    }

    /// The same tool with another name.
    func renamed(_ name: String) -> Tool {
        Tool(name: name, description: description, schema: schema, problem: nil, handler: handler)
    }

    /// The tool in the API's form.
    var responseTool: ResponseTool {
        .function(name: name, description: description, parameters: schema.json, isStrict: isStrict)
    }

    /// The tool in a voice session's form.
    package var realtimeTool: ResponseTool {
        .function(name: name, description: description, parameters: schema.json)
    }

    /// True if the API can enforce the schema: its strict form is the schema itself.
    var isStrict: Bool {
        guard let strict = try? schema.strict() else { return false }
        return !strict.isWrapped && strict.schema == schema
    }

    private static func problem(name: String, schema: JSONSchema) -> String? {
        let isName =
            (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
        guard isName else { return "No tool can be called \"\(name)\": use 1 to 64 letters, digits, _ and -." }
        if let kind = schema.json["type"]?.string, kind != "object" {
            return "The arguments of the tool \(name) must be an object, not \(kind)."
        }
        return schema.json.object == nil ? "The schema of the tool \(name) must be an object." : nil
    }
}

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
