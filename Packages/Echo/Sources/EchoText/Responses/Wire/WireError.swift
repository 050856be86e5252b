// SPDX-License-Identifier: MIT

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
