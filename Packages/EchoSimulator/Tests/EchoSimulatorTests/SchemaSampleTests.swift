// SPDX-License-Identifier: MIT

import StructuredJSON
import Testing

@testable import EchoSimulator

/// That made-up values satisfy their schemas, as the Python package jsonschema judges.
@Suite struct SchemaSampleTests {
    static let schemas: [JSONValue] = [
        ["type": "string", "minLength": 7], ["type": "string", "maxLength": 2],
        ["type": "string", "enum": ["b", "a"]],
        ["const": ["x": 1]], ["type": "integer", "minimum": 5, "maximum": 6],
        ["type": "integer", "exclusiveMinimum": 9],
        ["type": "integer", "multipleOf": 7, "minimum": 8], ["type": "integer", "multipleOf": 7, "maximum": 20],
        ["type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.1],
        ["type": "number", "maximum": -3], ["type": ["string", "null"]], ["type": "boolean"], ["type": "null"],
        ["type": "array", "items": ["type": "integer"], "minItems": 3], ["type": "array", "maxItems": 0],
        ["type": "string", "pattern": "^[A-Z]{2}-\\d{3,5}(x|y)?$"],
        ["type": "string", "pattern": "^(?:ab|cd)+[^a-z]$"],
        ["type": "string", "pattern": "^\\w+@\\w+\\.com$"],
        ["anyOf": [["type": "null"], ["type": "string", "maxLength": 3]]],
        ["oneOf": [["type": "integer"], ["type": "string"]]],
        [
            "allOf": [
                ["type": "object", "properties": ["a": ["type": "string"]], "required": ["a"]],
                ["properties": ["b": ["type": "integer"]], "required": ["b"]],
            ]
        ],
        [
            "type": "object", "required": ["next", "value"], "additionalProperties": false,
            "properties": ["value": ["type": "integer"], "next": ["anyOf": [["$ref": "#"], ["type": "null"]]]],
        ],
        [
            "type": "object", "required": ["tree"], "properties": ["tree": ["$ref": "#/$defs/tree"]],
            "$defs": [
                "tree": [
                    "type": "object", "required": ["name", "children"],
                    "properties": [
                        "name": ["type": "string"], "children": ["type": "array", "items": ["$ref": "#/$defs/tree"]],
                    ],
                ]
            ],
        ],
        [
            "type": "object", "required": ["when", "who", "which"],
            "properties": [
                "when": ["type": "string", "format": "date-time"], "who": ["type": "string", "format": "email"],
                "which": ["enum": [3, "x", nil]],
            ],
        ],
    ]

    @Test func samplesSatisfyTheirSchemas() async throws {
        let texts = ["", "Make \"Ada\" of 36 in Paris, 2.5 times", "12 -7 999999 Zürich"]
        let lines = Self.schemas.flatMap { schema in
            texts.map { text -> String in
                let value = SchemaSample(schema: schema, text: text).value()
                return JSONValue.object(["schema": schema, "value": value]).text
            }
        }
        #expect(try await PythonJudge.run(lines: lines, script: "samples.py") == lines.count)
    }

    @Test func theJudgeFindsAWrongSample() async throws {
        let line = JSONValue.object(["schema": ["type": "integer"], "value": "x"]).text
        await #expect(throws: PythonJudge.Failure.self) {
            try await PythonJudge.run(lines: [line], script: "samples.py")
        }
    }
}
