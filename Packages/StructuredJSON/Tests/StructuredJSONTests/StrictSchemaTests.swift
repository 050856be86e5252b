// SPDX-License-Identifier: MIT

import StructuredJSON
import Testing

private struct Person: Codable {
    let name: String
    let nick: String?
    let friend: Friend?
    let kind: Kind?
    struct Friend: Codable { let since: Int }
    enum Kind: String, Codable { case near, far }
}

private struct Chain: Codable { let next: [Chain] }

@Suite struct StrictSchemaTests {
    @Test func everyPropertyIsRequiredAndOptionalOnesMayBeNull() throws {
        let strict = try JSONSchema.of(Person.self).strict()
        #expect(!strict.isWrapped)
        let json = strict.schema.json
        #expect(json["required"] == ["name", "nick", "friend", "kind"] && json["additionalProperties"] == false)
        #expect(json["properties"]?["nick"]?["type"] == ["string", "null"])
        #expect(json["properties"]?["kind"]?["enum"] == ["near", "far", nil])
        #expect(json["properties"]?["friend"]?["required"] == ["since"])
        let answer: JSONValue = ["name": "A", "nick": nil, "friend": nil, "kind": nil]
        #expect(strict.schema.violations(of: answer).isEmpty)
        #expect(try JSONSchema.of(Person.self).violations(of: answer).isEmpty)
        #expect(try JSONSchema.decode(Person.self, from: answer).nick == nil)
    }

    @Test func aRootThatIsNoObjectLiesInOne() throws {
        let strict = try JSONSchema.of([Chain].self).strict()
        #expect(strict.isWrapped && strict.schema.json["type"] == "object")
        let answer: JSONValue = ["value": [["next": [["next": []]]]]]
        #expect(strict.schema.violations(of: answer).isEmpty)
        #expect(strict.unwrap(answer) == [["next": [["next": []]]]])
        let choice: JSONSchema = ["oneOf": [["type": "string"], ["type": "array", "items": ["$ref": "#"]]]]
        let wrapped = try choice.strict().schema
        #expect(wrapped.json["properties"]?["value"]?["anyOf"]?.array?.count == 2)
        #expect(wrapped.violations(of: ["value": [["a"], "b"]]).isEmpty)
        #expect(!wrapped.violations(of: ["value": [[1]]]).isEmpty)
    }

    private static let refused: [(JSONValue, String, String)] = [
        (["type": "object", "additionalProperties": ["type": "string"]], "", "additionalProperties"),
        (["type": "object", "properties": ["a": ["allOf": []]]], "/properties/a", "allOf"),
        (["type": "array", "items": [:]], "/items", "no type"),
    ]

    @Test(arguments: refused)
    func whatHasNoStrictFormIsSaid(json: JSONValue, path: String, keyword: String) {
        #expect(throws: JSONSchemaError.notStrict(path: path, keyword: keyword)) { try JSONSchema(json).strict() }
    }
}
