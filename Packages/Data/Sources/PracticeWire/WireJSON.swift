// SPDX-License-Identifier: MIT

import FoundationEssentials

/// JSON as the server and its clients write and read it.
public enum WireJSON {
    /// The text of a value, the same for equal values: members are sorted, so that its hash can be an `ETag`.
    ///
    /// - Throws: ``MappingFailure`` for a number that is not finite.
    public static func encode(_ value: some Encodable) throws(MappingFailure) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(value))
        } catch {
            throw MappingFailure("", "has a number that is not finite")
        }
    }

    /// Reads a value. Unknown members are ignored.
    ///
    /// - Throws: ``MappingFailure`` that names the member.
    public static func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from bytes: some Collection<UInt8>
    ) throws(MappingFailure) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch {
            throw MappingFailure(decoding: error)
        }
    }
}
