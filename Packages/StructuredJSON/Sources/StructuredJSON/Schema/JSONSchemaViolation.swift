// SPDX-License-Identifier: MIT

/// One thing in a value that its schema does not allow.
public struct JSONSchemaViolation: Sendable, Hashable {
    /// Where in the value, as a JSON Pointer (RFC 6901); empty for the whole.
    public let path: String
    /// What is wrong, for a model or a person: "is missing", "must be a string".
    public let problem: String
}

extension JSONSchemaViolation: CustomStringConvertible {
    /// Place and problem.
    public var description: String { (path.isEmpty ? "The value" : path) + " " + problem + "." }
}

/// Everything in a value that its schema does not allow.
public struct JSONSchemaViolations: Error, Hashable {
    /// At least one.
    public let violations: [JSONSchemaViolation]

    init(_ violations: [JSONSchemaViolation]) { self.violations = violations }
}

extension JSONSchemaViolations: CustomStringConvertible {
    /// One line each.
    public var description: String { violations.map(\.description).joined(separator: "\n") }
}
