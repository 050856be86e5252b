// SPDX-License-Identifier: MIT

/// A decoder without data: it notes each request, and answers with made-up values.
struct ProbeDecoder: Decoder {
    let probe: Probe
    let dummies: DummyMaker
    var codingPath: [any CodingKey] = []
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        probe.shape = .object
        return KeyedDecodingContainer(ProbeKeyedContainer<Key>(probe: probe, dummies: dummies))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        probe.shape = .array
        return ProbeUnkeyedContainer(probe: probe, dummies: dummies)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        probe.shape = .single
        return ProbeSingleValueContainer(probe: probe, dummies: dummies)
    }
}

struct ProbeKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: Probe
    let dummies: DummyMaker
    var codingPath: [any CodingKey] { [] }

    /// The names in the made-up data: one of an enumeration's keys, as the compiler codes a case with its payload.
    var allKeys: [Key] {
        guard let cases = EnumerationCases.of(Key.self) else {
            probe.takesAnyName = true
            return []
        }
        probe.caseCount = cases.count
        return cases.indices.contains(probe.chosenCase) ? [cases[probe.chosenCase]] : []
    }

    func contains(_ key: Key) -> Bool {
        probe.noteOptional(key.stringValue)
        return true
    }

    func decodeNil(forKey key: Key) -> Bool {
        probe.noteOptional(key.stringValue)
        return false
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        probe.note(key.stringValue, type, isOptional: false)
        return try dummies.value(of: type)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        probe.note(key.stringValue, type, isOptional: true)
        return nil
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { nested(key).unkeyedContainer() }

    /// A superclass decodes from the same object under the name "super".
    func superDecoder() -> any Decoder { nested("super") }
    func superDecoder(forKey key: Key) -> any Decoder { nested(key) }

    private func nested(_ key: Key) -> ProbeDecoder { nested(key.stringValue) }

    private func nested(_ name: String) -> ProbeDecoder {
        let inner = Probe()
        probe.note(name, .nested(inner))
        return ProbeDecoder(probe: inner, dummies: dummies)
    }
}

// The standard library's defaults for optional scalars request the scalar, so each is stated.
extension ProbeKeyedContainer {
    private func absent<T: Decodable>(_ type: T.Type, _ key: Key) -> T? {
        probe.note(key.stringValue, type, isOptional: true)
        return nil
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? { absent(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? { absent(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? { absent(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) -> Float? { absent(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? { absent(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) -> Int8? { absent(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) -> Int16? { absent(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) -> Int32? { absent(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) -> Int64? { absent(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) -> UInt? { absent(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) -> UInt8? { absent(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) -> UInt16? { absent(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) -> UInt32? { absent(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) -> UInt64? { absent(type, key) }
}

/// An array of one element, so that a loop over it ends.
struct ProbeUnkeyedContainer: UnkeyedDecodingContainer {
    let probe: Probe
    let dummies: DummyMaker
    var codingPath: [any CodingKey] { [] }
    var count: Int? { nil }
    private(set) var currentIndex = 0
    var isAtEnd: Bool { currentIndex > 0 }

    init(probe: Probe, dummies: DummyMaker) {
        self.probe = probe
        self.dummies = dummies
    }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        probe.note(.type(type))
        currentIndex += 1
        return try dummies.value(of: type)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedDecodingContainer<Nested> {
        nested().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { nested().unkeyedContainer() }
    mutating func superDecoder() -> any Decoder { nested() }

    private mutating func nested() -> ProbeDecoder {
        let inner = Probe()
        probe.note(.nested(inner))
        currentIndex += 1
        return ProbeDecoder(probe: inner, dummies: dummies)
    }
}

struct ProbeSingleValueContainer: SingleValueDecodingContainer {
    let probe: Probe
    let dummies: DummyMaker
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        probe.note(.type(type))
        return try dummies.value(of: type)
    }
}
