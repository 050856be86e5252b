// SPDX-License-Identifier: MIT

import StructuredJSON

/// Checks a request's body as the API does: the first fault is an error with its path in `param`.
struct RequestValidator {
    /// True if unknown fields are an error, as for OpenAI; other servers ignore them.
    let forbidsUnknown: Bool

    func check(_ value: JSONValue, _ shape: Shape, at path: String = "") throws(APIError) {
        switch (shape, value) {
        case (.any, _), (.nullable, .null), (.string, .string), (.boolean, .bool): return
        case (.nullable(let shape), _): try check(value, shape, at: path)
        case (.choice(let choices), .string(let text)):
            guard !choices.contains(text) else { return }
            throw .invalidValue(path, "Invalid value: '\(text)'. Supported values are: \(Self.list(choices)).")
        case (.integer(let range), _): try check(value, isIntegerIn: range, at: path)
        case (.number(let range), _): try check(value, isIn: range, at: path)
        case (.map(let shape), .object(let object)):
            for (name, member) in object { try check(member, shape, at: Self.join(path, name)) }
        case (.array(let shape, let count), .array(let values)):
            try check(values.count, isIn: count, at: path)
            for (index, element) in values.enumerated() { try check(element, shape, at: "\(path)[\(index)]") }
        case (.object(let fields), .object(let object)): try check(object, fields, at: path)
        case (.tagged(let variants, let otherwise), .object(let object)):
            try check(object, variants, otherwise, at: path)
        case (.either(let shapes), _):
            guard let shape = shapes.first(where: { Self.kindFits(value, $0) }) else {
                throw Self.wrongType(value, shape, at: path)
            }
            try check(value, shape, at: path)
        default: throw Self.wrongType(value, shape, at: path)
        }
    }

    private func check(_ object: JSONObject, _ fields: [Shape.Field], at path: String) throws(APIError) {
        for field in fields {
            if let member = object[field.name] {
                try check(member, field.shape, at: Self.join(path, field.name))
            } else if field.isRequired {
                let name = Self.join(path, field.name)
                throw .invalidValue(name, "Missing required parameter: '\(name)'.", code: "missing_required_parameter")
            }
        }
        guard forbidsUnknown else { return }
        for name in object.names where !fields.contains(where: { $0.name == name }) {
            let name = Self.join(path, name)
            throw .invalidValue(name, "Unknown parameter: '\(name)'.", code: "unknown_parameter")
        }
    }

    private func check(
        _ object: JSONObject, _ variants: [String: [Shape.Field]], _ otherwise: [Shape.Field]?, at path: String
    ) throws(APIError) {
        guard let type = object["type"] else {
            if let otherwise { return try check(object, otherwise, at: path) }
            let name = Self.join(path, "type")
            throw .invalidValue(name, "Missing required parameter: '\(name)'.", code: "missing_required_parameter")
        }
        guard let name = type.string else { throw Self.wrongType(type, .string, at: Self.join(path, "type")) }
        guard let fields = variants[name] else {
            guard forbidsUnknown else { return }
            throw .invalidValue(
                Self.join(path, "type"),
                "Invalid value: '\(name)'. Supported values are: \(Self.list(variants.keys.sorted())).")
        }
        try check(object, fields + [Shape.Field("type", .string)], at: path)
    }

    private func check(_ value: JSONValue, isIntegerIn range: ClosedRange<Int>?, at path: String) throws(APIError) {
        guard case .integer(let number) = value else { throw Self.wrongType(value, .integer(), at: path) }
        guard let range, !range.contains(number) else { return }
        let isAbove = number > range.upperBound
        throw .invalidValue(
            path,
            "Invalid '\(path)': integer \(isAbove ? "above maximum" : "below minimum") value. Expected a value "
                + "\(isAbove ? "<= \(range.upperBound)" : ">= \(range.lowerBound)"), but got \(number) instead.",
            code: isAbove ? "integer_above_max_value" : "integer_below_min_value")
    }

    private func check(_ value: JSONValue, isIn range: ClosedRange<Double>?, at path: String) throws(APIError) {
        guard let number = value.double else { throw Self.wrongType(value, .number(), at: path) }
        guard let range, !range.contains(number) else { return }
        let isAbove = number > range.upperBound
        throw .invalidValue(
            path,
            "Invalid '\(path)': decimal \(isAbove ? "above maximum" : "below minimum") value. Expected a value "
                + "\(isAbove ? "<= \(range.upperBound)" : ">= \(range.lowerBound)"), but got \(number) instead.",
            code: isAbove ? "decimal_above_max_value" : "decimal_below_min_value")
    }

    private func check(_ count: Int, isIn range: ClosedRange<Int>?, at path: String) throws(APIError) {
        guard let range, !range.contains(count) else { return }
        let isAbove = count > range.upperBound
        throw .invalidValue(
            path,
            "Invalid '\(path)': array too \(isAbove ? "long" : "short"). Expected an array with "
                + "\(isAbove ? "maximum length \(range.upperBound)" : "minimum length \(range.lowerBound)"), but got "
                + "an array with length \(count) instead.",
            code: isAbove ? "array_above_max_length" : "array_below_min_length")
    }

    private static func kindFits(_ value: JSONValue, _ shape: Shape) -> Bool {
        switch (shape, value) {
        case (.any, _), (.nullable, .null), (.string, .string), (.choice, .string), (.boolean, .bool): true
        case (.integer, .integer), (.number, .integer), (.number, .double), (.array, .array): true
        case (.map, .object), (.object, .object), (.tagged, .object): true
        case (.nullable(let shape), _): kindFits(value, shape)
        case (.either(let shapes), _): shapes.contains { kindFits(value, $0) }
        default: false
        }
    }

    private static func wrongType(_ value: JSONValue, _ shape: Shape, at path: String) -> APIError {
        .invalidValue(
            path,
            "Invalid type for '\(path)': expected \(shape.expectation), but got \(value.kindInWords) instead.",
            code: "invalid_type")
    }

    private static func join(_ path: String, _ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    private static func list(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }
}
