// SPDX-License-Identifier: MIT

/// Gathers the columns of one row.
struct RowEncoder: Encoder {
    /// The columns so far, shared by the containers.
    final class Values {
        private(set) var names: [String] = []
        private(set) var values: [SQLValue] = []

        func add(_ value: SQLValue, _ name: String) throws {
            guard !names.contains(name) else {
                throw DatabaseError(code: .invalidValue, message: "Column “\(name)” is given two values.")
            }
            names.append(name)
            values.append(value)
        }
    }

    let values = Values()
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(RowEncodingContainer(row: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusingContainer(name: "row") }
    func singleValueContainer() -> any SingleValueEncodingContainer { RefusingContainer(name: "row") }
}

/// A row's columns by their names.
struct RowEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let row: RowEncoder

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws { try row.values.add(.null, key.stringValue) }
    func encode(_ value: Bool, forKey key: Key) throws { try column(key).encode(value) }
    func encode(_ value: String, forKey key: Key) throws { try column(key).encode(value) }
    func encode(_ value: Double, forKey key: Key) throws { try column(key).encode(value) }
    func encode(_ value: Float, forKey key: Key) throws { try column(key).encode(value) }
    func encode(_ value: Int, forKey key: Key) throws { try column(key).encode(value) }
    func encode(_ value: Int8, forKey key: Key) throws { try column(key).encode(value) }
    func encode(_ value: Int16, forKey key: Key) throws { try column(key).encode(value) }
    func encode(_ value: Int32, forKey key: Key) throws { try column(key).encode(value) }
    func encode(_ value: Int64, forKey key: Key) throws { try column(key).encode(value) }
    func encode(_ value: UInt, forKey key: Key) throws { try column(key).encode(value) }
    func encode(_ value: UInt8, forKey key: Key) throws { try column(key).encode(value) }
    func encode(_ value: UInt16, forKey key: Key) throws { try column(key).encode(value) }
    func encode(_ value: UInt32, forKey key: Key) throws { try column(key).encode(value) }
    func encode(_ value: UInt64, forKey key: Key) throws { try column(key).encode(value) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try column(key).encode(value) }

    // The standard library's own versions of these leave a column out for nil, so that it would get its default.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws { try optional(value, key) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        column(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { column(key).unkeyedContainer() }
    /// A superclass writes its properties into the same row.
    func superEncoder() -> any Encoder { row }
    func superEncoder(forKey key: Key) -> any Encoder { column(key) }

    private func column(_ key: Key) -> ColumnEncoder { ColumnEncoder(values: row.values, name: key.stringValue) }

    private func optional<Value: Encodable>(_ value: Value?, _ key: Key) throws {
        if let value { try column(key).encode(value) } else { try encodeNil(forKey: key) }
    }
}
