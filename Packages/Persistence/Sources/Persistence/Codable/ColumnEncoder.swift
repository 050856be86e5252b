// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Takes the value of one column.
struct ColumnEncoder: Encoder, SingleValueEncodingContainer {
    let values: RowEncoder.Values
    let name: String
    let userInfo: [CodingUserInfoKey: Any] = [:]

    var codingPath: [any CodingKey] { [ColumnKey(stringValue: name)] }

    func encodeNil() throws { try values.add(.null, name) }
    func encode(_ value: Bool) throws { try values.add(value.sqlValue, name) }
    func encode(_ value: String) throws { try values.add(.text(value), name) }
    func encode(_ value: Double) throws { try values.add(.real(value), name) }
    func encode(_ value: Float) throws { try values.add(.real(Double(value)), name) }
    func encode(_ value: Int) throws { try integer(value) }
    func encode(_ value: Int8) throws { try integer(value) }
    func encode(_ value: Int16) throws { try integer(value) }
    func encode(_ value: Int32) throws { try integer(value) }
    func encode(_ value: Int64) throws { try integer(value) }
    func encode(_ value: UInt) throws { try integer(value) }
    func encode(_ value: UInt8) throws { try integer(value) }
    func encode(_ value: UInt16) throws { try integer(value) }
    func encode(_ value: UInt32) throws { try integer(value) }
    func encode(_ value: UInt64) throws { try integer(value) }

    func encode<Value: Encodable>(_ value: Value) throws {
        switch value {
        case let date as Date: try values.add(date.sqlValue, name)
        case let data as Data: try values.add(data.sqlValue, name)
        // An empty array of any type is also one of bytes.
        case let bytes as [UInt8] where Value.self == [UInt8].self: try values.add(.blob(bytes), name)
        default:
            try value.encode(to: self)
            // An empty array asks for a container and puts nothing into it.
            guard values.names.last == name else { throw RefusingContainer.error(name) }
        }
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(RefusingKeyedContainer(name: name))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusingContainer(name: name) }

    private func integer(_ value: some FixedWidthInteger) throws {
        guard let integer = Int64(exactly: value) else {
            throw DatabaseError(
                code: .invalidValue, message: "The value of column “\(name)” is beyond SQLite's 64-bit integers.")
        }
        try values.add(.integer(integer), name)
    }
}
