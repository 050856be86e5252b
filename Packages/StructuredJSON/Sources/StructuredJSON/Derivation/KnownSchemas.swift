// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The types with a known coded form, each with an example for decoders written by hand.
enum KnownSchemas {
    static func of(_ type: any Decodable.Type) -> JSONValue? { table[ObjectIdentifier(type)]?.schema }

    static func example(_ type: any Decodable.Type) -> Any? { table[ObjectIdentifier(type)]?.example }

    private struct Row: Sendable {
        let schema: JSONValue
        let example: any Sendable
    }

    private static let table: [ObjectIdentifier: Row] = {
        var table: [ObjectIdentifier: Row] = [
            ObjectIdentifier(Bool.self): Row(schema: ["type": "boolean"], example: false),
            ObjectIdentifier(String.self): Row(schema: ["type": "string"], example: ""),
            ObjectIdentifier(Double.self): Row(schema: ["type": "number"], example: 0.0),
            ObjectIdentifier(Float.self): Row(schema: ["type": "number"], example: Float()),
            ObjectIdentifier(Decimal.self): Row(schema: ["type": "number"], example: Decimal()),
            ObjectIdentifier(JSONValue.self): Row(schema: [:], example: JSONValue.null),
            ObjectIdentifier(Date.self): Row(
                schema: ["type": "string", "format": "date-time"], example: Date(timeIntervalSince1970: 0)),
            ObjectIdentifier(UUID.self): Row(schema: ["type": "string", "format": "uuid"], example: UUID()),
            ObjectIdentifier(Data.self): Row(
                schema: ["type": "string", "contentEncoding": "base64"], example: Data()),
            ObjectIdentifier(Int.self): Row(schema: ["type": "integer"], example: 0),
            ObjectIdentifier(Int64.self): Row(schema: ["type": "integer"], example: Int64()),
            ObjectIdentifier(UInt.self): Row(schema: ["type": "integer", "minimum": 0], example: UInt()),
            ObjectIdentifier(UInt64.self): Row(schema: ["type": "integer", "minimum": 0], example: UInt64()),
        ]
        if let url = URL(string: "https://example.org") {
            table[ObjectIdentifier(URL.self)] = Row(schema: ["type": "string", "format": "uri"], example: url)
        }
        func add<T: FixedWidthInteger & Decodable & Sendable>(_ type: T.Type) {
            table[ObjectIdentifier(type)] = Row(
                schema: ["type": "integer", "minimum": .integer(Int(T.min)), "maximum": .integer(Int(T.max))],
                example: T.zero)
        }
        add(Int8.self)
        add(Int16.self)
        add(Int32.self)
        add(UInt8.self)
        add(UInt16.self)
        add(UInt32.self)
        return table
    }()
}
