// SPDX-License-Identifier: MIT

/// Reads the fields of one JSON object from the server: strict about the fields that an answer needs, lenient
/// elsewhere.
package struct WireObject {
    package let object: JSONObject
    package let subject: String

    package init(_ json: JSONValue, _ subject: String) throws(WireError) {
        guard case .object(let object) = json else { throw WireError(subject, expected: "object") }
        self.object = object
        self.subject = subject
    }

    package subscript(name: String) -> JSONValue? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    package func required(_ name: String) throws(WireError) -> JSONValue {
        guard let value = self[name] else { throw WireError(subject, field: name, expected: "value") }
        return value
    }

    package func string(_ name: String) throws(WireError) -> String {
        guard case .string(let value)? = object[name] else { throw WireError(subject, field: name, expected: "string") }
        return value
    }

    package func optionalString(_ name: String) -> String? { object[name]?.string }

    package func array(_ name: String) -> [JSONValue] { object[name]?.array ?? [] }

    /// The index of that name, or zero: servers leave it out if there is only one.
    package func place(_ name: String) -> Int { max(object[name]?.integer ?? 0, 0) }

    /// The members without those of these names and without nulls: kept for the server although they have no type here. A
    /// voice session refuses members that it has added itself, so none of its are kept.
    func rest(without names: Set<String>, in form: ItemForm = .responses) -> JSONObject {
        var rest = JSONObject()
        guard form == .responses else { return rest }
        for (name, value) in object where !names.contains(name) && !value.isNull { rest[name] = value }
        return rest
    }
}

extension JSONObject {
    /// Sets the member unless the value is `nil`.
    package mutating func set(_ name: String, _ value: JSONValue?) {
        if let value { self[name] = value }
    }

    /// Adds the members of the other that this does not have.
    package mutating func add(_ other: JSONObject) {
        for (name, value) in other where self[name] == nil { self[name] = value }
    }
}

/// JSON from the server that lacks a required field.
public struct WireError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The object that was being read, such as `response.output_text.delta`.
    public let subject: String
    /// The field, or `nil` if the whole has the wrong type.
    public let field: String?
    /// The expected type, in the words of JSON Schema.
    public let expected: String

    package init(_ subject: String, field: String? = nil, expected: String) {
        self.subject = subject
        self.field = field
        self.expected = expected
    }

    /// A sentence for a person.
    public var description: String {
        if let field {
            "\(subject): the field \(field) is missing or is no \(expected)."
        } else {
            "\(subject): this is no \(expected)."
        }
    }
}
