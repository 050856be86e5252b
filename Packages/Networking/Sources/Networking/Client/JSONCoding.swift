// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Makes the encoders and decoders of request and response bodies.
public struct JSONCoding: Sendable {
    /// Makes an encoder; called for each body.
    public var encoder: @Sendable () -> JSONEncoder
    /// Makes a decoder; called for each body.
    public var decoder: @Sendable () -> JSONDecoder

    /// Coders of your own.
    public init(
        encoder: @escaping @Sendable () -> JSONEncoder, decoder: @escaping @Sendable () -> JSONDecoder
    ) {
        self.encoder = encoder
        self.decoder = decoder
    }

    /// Keys as the type names them. Dates are ISO 8601 in UTC: written to the second, read with or without a fraction.
    public static let standard = JSONCoding(encoder: { iso8601Encoder() }, decoder: { iso8601Decoder() })

    /// As ``standard``, with the key `created_at` for a property `createdAt`.
    public static let snakeCase = JSONCoding(
        encoder: {
            let encoder = iso8601Encoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            return encoder
        },
        decoder: {
            let decoder = iso8601Decoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return decoder
        })

    private static func iso8601Encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }

    private static func iso8601Decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            let style = Date.ISO8601FormatStyle()
            guard let date = (try? style.parse(text)) ?? (try? style.time(includingFractionalSeconds: true).parse(text))
            else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "The text is not an ISO 8601 date.")
            }
            return date
        }
        return decoder
    }

    /// A value as JSON.
    ///
    /// - Throws: `NetworkError` with the code `invalidRequest` if the value cannot be encoded.
    public func encode(_ value: some Encodable) throws -> [UInt8] {
        do {
            return Array(try encoder().encode(value))
        } catch {
            throw NetworkError(
                code: .invalidRequest, message: "The \(type(of: value)) cannot be encoded as JSON.", underlying: error)
        }
    }

    /// A value out of JSON.
    ///
    /// - Throws: `NetworkError` with the code `decoding`; its message has the path to the mismatch, such as
    ///   `items[3].createdAt`, and no value of the JSON.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from bytes: [UInt8]) throws -> Value {
        do {
            return try decoder().decode(type, from: Data(bytes))
        } catch {
            throw NetworkError(decoding: type, failed: error)
        }
    }
}

extension NetworkError {
    fileprivate init(decoding type: Any.Type, failed error: any Error) {
        let fault =
            switch error {
            case DecodingError.keyNotFound(let key, let context):
                "\(Self.path(context.codingPath + [key])) is missing"
            case DecodingError.valueNotFound(let wanted, let context):
                "\(Self.path(context.codingPath)) is null and not a \(wanted)"
            case DecodingError.typeMismatch(let wanted, let context):
                "\(Self.path(context.codingPath)) is not a \(wanted)"
            case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
                "\(Self.path(context.codingPath)) has a value that does not fit"
            default: "it is not valid JSON"
            }
        self.init(
            code: .decoding,
            message: "The JSON is not a \(type): \(fault). Compare the type with what the server sends.",
            underlying: error)
    }

    private static func path(_ path: [any CodingKey]) -> String {
        let text = path.reduce(into: "") { text, key in
            if let index = key.intValue { text += "[\(index)]" } else { text += ".\(key.stringValue)" }
        }
        return text.isEmpty ? "the whole" : "\"\(text.hasPrefix(".") ? String(text.dropFirst()) : text)\""
    }
}
