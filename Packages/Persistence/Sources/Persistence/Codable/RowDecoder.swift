// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Decodes the rows of one query, one after another.
///
/// A type's `init(from:)` may keep its decoder; once the query is over, that one throws instead of reading.
final class RowDecoder: Decoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    /// The columns' names, in their order.
    let names: [String]
    private let places: [String: Int]
    private let repeated: Set<String>
    private var statement: Statement?

    init(_ statement: Statement) {
        self.statement = statement
        var (places, repeated): ([String: Int], Set<String>) = ([:], [])
        names = statement.columnNames
        for (place, name) in names.enumerated() where places.updateValue(place, forKey: name) != nil {
            repeated.insert(name)
        }
        (self.places, self.repeated) = (places, repeated)
    }

    /// Decodes the current row.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let value = try ColumnDecoder.special(type, in: { try self.onlyColumn() }) { return value }
        return try type.init(from: self)
    }

    /// Ends every decoder and container of the query.
    func end() {
        statement = nil
    }

    /// Where a column is.
    func place(of name: String) throws -> Int {
        guard let place = places[name] else {
            throw DatabaseError(
                code: .typeMismatch,
                message: "There is no column “\(name)” in the row; it has \(names.joined(separator: ", ")).")
        }
        guard !repeated.contains(name) else {
            throw DatabaseError(
                code: .typeMismatch, message: "Two columns are called “\(name)”: rename one in the SELECT with AS.")
        }
        return place
    }

    func withRow<Value>(_ body: (borrowing Row) throws -> Value) throws -> Value {
        guard let statement else {
            throw DatabaseError(code: .transactionEnded, message: "The query that this decoder belongs to is over.")
        }
        return try body(Row(statement))
    }

    private func onlyColumn() throws -> ColumnDecoder {
        guard names.count == 1 else {
            throw DatabaseError(
                code: .typeMismatch, message: "One value is wanted where the row has \(names.count) columns.")
        }
        return ColumnDecoder(row: self, column: 0)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RowContainer(row: self))
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { try onlyColumn() }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw DatabaseError(
            code: .typeMismatch, message: "A list is wanted where a row is: name its columns by properties.")
    }
}
