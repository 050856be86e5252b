// SPDX-License-Identifier: MIT

/// The columns of a row by their names.
struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let row: RowDecoder

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { row.names.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { row.names.contains(key.stringValue) }
    func decodeNil(forKey key: Key) throws -> Bool { try at(key).decodeNil() }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try at(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try at(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try at(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try at(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try at(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try at(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try at(key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try at(key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try at(key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try at(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try at(key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try at(key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try at(key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try at(key).decode(type) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try at(key).decode(type) }

    // The standard library's own versions of these take a missing column for NULL: a misspelt one would always be nil.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try optional(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try optional(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try optional(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try optional(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try optional(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try optional(type, key) }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try optional(type, key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try at(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try at(key).unkeyedContainer()
    }

    /// A superclass reads its properties from the same row.
    func superDecoder() throws -> any Decoder { row }
    func superDecoder(forKey key: Key) throws -> any Decoder { try at(key) }

    private func at(_ key: Key) throws -> ColumnDecoder {
        ColumnDecoder(row: row, column: try row.place(of: key.stringValue))
    }

    private func optional<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
        let column = try at(key)
        return column.decodeNil() ? nil : try column.decode(type)
    }
}
