// SPDX-License-Identifier: MIT

/// Why a type has no schema, or a schema no strict form.
public enum JSONSchemaError: Error, Hashable, Sendable {
    /// Decoding the type asks for something that only real data can answer; the reason is its own error.
    case notDerivable(type: String, reason: String)
    /// The type contains itself without an end: every value of it would be infinite.
    case endless(type: String)
    /// The API's strict mode has no form for what stands at this place of the schema (a JSON Pointer).
    case notStrict(path: String, keyword: String)
}

extension JSONSchemaError: CustomStringConvertible {
    /// What is wrong and what to do, for a programmer.
    public var description: String {
        switch self {
        case .notDerivable(let type, let reason):
            "No JSON schema can be derived from \(type): \(reason) Make it conform to JSONSchemaRepresentable."
        case .endless(let type):
            "\(type) contains itself without an end. Make one of its properties optional, or an array."
        case .notStrict(let path, let keyword):
            "Strict mode has no form for \"\(keyword)\" at \(path.isEmpty ? "the root" : path) of the schema. "
                + "Describe it by named properties, or do without strict mode."
        }
    }
}
