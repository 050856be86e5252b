// SPDX-License-Identifier: MIT

/// One SQL statement, whose text is in the program and whose values are bound.
///
/// `"SELECT * FROM message WHERE id = \(id)"` has the text `SELECT * FROM message WHERE id = ?` and one binding. Text that is
/// made while the program runs cannot become a statement: only literals (`StaticString`) can, so that a value is never read
/// as SQL.
public struct SQL: Sendable, Equatable, ExpressibleByStringInterpolation {
    let source: StatementSource
    /// The values, in the order of the question marks.
    public let bindings: [SQLValue]

    /// The text, with `?` in the place of each value.
    public var text: String { source.text }

    /// A statement without values.
    public init(stringLiteral value: StaticString) {
        source = .literal(value)
        bindings = []
    }

    /// A statement with values.
    public init(stringInterpolation: StringInterpolation) {
        source = .text(stringInterpolation.text)
        bindings = stringInterpolation.bindings
    }

    /// Builds the text and collects the values.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var text = ""
        var bindings: [SQLValue] = []

        /// Starts an empty statement.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount)
            bindings.reserveCapacity(interpolationCount)
        }

        /// Adds a part of the source text.
        public mutating func appendLiteral(_ literal: StaticString) {
            text += literal.description
        }

        /// Adds a value as a binding.
        public mutating func appendInterpolation(_ value: some SQLValueConvertible) {
            text += "?"
            bindings.append(value.sqlValue)
        }

        /// Adds a value, or NULL, as a binding.
        public mutating func appendInterpolation<Value: SQLValueConvertible>(_ value: Value?) {
            text += "?"
            bindings.append(value.sqlValue)
        }

        /// Adds a parenthesised list of bindings, for `IN \(list: ids)`. An empty list is `()`, in which nothing is found.
        public mutating func appendInterpolation(list values: some Sequence<some SQLValueConvertible>) {
            let start = bindings.count
            bindings += values.map(\.sqlValue)
            text += "(" + Array(repeating: "?", count: bindings.count - start).joined(separator: ",") + ")"
        }

        /// Adds text from the program's source as it is, such as a table's name.
        public mutating func appendInterpolation(literal: StaticString) {
            text += literal.description
        }

        /// Adds another statement or a part of one, with its values.
        public mutating func appendInterpolation(sql: SQL) {
            text += sql.text
            bindings += sql.bindings
        }
    }
}
