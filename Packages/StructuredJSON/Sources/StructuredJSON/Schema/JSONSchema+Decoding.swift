// SPDX-License-Identifier: MIT

import FoundationEssentials

extension JSONSchema {
    /// Decodes a value as its derived schema describes it: dates by RFC 3339, with or without fractions of a second, and
    /// `Data` in Base64.
    ///
    /// - Throws: `DecodingError`.
    public static func decode<T: Decodable>(_ type: T.Type, from value: JSONValue) throws -> T {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            if let date = try? Date(text, strategy: .iso8601) { return date }
            if let date = try? Date(text, strategy: .iso8601.time(includingFractionalSeconds: true)) { return date }
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is no date and time by RFC 3339.")
        }
        return try decoder.decode(type, from: Data(value.bytes))
    }
}
