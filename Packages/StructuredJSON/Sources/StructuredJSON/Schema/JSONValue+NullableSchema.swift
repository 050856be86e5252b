// SPDX-License-Identifier: MIT

extension JSONValue {
    /// This schema, or null: what an optional property looks like. A schema which allows null already stays as it is.
    var nullableSchema: JSONValue {
        guard case .object(var keywords) = self, !keywords.isEmpty else { return self }
        if var choices = keywords["anyOf"]?.array {
            if !choices.contains(["type": "null"]) { choices.append(["type": "null"]) }
            keywords["anyOf"] = .array(choices)
            return .object(keywords)
        }
        guard let type = keywords["type"], keywords["const"] == nil else { return ["anyOf": [self, ["type": "null"]]] }
        let types = type.array ?? [type]
        keywords["type"] = .array(types.contains("null") ? types : types + ["null"])
        if let values = keywords["enum"]?.array, !values.contains(.null) { keywords["enum"] = .array(values + [.null]) }
        return .object(keywords)
    }
}
