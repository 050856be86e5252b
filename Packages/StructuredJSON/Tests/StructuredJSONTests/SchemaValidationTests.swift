// SPDX-License-Identifier: MIT

import StructuredJSON
import Testing

@Suite struct SchemaValidationTests {
    /// A keyword, a value that it lets through and one that it does not.
    private static let rows: [(JSONSchema, JSONValue, JSONValue)] = [
        (["type": "integer"], 3.0, 3.5), (["type": ["string", "null"]], nil, 1), (["enum": [1, "a"]], 1.0, "b"),
        (["const": ["a": 1]], ["a": 1], ["a": 2]), (["minimum": 2], 2, 1), (["maximum": 2], 2, 3),
        (["exclusiveMinimum": 2], 2.1, 2), (["exclusiveMaximum": 2], 1, 2), (["multipleOf": 5], 15, 16),
        (["minLength": 2], "äö", "ä"), (["maxLength": 1], "😀", "ab"), (["minItems": 1], [0], []),
        (["maxItems": 1], [0], [0, 1]), (["uniqueItems": true], [1, 2], [1, 1.0]),
        (["items": ["type": "string"]], ["a"], [1]),
        (["prefixItems": [["type": "string"]], "items": false], ["a"], ["a", 1]),
        (["required": ["a"]], ["a": nil], ["b": 1]), (["properties": ["a": ["type": "string"]]], ["b": 1], ["a": 1]),
        (["properties": ["a": true], "additionalProperties": false], ["a": 1], ["b": 1]),
        (["anyOf": [["type": "string"], ["minimum": 3]]], 4, 1), (["oneOf": [["minimum": 1], ["minimum": 3]]], 2, 4),
        (["allOf": [["minimum": 1], ["maximum": 3]]], 2, 4), (["not": ["type": "string"]], 1, "a"),
        (["$ref": "#/$defs/a~1b", "$defs": ["a/b": ["type": "string"]]], "x", 1),
        (["$ref": "#/$defs/Partial%3CX%3E", "$defs": ["Partial<X>": ["type": "string"]]], "x", 1),
        (["$ref": "#/$defs/100%25%7E1", "$defs": ["100%/": ["type": "string"]]], "x", 1),
        (["multipleOf": 0.1], 0.3, 0.35), (["multipleOf": 2], 4_503_599_627_370_498, 4_503_599_627_370_497),
        (["multipleOf": 0.5], -1.5, 1.7),
    ]

    @Test func `each amount of cents is a multiple of 0.01`() {
        let cents: JSONSchema = ["multipleOf": 0.01]
        for amount in 0...2_000 {
            #expect(cents.violations(of: .double(Double(amount) / 100)).isEmpty, "\(amount)")
            #expect(!cents.violations(of: .double(Double(amount) / 100 + 0.001)).isEmpty, "\(amount)")
        }
    }

    @Test(arguments: rows)
    func eachKeyword(schema: JSONSchema, valid: JSONValue, invalid: JSONValue) throws {
        try schema.validate(valid)
        let error = try #require(throws: JSONSchemaViolations.self) { try schema.validate(invalid) }
        #expect(error.violations.count == 1, "\(error)")
    }

    @Test func aSchemaWithoutAnEndEnds() {
        #expect(!JSONSchema(["$ref": "#"]).violations(of: 1).isEmpty)
        let explosion: JSONSchema = ["anyOf": [["$ref": "#"], ["$ref": "#"], ["$ref": "#"]]]
        #expect(!explosion.violations(of: 1).isEmpty)
        for target in ["https://example.org/schema", "#/%", "#/%4", "#/%+1", "#/%FF"] {
            #expect(!JSONSchema(["$ref": .string(target)]).violations(of: 1).isEmpty)
        }
    }

    @Test func `a schema without an end is violated below a negation and a choice`() {
        let endless: JSONValue = ["l": ["$ref": "#/$defs/l"]]
        #expect(!JSONSchema(["not": ["$ref": "#/$defs/l"], "$defs": endless]).violations(of: 1).isEmpty)
        let items: JSONValue = ["items": ["type": "integer"]]
        let many = JSONValue.array(Array(repeating: 1, count: 100_001))
        let found = JSONSchema(["oneOf": [["type": "array"], items]]).violations(of: many)
        #expect(found.map(\.problem) == ["is too deep or too large for its schema"])
    }

    @Test func theChoiceThatComesNearestIsExplained() {
        let schema: JSONSchema = [
            "oneOf": [
                ["type": "object", "required": ["a"], "properties": ["a": ["type": "string"]]],
                ["type": "integer"],
            ]
        ]
        #expect(schema.violations(of: ["a": 1]).map(\.description) == ["/a must be of type string, not integer."])
    }
}
