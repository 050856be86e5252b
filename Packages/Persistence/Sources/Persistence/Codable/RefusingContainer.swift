// SPDX-License-Identifier: MIT

/// Throws at whatever is put into it: making a container cannot throw.
struct RefusingContainer: UnkeyedEncodingContainer, SingleValueEncodingContainer, Encoder {
    let name: String
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let count = 0

    func encodeNil() throws { throw Self.error(name) }
    func encode<Value: Encodable>(_ value: Value) throws { throw Self.error(name) }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(RefusingKeyedContainer(name: name))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        nestedContainer(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func unkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }
    func superEncoder() -> any Encoder { self }

    static func error(_ name: String) -> DatabaseError {
        DatabaseError(
            code: .invalidValue,
            message: "“\(name)” is not one value a column: store parts in columns and lists in tables.")
    }
}

/// The same for values with keys.
struct RefusingKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let name: String
    let codingPath: [any CodingKey] = []

    func encodeNil(forKey key: Key) throws { throw RefusingContainer.error(name) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { throw RefusingContainer.error(name) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        RefusingContainer(name: name).nestedContainer(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { RefusingContainer(name: name) }
    func superEncoder() -> any Encoder { RefusingContainer(name: name) }
    func superEncoder(forKey key: Key) -> any Encoder { RefusingContainer(name: name) }
}
