// SPDX-License-Identifier: MIT

/// Reads the fields of one JSON object from the server: strict about the fields that an answer needs, lenient
/// elsewhere.
struct WireObject {
    let object: JSONObject
    let subject: String

    init(_ json: JSONValue, _ subject: String) throws(WireError) {
        guard case .object(let object) = json else { throw WireError(subject, expected: "object") }
        self.object = object
        self.subject = subject
    }

    subscript(name: String) -> JSONValue? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    func required(_ name: String) throws(WireError) -> JSONValue {
        guard let value = self[name] else { throw WireError(subject, field: name, expected: "value") }
        return value
    }

    func string(_ name: String) throws(WireError) -> String {
        guard case .string(let value)? = object[name] else { throw WireError(subject, field: name, expected: "string") }
        return value
    }

    func optionalString(_ name: String) -> String? { object[name]?.string }

    func array(_ name: String) -> [JSONValue] { object[name]?.array ?? [] }

    /// The index of that name, or zero: servers leave it out if there is only one.
    func place(_ name: String) -> Int { max(object[name]?.integer ?? 0, 0) }

    /// The members without those of these names and without nulls: kept for the server although they have no type here.
    func rest(without names: Set<String>) -> JSONObject {
        var rest = JSONObject()
        for (name, value) in object where !names.contains(name) && !value.isNull { rest[name] = value }
        return rest
    }
}

extension JSONObject {
    /// Sets the member unless the value is `nil`.
    mutating func set(_ name: String, _ value: JSONValue?) {
        if let value { self[name] = value }
    }

    /// Adds the members of the other that this does not have.
    mutating func add(_ other: JSONObject) {
        for (name, value) in other where self[name] == nil { self[name] = value }
    }
}
