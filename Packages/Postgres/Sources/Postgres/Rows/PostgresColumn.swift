// SPDX-License-Identifier: MIT

/// A column of a row, for types that read themselves from it; see ``PostgresReadable``. It lives only inside their
/// initialiser.
public struct PostgresColumn: ~Copyable {
    let name: String
    let type: UInt32
    /// The value in the server's binary form; nil for NULL.
    let bytes: UnsafeRawBufferPointer?

    /// True for NULL.
    public var isNull: Bool { bytes == nil }

    func mismatch(_ wanted: String) -> PostgresError {
        PostgresError(
            code: .typeMismatch,
            message: "Column “\(name)” holds \(bytes == nil ? "NULL" : typeName) where \(wanted) is wanted. "
                + "Read it as another type, or cast it in the SELECT.")
    }

    /// The value's bytes.
    func content(_ wanted: String) throws(PostgresError) -> UnsafeRawBufferPointer {
        guard let bytes else { throw mismatch(wanted) }
        return bytes
    }

    func bool() throws(PostgresError) -> Bool {
        let bytes = try content("a boolean")
        guard type == WireType.bool, bytes.count == 1, bytes[0] <= 1 else { throw mismatch("a boolean") }
        return bytes[0] == 1
    }

    func integer() throws(PostgresError) -> Int64 {
        let bytes = try content("an integer")
        switch (type, bytes.count) {
        case (WireType.int8, 8): return Int64(bitPattern: Self.bigEndian(bytes))
        case (WireType.int4, 4): return Int64(Int32(truncatingIfNeeded: Self.bigEndian(bytes)))
        case (WireType.int2, 2): return Int64(Int16(truncatingIfNeeded: Self.bigEndian(bytes)))
        case (WireType.oid, 4): return Int64(Self.bigEndian(bytes))
        case (WireType.numeric, _):
            if let integer = WireNumeric(bytes)?.integer { return integer }
        default: break
        }
        throw mismatch("an integer")
    }

    func real() throws(PostgresError) -> Double {
        let bytes = try content("a number")
        switch (type, bytes.count) {
        case (WireType.float8, 8): return Double(bitPattern: Self.bigEndian(bytes))
        case (WireType.float4, 4):
            return Double(Float(bitPattern: UInt32(truncatingIfNeeded: Self.bigEndian(bytes))))
        case (WireType.numeric, _):
            if let real = WireNumeric(bytes).flatMap({ Double($0.text) }) { return real }
        case (WireType.int8, 8), (WireType.int4, 4), (WireType.int2, 2): return Double(try integer())
        default: break
        }
        throw mismatch("a number")
    }

    /// The bytes of a `bytea`.
    func blob() throws(PostgresError) -> UnsafeRawBufferPointer {
        let bytes = try content("bytes")
        guard type == WireType.bytes else { throw mismatch("bytes") }
        return bytes
    }

    /// The bytes of a number in the network's order; at most eight.
    static func bigEndian(_ bytes: some Collection<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private var typeName: String {
        switch type {
        case WireType.bool: "a boolean"
        case WireType.bytes: "bytes"
        case WireType.int2, WireType.int4, WireType.int8, WireType.oid: "an integer"
        case WireType.float4, WireType.float8: "a real number"
        case WireType.numeric: "a decimal number"
        case WireType.timestamp, WireType.timestampWithZone, WireType.date: "a time"
        case WireType.text, WireType.limitedText, WireType.paddedText, WireType.name, WireType.unknown: "text"
        case WireType.json, WireType.jsonb: "JSON"
        case WireType.uuid: "a UUID"
        default: "the type \(type)"
        }
    }
}
