// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Decodes the value of one column.
struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
    let row: RowDecoder
    let column: Int
    let userInfo: [CodingUserInfoKey: Any] = [:]

    var codingPath: [any CodingKey] { [ColumnKey(stringValue: row.names[column])] }

    /// The types that SQLite stores in another way than they encode themselves; nil for any other type.
    static func special<Value>(_ type: Value.Type, in column: () throws -> ColumnDecoder) throws -> Value? {
        if type == Date.self { return try column().read { try $0.date($1) } as? Value }
        if type == [UInt8].self { return try column().read { try $0.blob($1) } as? Value }
        if type == Data.self { return try column().read { Data(try $0.blob($1)) } as? Value }
        return nil
    }

    func read<Value>(_ body: (borrowing Row, Int) throws -> Value) throws -> Value {
        try row.withRow { try body($0, column) }
    }

    /// An integer that fits its type.
    func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        guard let value = Value(exactly: try read { try $0.int64($1) }) else {
            throw mismatch("holds an integer that \(type) cannot hold")
        }
        return value
    }

    func decodeNil() -> Bool { (try? read { try $0.isNull($1) }) ?? false }
    func decode(_ type: Bool.Type) throws -> Bool { try read { try $0.bool($1) } }
    func decode(_ type: String.Type) throws -> String { try read { try $0.string($1) } }
    func decode(_ type: Double.Type) throws -> Double { try read { try $0.double($1) } }
    func decode(_ type: Float.Type) throws -> Float { Float(try read { try $0.double($1) }) }
    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let value = try Self.special(type, in: { self }) { return value }
        do {
            return try type.init(from: self)
        } catch is DecodingError {
            // Such as a raw value that an enum does not have. Not the value itself: it may be a secret.
            throw mismatch("holds a value that is no \(type)")
        }
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw mismatch("holds one value where a type with properties is wanted; store them in columns")
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw mismatch("holds one value where a list is wanted; store it in a table")
    }

    private func mismatch(_ what: String) -> DatabaseError {
        DatabaseError(code: .typeMismatch, message: "Column \(column) (\(row.names[column])) \(what).")
    }
}

/// A column's name as a key.
struct ColumnKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        return nil
    }
}
