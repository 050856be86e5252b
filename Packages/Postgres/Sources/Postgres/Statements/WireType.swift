// SPDX-License-Identifier: MIT

/// The ids of the server's types that this module reads and writes (`pg_type.dat` of PostgreSQL).
enum WireType {
    static let bool: UInt32 = 16
    static let bytes: UInt32 = 17
    static let character: UInt32 = 18
    static let name: UInt32 = 19
    static let int8: UInt32 = 20
    static let int2: UInt32 = 21
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let oid: UInt32 = 26
    static let json: UInt32 = 114
    static let xml: UInt32 = 142
    static let float4: UInt32 = 700
    static let float8: UInt32 = 701
    static let unknown: UInt32 = 705
    static let paddedText: UInt32 = 1042
    static let limitedText: UInt32 = 1043
    static let date: UInt32 = 1082
    static let timestamp: UInt32 = 1114
    static let timestampWithZone: UInt32 = 1184
    static let numeric: UInt32 = 1700
    static let void: UInt32 = 2278
    static let uuid: UInt32 = 2950
    static let jsonb: UInt32 = 3802
    /// The first id of a type that somebody made in a database: an enumeration, a composite, an extension's.
    static let firstCustom: UInt32 = 16_384
    /// The type that the server infers.
    static let inferred: UInt32 = 0
}

extension PostgresValue {
    /// The type that the value is sent with.
    var wireType: UInt32 {
        switch self {
        case .null, .text: WireType.inferred
        case .bool: WireType.bool
        case .integer: WireType.int8
        case .real: WireType.float8
        case .bytes: WireType.bytes
        case .timestamp: WireType.timestampWithZone
        }
    }
}
