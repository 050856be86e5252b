// SPDX-License-Identifier: MIT

/// Walks a value and its schema side by side.
struct JSONSchemaValidator {
    private static let maximumDepth = 256
    private static let maximumSteps = 100_000

    private let root: JSONValue
    private var steps = 0
    private var exhaustion: JSONSchemaViolation?

    init(root: JSONValue) { self.root = root }

    mutating func violations(of value: JSONValue) -> [JSONSchemaViolation] {
        let found = check(value, root, path: "", depth: 0)
        // Below `not` and `oneOf` a violation can make the value valid.
        return exhaustion.map { [$0] } ?? found
    }

    private mutating func check(
        _ value: JSONValue, _ schema: JSONValue, path: String, depth: Int
    ) -> [JSONSchemaViolation] {
        func violation(_ problem: String) -> [JSONSchemaViolation] {
            [JSONSchemaViolation(path: path, problem: problem)]
        }
        steps += 1
        guard depth < Self.maximumDepth, steps < Self.maximumSteps else {
            let violations = violation("is too deep or too large for its schema")
            exhaustion = exhaustion ?? violations[0]
            return violations
        }
        guard case .object(let keywords) = schema else {
            return schema == false ? violation("is not allowed") : []
        }
        var found: [JSONSchemaViolation] = []
        if let target = keywords["$ref"]?.string {
            guard let referred = resolve(target) else { return violation("has a schema without \(target)") }
            found += check(value, referred, path: path, depth: depth + 1)
        }
        found += (typeProblem(value, keywords) ?? choiceProblem(value, keywords)).map(violation) ?? []
        guard found.isEmpty else { return found }
        switch value {
        case .object(let object): found += checkMembers(object, keywords, path: path, depth: depth)
        case .array(let elements): found += checkElements(elements, keywords, path: path, depth: depth)
        default: found += scalarProblems(value, keywords).flatMap(violation)
        }
        return found + checkCombinations(value, keywords, path: path, depth: depth)
    }

    private func resolve(_ reference: String) -> JSONValue? {
        guard reference.hasPrefix("#"), let pointer = decoded(reference.dropFirst()) else { return nil }
        var place = root
        for step in pointer.split(separator: "/") {
            let name = String(step).replacing("~1", with: "/").replacing("~0", with: "~")
            if let member = place[name] {
                place = member
            } else if let index = Int(name), let element = place[index] {
                place = element
            } else {
                return nil
            }
        }
        return place
    }

