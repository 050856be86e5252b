// SPDX-License-Identifier: MIT

/// One SQL statement, whose text is in the program and whose values are parameters.
///
/// `"SELECT * FROM message WHERE id = \(id)"` has the text `SELECT * FROM message WHERE id = $1` and one value. A literal
/// is a `StaticString`, so that a value is never read as SQL. ``init(text:values:)`` is for adapters that have a text.
public struct PostgresStatement: Sendable, Equatable, ExpressibleByStringInterpolation {
    /// The text, with `$1`, `$2`, … in the places of the values.
    public let text: String
    let parameters: [Parameter]
    /// False for a text of the caller's with values, whose places are not known.
    private let knowsPlaces: Bool
    /// False if a part was made by ``init(text:values:)`` and has values, whose numbers could not be changed.
    let isComplete: Bool

    /// A value with its place.
    struct Parameter: Sendable, Equatable {
        let value: PostgresValue
        /// The offset of its dollar sign in the text's UTF-8.
        let place: Int
    }

    /// The values, in the order of their numbers.
    public var values: [PostgresValue] { parameters.map(\.value) }

    /// A statement without values.
    public init(stringLiteral value: StaticString) {
        (text, parameters, knowsPlaces, isComplete) = (value.description, [], true, true)
    }

    /// A statement with values.
    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        parameters = stringInterpolation.parameters
        knowsPlaces = true
        isComplete = stringInterpolation.isComplete
    }

    /// A statement whose text already has the numbers of its values. It cannot be a part of another statement if it has
    /// values: running that one throws `invalidSQL`.
    ///
    /// - Parameters:
    ///   - text: SQL with `$1`, `$2`, … for values. It must not be made of what a person or a peer wrote.
    ///   - values: The values, in the order of their numbers; at most 65,535.
    public init(text: String, values: [PostgresValue] = []) {
        self.text = text
        parameters = values.map { Parameter(value: $0, place: 0) }
        (knowsPlaces, isComplete) = (values.isEmpty, true)
    }

    /// Collects the text and the values.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var text = ""
        fileprivate var parameters: [Parameter] = []
        fileprivate var isComplete = true

        /// Starts an empty statement.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 3 * interpolationCount)
            parameters.reserveCapacity(interpolationCount)
        }

        /// Adds a part of the source text.
        public mutating func appendLiteral(_ literal: StaticString) {
            literal.withUTF8Buffer { text += String(decoding: $0, as: UTF8.self) }
        }

        /// Adds a value as a parameter.
        public mutating func appendInterpolation(_ value: some PostgresValueConvertible) {
            append(value.postgresValue)
        }

        /// Adds a value, or NULL, as a parameter.
        public mutating func appendInterpolation<Value: PostgresValueConvertible>(_ value: Value?) {
            append(value.postgresValue)
        }

        /// Adds a parenthesised list of parameters, for `IN \(list: ids)`. An empty list is `(NULL)`, which matches
        /// nothing.
        public mutating func appendInterpolation(list values: some Sequence<some PostgresValueConvertible>) {
            text += "("
            var isFirst = true
            for value in values {
                if !isFirst { text += "," }
                append(value.postgresValue)
                isFirst = false
            }
            text += isFirst ? "NULL)" : ")"
        }

        /// Adds text from the program's source as it is, such as a table's name.
        public mutating func appendInterpolation(literal: StaticString) {
            appendLiteral(literal)
        }

        /// Adds another statement or a part of one, with its values.
        public mutating func appendInterpolation(sql: PostgresStatement) {
            guard sql.knowsPlaces, sql.isComplete else {
                isComplete = false
                text += sql.text
                return
            }
            let bytes = sql.text.utf8
            var position = bytes.startIndex
            for (number, parameter) in sql.parameters.enumerated() {
                let start = bytes.index(bytes.startIndex, offsetBy: parameter.place)
                text += sql.text[position..<start]
                append(parameter.value)
                position = bytes.index(start, offsetBy: 1 + String(number + 1).utf8.count)
            }
            text += sql.text[position...]
        }

        private mutating func append(_ value: PostgresValue) {
            parameters.append(Parameter(value: value, place: text.utf8.count))
            text += "$"
            text += String(parameters.count)
        }
    }
}
