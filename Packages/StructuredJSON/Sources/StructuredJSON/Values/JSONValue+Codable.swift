// SPDX-License-Identifier: MIT

extension JSONValue: Codable {
    /// Reads any JSON value from any decoder.
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: JSONName.self) {
            var object = JSONObject()
            for name in container.allKeys {
                object[name.stringValue] = try container.decode(JSONValue.self, forKey: name)
            }
            self = .object(object)
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
            self = .array(elements)
        } else {
            self = try Self(scalar: try decoder.singleValueContainer())
        }
    }

    private init(scalar container: any SingleValueDecodingContainer) throws {
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    /// Writes the value by any encoder.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let object):
            var container = encoder.container(keyedBy: JSONName.self)
            for (name, value) in object { try container.encode(value, forKey: JSONName(name)) }
        case .array(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        default:
            var container = encoder.singleValueContainer()
            try encodeScalar(into: &container)
        }
    }

    private func encodeScalar(into container: inout any SingleValueEncodingContainer) throws {
        switch self {
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        default: try container.encodeNil()
        }
    }
}

/// Any name of a member.
private struct JSONName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

extension JSONObject: Codable {
    /// Reads a JSON object from any decoder.
    public init(from decoder: any Decoder) throws {
        guard case .object(let object) = try JSONValue(from: decoder) else {
            throw DecodingError.typeMismatch(
                JSONObject.self,
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "This is no JSON object."))
        }
        self = object
    }

    /// Writes the object by any encoder.
    public func encode(to encoder: any Encoder) throws { try JSONValue.object(self).encode(to: encoder) }
}
