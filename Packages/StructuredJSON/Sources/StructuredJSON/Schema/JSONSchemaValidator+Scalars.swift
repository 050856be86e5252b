// SPDX-License-Identifier: MIT

extension JSONSchemaValidator {
    func typeProblem(_ value: JSONValue, _ keywords: JSONObject) -> String? {
        guard let wanted = keywords["type"] else { return nil }
        let types = (wanted.array ?? [wanted]).compactMap(\.string)
        guard !types.contains(where: { has(value, type: $0) }) else { return nil }
        return "must be of type \(types.joined(separator: " or ")), not \(value.kind)"
    }

    private func has(_ value: JSONValue, type: String) -> Bool {
        switch type {
        case "integer": value.integer != nil || value.double.map { $0 == $0.rounded() && $0.isFinite } ?? false
        case "number": value.double != nil
        default: value.kind == type
        }
    }

    func choiceProblem(_ value: JSONValue, _ keywords: JSONObject) -> String? {
        if let choices = keywords["enum"]?.array, !choices.contains(value) {
            return "must be one of \(choices.prefix(20).map(\.text).joined(separator: ", "))"
        }
        if let constant = keywords["const"], constant != value { return "must be \(constant.text)" }
        return nil
    }

    func scalarProblems(_ value: JSONValue, _ keywords: JSONObject) -> [String] {
        if let text = value.string { return lengthProblems(text, keywords) }
        guard let number = value.double else { return [] }
        func bound(_ keyword: String) -> Double? { keywords[keyword]?.double }
        var problems: [String] = []
        if let least = bound("minimum"), number < least { problems.append("must be at least \(least)") }
        if let most = bound("maximum"), number > most { problems.append("must be at most \(most)") }
        if let limit = bound("exclusiveMinimum"), number <= limit { problems.append("must be more than \(limit)") }
        if let limit = bound("exclusiveMaximum"), number >= limit { problems.append("must be less than \(limit)") }
        if let step = keywords["multipleOf"], let size = step.double, size > 0, !isMultiple(value, of: step) {
            problems.append("must be a multiple of \(size)")
        }
        return problems
    }

    /// 0.3 is a multiple of 0.1, though neither has an exact `Double` and the quotient is not whole.
    private func isMultiple(_ value: JSONValue, of step: JSONValue) -> Bool {
        if let whole = value.integer, let step = step.integer { return whole.isMultiple(of: step) }
        guard let value = value.double, let step = step.double else { return false }
        let quotient = value / step
        return abs(quotient - quotient.rounded()) <= 4 * quotient.ulp
    }

    /// Compares lengths in Unicode code points, as the standard requires.
    private func lengthProblems(_ text: String, _ keywords: JSONObject) -> [String] {
        var problems: [String] = []
        let length = text.unicodeScalars.count
        if let least = keywords["minLength"]?.integer, length < least {
            problems.append("must have at least \(least) characters")
        }
        if let most = keywords["maxLength"]?.integer, length > most {
            problems.append("must have at most \(most) characters")
        }
        return problems
    }
}
