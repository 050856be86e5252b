// SPDX-License-Identifier: MIT

import StructuredJSON

/// A value that satisfies a JSON schema (draft 2020-12), made from the words of a message.
///
/// It supports the keywords of structured output, and `oneOf` and `allOf`: types, properties, items, `enum`, `const`,
/// `anyOf`, references, bounds, formats, and patterns of characters, classes, groups and counts.
struct SchemaSample {
    let schema: JSONValue
    let text: String

    private static let deepest = 24

    func value() -> JSONValue {
        var words = SampleWords(text)
        return sample(schema, name: "value", depth: 0, &words)
    }

    private func sample(_ schema: JSONValue, name: String, depth: Int, _ words: inout SampleWords) -> JSONValue {
        if let reference = schema["$ref"]?.string {
            return sample(resolve(reference), name: name, depth: depth + 1, &words)
        }
        if let constant = schema["const"] { return constant }
        if let choices = schema["enum"]?.array, let first = choices.first {
            return choices.first { $0.string.map(words.mentions) ?? false } ?? first
        }
        if let all = schema["allOf"]?.array { return sample(merge(schema, all), name: name, depth: depth, &words) }
        if let some = schema["anyOf"]?.array ?? schema["oneOf"]?.array {
            return sample(choose(some, depth), name: name, depth: depth + 1, &words)
        }
        switch type(of: schema, depth) {
        case "object": return object(schema, depth, &words)
        case "array": return array(schema, name, depth, &words)
        case "integer": return .integer(SampleNumber(schema).integer(words.number()))
        case "number": return SampleNumber(schema).number(words.number())
        case "boolean": return true
        case "null": return nil
        default: return .string(SampleText(schema: schema, name: name).text(&words))
        }
    }

    private func object(_ schema: JSONValue, _ depth: Int, _ words: inout SampleWords) -> JSONValue {
        var object = JSONObject()
        let required = Set((schema["required"]?.array ?? []).compactMap(\.string))
        for (name, property) in schema["properties"]?.object ?? [:] {
            guard required.contains(name) || depth < Self.deepest / 2 && !refers(property) else { continue }
            object[name] = sample(property, name: name, depth: depth + 1, &words)
        }
        return .object(object)
    }

    private func array(_ schema: JSONValue, _ name: String, _ depth: Int, _ words: inout SampleWords) -> JSONValue {
        let least = schema["minItems"]?.integer ?? 0
        let count = max(least, depth > Self.deepest / 2 || refers(schema["items"] ?? nil) ? 0 : 1)
        let most = schema["maxItems"]?.integer ?? .max
        let items: JSONValue = schema["items"] ?? ["type": "string"]
        return .array((0..<min(count, most, 100)).map { _ in sample(items, name: name, depth: depth + 1, &words) })
    }

    /// The type to make: the schema's own, or the one that its keywords imply; null, if allowed, where it nests too
    /// deep.
    private func type(of schema: JSONValue, _ depth: Int) -> String {
        if let type = schema["type"]?.string { return type }
        if let types = schema["type"]?.array?.compactMap(\.string), let first = types.first {
            return depth > Self.deepest / 2 && types.contains("null") ? "null" : first
        }
        if schema["properties"] != nil { return "object" }
        if schema["items"] != nil { return "array" }
        return schema["minimum"] != nil || schema["maximum"] != nil ? "number" : "string"
    }

    /// Chooses a variant; where recursion nests too deep, one that ends it.
    private func choose(_ variants: [JSONValue], _ depth: Int) -> JSONValue {
        let ends = variants.first { $0["type"]?.string == "null" } ?? variants.first { !refers($0) }
        if depth > Self.deepest / 2, let ends { return ends }
        return variants.first { !refers($0) && $0["type"]?.string != "null" } ?? variants.first ?? [:]
    }

    private func refers(_ schema: JSONValue) -> Bool {
        switch schema {
        case .object(let object):
            object["$ref"] != nil || object.contains { $0.name != "$defs" && refers($0.value) }
        case .array(let values): values.contains(where: refers)
        default: false
        }
    }

    private func resolve(_ reference: String) -> JSONValue {
        var target = schema
        for part in reference.split(separator: "/").dropFirst(reference.hasPrefix("#") ? 1 : 0) {
            target = target[String(part)] ?? [:]
        }
        return target
    }

    private func merge(_ schema: JSONValue, _ parts: [JSONValue]) -> JSONValue {
        var merged = schema.object ?? [:]
        merged["allOf"] = nil
        for part in parts {
            let part = part["$ref"]?.string.map(resolve) ?? part
            for (name, value) in part.object ?? [:] {
                switch (merged[name], value) {
                case (.object(let first)?, .object(let second)):
                    merged[name] = .object(
                        JSONObject(first.map { ($0.name, $0.value) } + second.map { ($0.name, $0.value) }))
                case (.array(let first)?, .array(let second)): merged[name] = .array(first + second)
                default: merged[name] = value
                }
            }
        }
        return .object(merged)
    }
}
