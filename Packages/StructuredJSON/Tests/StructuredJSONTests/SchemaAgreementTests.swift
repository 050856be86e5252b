// SPDX-License-Identifier: MIT

import StructuredJSON
import TestKit
import Testing

private struct Order: Codable {
    let id: UInt16
    let note: String?
    let lines: [Line]
    let state: State
    let labels: [String: Bool]
    let paid: Payment?
    struct Line: Codable {
        let name: String
        let price: Double
        let parts: [Line]?
    }
    enum State: String, Codable { case open, shipped }
    enum Payment: Codable {
        case card(number: String)
        case cash
    }
}

/// A schema promises what the decoder does: whatever it lets through decodes, also after the way through strict mode.
@Suite struct SchemaAgreementTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func whatTheSchemaLetsThroughDecodes(seed: UInt64) throws {
        let schema = try JSONSchema.of(Order.self)
        var maker = ValueMaker(root: schema.json, random: SeededGenerator(seed: seed))
        var counts = (valid: 0, invalid: 0)
        for round in 0..<500 {
            var value = maker.value(schema.json, depth: 0)
            #expect(schema.violations(of: value).isEmpty, "seed \(seed), round \(round): \(value)")
            _ = try JSONSchema.decode(Order.self, from: value)
            value = maker.damage(value)
            if schema.violations(of: value).isEmpty {
                counts.valid += 1
                #expect(throws: Never.self, "seed \(seed), round \(round): \(value)") {
                    try JSONSchema.decode(Order.self, from: value)
                }
            } else {
                counts.invalid += 1
            }
        }
        #expect(counts.valid > 20 && counts.invalid > 100, "\(counts)")
    }
}

/// Makes values that fit a schema, and damages them.
private struct ValueMaker {
    let root: JSONValue
    var random: SeededGenerator

    mutating func value(_ schema: JSONValue, depth: Int) -> JSONValue {
        if let reference = schema["$ref"]?.string {
            let target = reference.split(separator: "/").dropFirst().reduce(root) { $0[String($1)] ?? .null }
            return value(target, depth: depth + 1)
        }
        if let choices = schema["enum"]?.array, let choice = choices.randomElement(using: &random) { return choice }
        if let choices = (schema["oneOf"] ?? schema["anyOf"])?.array {
            // The deeper, the sooner it takes the last choice, which is null where there is one.
            let choice = depth > 3 ? choices.last : choices.randomElement(using: &random)
            return choice.map { value($0, depth: depth + 1) } ?? .null
        }
        let types = schema["type"]?.array ?? [schema["type"] ?? "null"]
        let type = depth > 3 ? types.last : types.randomElement(using: &random)
        switch type {
        case "object": return object(schema, depth: depth)
        case "array":
            let count = depth > 3 ? 0 : Int.random(in: 0...2, using: &random)
            return .array((0..<count).map { _ in value(schema["items"] ?? [:], depth: depth + 1) })
        case "string": return ["", "a", "é\n"].randomElement(using: &random) ?? ""
        case "integer": return .integer(.random(in: (schema["minimum"]?.integer ?? -9)...9, using: &random))
        case "number": return .double(.random(in: -9...9, using: &random))
        case "boolean": return .bool(.random(using: &random))
        default: return .null
        }
    }

    private mutating func object(_ schema: JSONValue, depth: Int) -> JSONValue {
        var object = JSONObject()
        let required = schema["required"]?.array ?? []
        for (name, property) in schema["properties"]?.object ?? [:] {
            guard required.contains(.string(name)) || Bool.random(using: &random) else { continue }
            object[name] = value(property, depth: depth + 1)
        }
        if let others = schema["additionalProperties"], others.object != nil {
            object["any"] = value(others, depth: depth)
        }
        return .object(object)
    }

    /// One place somewhere in it becomes something else, or goes.
    mutating func damage(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(var object) where !object.isEmpty && Int.random(in: 0..<4, using: &random) > 0:
            guard let name = object.names.randomElement(using: &random), let member = object[name] else { return value }
            object[name] = Int.random(in: 0..<6, using: &random) == 0 ? nil : damage(member)
            return .object(object)
        case .array(var elements) where !elements.isEmpty && Bool.random(using: &random):
            let index = Int.random(in: elements.indices, using: &random)
            elements[index] = damage(elements[index])
            return .array(elements)
        default:
            let others: [JSONValue] = [nil, true, 0, -1, 1.0, 1.5, 70_000, "x", "open", [], [nil], [:], ["cash": [:]]]
            return others.randomElement(using: &random) ?? .null
        }
    }
}