    /// The text of a URI's fragment, which is percent-encoded (RFC 6901 §6); nil if it is invalid.
    private func decoded(_ fragment: Substring) -> String? {
        let parts = fragment.split(separator: "%", omittingEmptySubsequences: false)
        var bytes = Array(parts[0].utf8)
        for part in parts.dropFirst() {
            let digits = part.prefix(2)
            guard digits.count == 2, digits.allSatisfy(\.isHexDigit), let byte = UInt8(digits, radix: 16) else {
                return nil
            }
            bytes.append(byte)
            bytes += part.dropFirst(2).utf8
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private mutating func checkMembers(
        _ object: JSONObject, _ keywords: JSONObject, path: String, depth: Int
    ) -> [JSONSchemaViolation] {
        let properties = keywords["properties"]?.object ?? [:]
        var found: [JSONSchemaViolation] = []
        for name in (keywords["required"]?.array ?? []).compactMap(\.string) where object[name] == nil {
            found.append(JSONSchemaViolation(path: path + "/" + pointer(name), problem: "is missing"))
        }
        for (name, value) in object {
            let place = path + "/" + pointer(name)
            if let schema = properties[name] {
                found += check(value, schema, path: place, depth: depth + 1)
            } else if let schema = keywords["additionalProperties"], keywords["patternProperties"] == nil {
                found += check(value, schema, path: place, depth: depth + 1)
            }
        }
        return found
    }

    private func pointer(_ name: String) -> String { name.replacing("~", with: "~0").replacing("/", with: "~1") }

    private mutating func checkElements(
        _ elements: [JSONValue], _ keywords: JSONObject, path: String, depth: Int
    ) -> [JSONSchemaViolation] {
        var found: [JSONSchemaViolation] = []
        func add(_ problem: String) { found.append(JSONSchemaViolation(path: path, problem: problem)) }
        if let least = keywords["minItems"]?.integer, elements.count < least {
            add("must have at least \(least) items")
        }
        if let most = keywords["maxItems"]?.integer, elements.count > most { add("must have at most \(most) items") }
        if keywords["uniqueItems"] == true, Set(elements).count < elements.count { add("must not repeat an item") }
        let first = keywords["prefixItems"]?.array ?? []
        for (index, element) in elements.enumerated() {
            guard let schema = index < first.count ? first[index] : keywords["items"] else { continue }
            found += check(element, schema, path: path + "/\(index)", depth: depth + 1)
        }
        return found
    }

    private mutating func checkCombinations(
        _ value: JSONValue, _ keywords: JSONObject, path: String, depth: Int
    ) -> [JSONSchemaViolation] {
        var found: [JSONSchemaViolation] = []
        for schema in keywords["allOf"]?.array ?? [] { found += check(value, schema, path: path, depth: depth + 1) }
        if let choices = keywords["anyOf"]?.array {
            found += checkChoices(value, choices, path: path, depth: depth, exactlyOne: false)
        }
        if let choices = keywords["oneOf"]?.array {
            found += checkChoices(value, choices, path: path, depth: depth, exactlyOne: true)
        }
        if let schema = keywords["not"], check(value, schema, path: path, depth: depth + 1).isEmpty {
            found.append(JSONSchemaViolation(path: path, problem: "is what its schema rules out"))
        }
        return found
    }

    /// Reports, if no choice fits, the problems of the nearest one.
    private mutating func checkChoices(
        _ value: JSONValue, _ choices: [JSONValue], path: String, depth: Int, exactlyOne: Bool
    ) -> [JSONSchemaViolation] {
        var fitting = 0
        var nearest: [JSONSchemaViolation]?
        for choice in choices {
            let found = check(value, choice, path: path, depth: depth + 1)
            if found.isEmpty { fitting += 1 } else if isNearer(found, than: nearest, path: path) { nearest = found }
        }
        if fitting == 0 {
            return nearest ?? [JSONSchemaViolation(path: path, problem: "fits none of the choices in its schema")]
        }
        guard exactlyOne, fitting > 1 else { return [] }
        return [JSONSchemaViolation(path: path, problem: "fits \(fitting) choices where its schema requires one")]
    }

    /// Problems deeper in the value mean that the choice was right so far.
    private func isNearer(
        _ found: [JSONSchemaViolation], than other: [JSONSchemaViolation]?, path: String
    ) -> Bool {
        guard let other else { return true }
        func deeper(_ violations: [JSONSchemaViolation]) -> Bool { violations.allSatisfy { $0.path != path } }
        return deeper(found) == deeper(other) ? found.count < other.count : deeper(found)
    }
}

/// One part of a value that its schema does not allow.
public struct JSONSchemaViolation: Sendable, Hashable {
    /// The place in the value, as a JSON Pointer (RFC 6901); empty for the whole.
    public let path: String
    /// The fault, for a model or a person: "is missing", "must be a string".
    public let problem: String
}

extension JSONSchemaViolation: CustomStringConvertible {
    /// Place and problem.
    public var description: String { (path.isEmpty ? "The value" : path) + " " + problem + "." }
}

/// All parts of a value that its schema does not allow.
public struct JSONSchemaViolations: Error, Hashable {
    /// At least one.
    public let violations: [JSONSchemaViolation]

    init(_ violations: [JSONSchemaViolation]) { self.violations = violations }
}

extension JSONSchemaViolations: CustomStringConvertible {
    /// The violations, one line each.
    public var description: String { violations.map(\.description).joined(separator: "\n") }
}
