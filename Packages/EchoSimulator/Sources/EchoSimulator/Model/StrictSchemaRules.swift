// SPDX-License-Identifier: MIT

import StructuredJSON

/// The rules for a schema where `strict` is true: every object is closed, every property is required, and the API knows
/// every keyword.
enum StrictSchemaRules {
    private static let forbidden = [
        "oneOf", "allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "patternProperties",
        "unevaluatedProperties", "contains", "uniqueItems", "propertyNames", "minProperties", "maxProperties",
    ]

    /// The schemas of a request to `/v1/responses`.
    static func checkResponses(_ body: JSONValue) throws(APIError) {
        if let format = body["text"]?["format"], format["type"]?.string == "json_schema" {
            try check(format["schema"], strict: format["strict"], "response_format", format, "text.format.schema")
        }
        for (index, tool) in (body["tools"]?.array ?? []).enumerated() where tool["type"]?.string == "function" {
            // A function is strict unless it says otherwise.
            guard let parameters = tool["parameters"], !parameters.isNull, tool["strict"]?.bool == true else {
                continue
            }
            try check(parameters, strict: true, "function", tool, "tools[\(index)].parameters")
        }
    }

    /// The schemas of a request to `/v1/chat/completions`.
    static func checkChat(_ body: JSONValue) throws(APIError) {
        if let format = body["response_format"]?["json_schema"] {
            try check(format["schema"], strict: format["strict"], "response_format", format, "response_format")
        }
        for (index, tool) in (body["tools"]?.array ?? []).enumerated() {
            guard let function = tool["function"], function["strict"]?.bool == true else { continue }
            try check(
                function["parameters"], strict: true, "function", function, "tools[\(index)].function.parameters")
        }
    }

    private static func check(
        _ schema: JSONValue?, strict: JSONValue?, _ kind: String, _ owner: JSONValue, _ param: String
    ) throws(APIError) {
        guard strict?.bool == true, let schema else { return }
        let reason: String?
        if schema["type"]?.string != "object" {
            reason = "schema must be a JSON Schema of 'type: \"object\"', got 'type: \(schema["type"]?.text ?? "None")'"
        } else {
            reason = fault(schema, context: [])
        }
        guard let reason else { return }
        throw APIError(
            status: 400, message: "Invalid schema for \(kind) '\(owner["name"]?.string ?? "")': \(reason).",
            param: param, code: kind == "function" ? "invalid_function_parameters" : "invalid_json_schema")
    }

    private static func fault(_ schema: JSONValue, context: [String]) -> String? {
        guard let object = schema.object else { return nil }
        let place = "In context=(\(context.map { "'\($0)'" }.joined(separator: ", ")))"
        if let name = forbidden.first(where: { object[$0] != nil }) { return "\(place), '\(name)' is not permitted" }
        if isObject(object) {
            guard object["additionalProperties"]?.bool == false else {
                return "\(place), 'additionalProperties' is required to be supplied and to be false"
            }
            let required = Set((object["required"]?.array ?? []).compactMap(\.string))
            if let missing = (object["properties"]?.object?.names ?? []).first(where: { !required.contains($0) }) {
                return "\(place), 'required' is required to be supplied and to be an array including every key in "
                    + "properties. Missing '\(missing)'"
            }
        }
        return faultInside(object, context: context)
    }

    private static func isObject(_ schema: JSONObject) -> Bool {
        schema["type"]?.string == "object" || schema["type"]?.array?.contains("object") ?? false
            || schema["properties"] != nil
    }

    private static func faultInside(_ schema: JSONObject, context: [String]) -> String? {
        for keyword in ["properties", "$defs", "definitions"] {
            for (name, property) in schema[keyword]?.object ?? [:] {
                if let fault = fault(property, context: context + [keyword, name]) { return fault }
            }
        }
        if let items = schema["items"], let fault = fault(items, context: context + ["items"]) { return fault }
        for (index, variant) in (schema["anyOf"]?.array ?? []).enumerated() {
            if let fault = fault(variant, context: context + ["anyOf", "\(index)"]) { return fault }
        }
        return nil
    }
}
