// SPDX-License-Identifier: MIT

import FoundationEssentials
import StructuredJSON
import Testing

private struct Profile: Codable, Equatable {
    let name: String
    let age: Int
    let email: String?
    let scores: [Double]
    let color: Color
}

private enum Color: String, Codable { case red, green = "grün" }
private enum Size: Int, Codable, CaseIterable { case small = 1, large = 10 }

private enum Figure: Codable, Equatable {
    case circle(radius: Double)
    case box(width: Int, height: Int)
    case named(String)
    case nothing
}

private struct Tree: Codable, Equatable {
    let value: Int
    let children: [Tree]
}

private indirect enum Expression: Codable {
    case sum(Expression, Expression)
    case number(Int)
}

private final class Endless: Codable { let next: Endless }

private class Animal: Codable { let legs: Int }
private final class Dog: Animal {
    let name: String
    private enum Keys: CodingKey { case name }
    required init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .name)
        try super.init(from: decoder)
    }
}

private struct Odd: Decodable {
    init(from decoder: any Decoder) throws {
        guard try decoder.singleValueContainer().decode(String.self) == "sesame" else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "Not the word."))
        }
    }
}

private struct Explained: Codable, JSONSchemaDescribed {
    let when: Date
    let data: Data
    let page: URL
    static let schemaDescription: String? = "An entry."
    static let propertyDescriptions = ["when": "The day it was written."]
}

@Suite struct SchemaDerivationTests {
    @Test func aStructIsAClosedObject() throws {
        #expect(
            try JSONSchema.of(Profile.self).json == [
                "type": "object",
                "properties": [
                    "name": ["type": "string"], "age": ["type": "integer"], "email": ["type": ["string", "null"]],
                    "scores": ["type": "array", "items": ["type": "number"]],
                    "color": ["type": "string", "enum": ["red", "grün"]],
                ],
                "required": ["name", "age", "scores", "color"], "additionalProperties": false,
            ])
        let names = try JSONSchema.of(Profile.self).json["properties"]?.object?.names
        #expect(names == ["name", "age", "email", "scores", "color"])
    }

    @Test func enumerationsWithoutPayloadsAreTheirRawValues() throws {
        #expect(try JSONSchema.of(Color.self).json == ["type": "string", "enum": ["red", "grün"]])
        #expect(try JSONSchema.of(Size.self).json == ["type": "integer", "enum": [1, 10]])
    }

    @Test func enumerationsWithPayloadsAreOneOf() throws {
        let schema = try JSONSchema.of(Figure.self)
        let choices = try #require(schema.json["oneOf"]?.array)
        #expect(choices.compactMap { $0["required"]?[0]?.string } == ["circle", "box", "named", "nothing"])
        #expect(choices[1]["properties"]?["box"]?["properties"]?.object?.names == ["width", "height"])
        for figure in [Figure.circle(radius: 1), .box(width: 1, height: 2), .named("x"), .nothing] {
            let coded = try JSONValue(parsing: Array(try JSONEncoder().encode(figure)))
            #expect(schema.violations(of: coded).isEmpty, "\(coded)")
            #expect(try JSONSchema.decode(Figure.self, from: coded) == figure)
        }
        #expect(!schema.violations(of: ["circle": ["radius": "wide"]]).isEmpty)
        #expect(!schema.violations(of: ["circle": ["radius": 1], "nothing": [:]]).isEmpty)
    }

    @Test func whatContainsItselfIsAReference() throws {
        let schema = try JSONSchema.of(Tree.self)
        #expect(schema.json["properties"]?["children"]?["items"] == ["$ref": "#"])
        #expect(schema.violations(of: ["value": 1, "children": [["value": 2, "children": []]]]).isEmpty)
        #expect(
            schema.violations(of: ["value": 1, "children": [["value": "x", "children": []]]]).map(\.path) == [
                "/children/0/value"
            ])
        let inner = try JSONSchema.of([Tree].self).json
        #expect(inner["items"] == ["$ref": "#/$defs/Tree"] && inner["$defs"]?["Tree"]?["type"] == "object")
        let sum = try JSONSchema.of(Expression.self)
        #expect(sum.json["oneOf"]?.array?.count == 2)
        #expect(sum.violations(of: ["sum": ["_0": ["number": ["_0": 1]], "_1": ["number": ["_0": 2]]]]).isEmpty)
    }

    @Test func whatNeverEndsOrNeedsRealDataIsRefused() throws {
        #expect(throws: JSONSchemaError.endless(type: "Endless")) { try JSONSchema.of(Endless.self) }
        let error = try #require(throws: JSONSchemaError.self) { try JSONSchema.of(Odd.self) }
        guard case .notDerivable(let type, _) = error else { return #expect(Bool(false), "\(error)") }
        #expect(type == "Odd")
    }

    @Test func aSubclassHasItsOwnPropertiesAndItsSuperclass() throws {
        #expect(try JSONSchema.of(Dog.self).json["properties"]?.object?.names == ["name", "legs"])
    }

    @Test func datesDataAndAddressesAreText() throws {
        let schema = try JSONSchema.of(Explained.self).json
        #expect(schema["description"] == "An entry.")
        #expect(
            schema["properties"]?["when"]
                == ["type": "string", "format": "date-time", "description": "The day it was written."])
        let value: JSONValue = ["when": "2026-01-02T03:04:05.5Z", "data": "AQI=", "page": "https://example.org/a"]
        let entry = try JSONSchema.decode(Explained.self, from: value)
        #expect(entry.data == Data([1, 2]) && entry.when.timeIntervalSince1970 == 1_767_323_045.5)
        #expect(throws: DecodingError.self) {
            try JSONSchema.decode(Explained.self, from: ["when": "soon", "data": "", "page": "x:"])
        }
    }
}
