// SPDX-License-Identifier: MIT

/// One SQL statement, whose text is in the program and whose values are bound.
///
/// `"SELECT * FROM message WHERE id = \(id)"` has the text `SELECT * FROM message WHERE id = ?` and one binding. Text
/// that is made while the program runs cannot become a statement: only literals (`StaticString`) can, so that a value
/// is never read as SQL.
public struct SQL: Sendable, Equatable, ExpressibleByStringInterpolation {
    @usableFromInline let source: StatementSource
    /// The values, in the order of the question marks.
    public let bindings: [SQLValue]

    /// The text, with `?` in the place of each value.
    public var text: String { source.text }

    /// The text with `$1`, `$2`, … in the places of the values, as PostgreSQL writes parameters.
    ///
    /// A question mark between quotes is text, as it is for SQLite. A comment must have none.
    public var numberedText: String {
        var (bytes, number, quote) = ([UInt8](), 0, UInt8?.none)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "?") where quote == nil:
                number += 1
                bytes += "$\(number)".utf8
                continue
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                // A doubled quote ends one stretch and begins the next.
                if quote == nil { quote = byte } else if quote == byte { quote = nil }
            default: break
            }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A statement without values.
    public init(stringLiteral value: StaticString) {
        source = StatementSource(value)
        bindings = []
    }

    /// A statement with values.
    @inlinable
    public init(stringInterpolation: StringInterpolation) {
        source = stringInterpolation.source
        bindings = stringInterpolation.bindings
    }

    /// Collects the text's pieces and the values.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        @usableFromInline var source: StatementSource
        @usableFromInline var bindings: [SQLValue] = []

        /// Starts an empty statement.
        public init(literalCapacity: Int, interpolationCount: Int) {
            source = StatementSource()
            bindings.reserveCapacity(interpolationCount)
        }

        /// Adds a part of the source text.
        public mutating func appendLiteral(_ literal: StaticString) {
            source.append(literal)
        }

        /// Adds a value as a binding.
        @inlinable
        public mutating func appendInterpolation(_ value: some SQLValueConvertible) {
            appendMark()
            bindings.append(value.sqlValue)
        }

        /// Adds a value, or NULL, as a binding.
        @inlinable
        public mutating func appendInterpolation<Value: SQLValueConvertible>(_ value: Value?) {
            appendMark()
            bindings.append(value.sqlValue)
        }

        /// Adds a parenthesised list of bindings, for `IN \(list: ids)`. An empty list is `()`, which matches nothing.
        public mutating func appendInterpolation(list values: some Sequence<some SQLValueConvertible>) {
            let start = bindings.count
            bindings += values.map(\.sqlValue)
            source.append(text: "(" + Array(repeating: "?", count: bindings.count - start).joined(separator: ",") + ")")
        }

        /// Adds text from the program's source as it is, such as a table's name.
        public mutating func appendInterpolation(literal: StaticString) {
            appendLiteral(literal)
        }

        /// Adds another statement or a part of one, with its values.
        public mutating func appendInterpolation(sql: SQL) {
            source.append(text: sql.text)
            bindings += sql.bindings
        }

        @usableFromInline
        mutating func appendMark() {
            source.appendValue()
        }
    }
}
