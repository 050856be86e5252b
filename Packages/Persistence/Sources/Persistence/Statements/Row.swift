// SPDX-License-Identifier: MIT

import CSQLite
public import FoundationEssentials

/// The current row of a query. It lives only inside the decoding closure: it cannot be copied or kept.
///
/// Columns are counted from 0 in the order of the SELECT. Nothing is converted silently: a column that holds NULL or another
/// type than the one asked for throws ``DatabaseError`` with the code `typeMismatch`.
public struct Row: ~Copyable {
    private let statement: OpaquePointer

    @usableFromInline
    init(_ statement: Statement) {
        self.statement = statement.handle
    }

    /// How many columns the row has.
    public var columnCount: Int { Int(sqlite3_data_count(statement)) }

    /// Whether a column holds NULL.
    public func isNull(_ column: Int) throws -> Bool { try type(of: column) == SQLITE_NULL }

    /// An integer.
    public func int(_ column: Int) throws -> Int { Int(try int64(column)) }

    /// An integer.
    public func int64(_ column: Int) throws -> Int64 {
        let value = value(column)
        guard sqlite3_value_type(value) == SQLITE_INTEGER else { throw mismatch(column, "an integer") }
        return sqlite3_value_int64(value)
    }

    /// A real number; an integer is taken as well, as SQLite's arithmetic yields either.
    public func double(_ column: Int) throws -> Double {
        let value = value(column)
        let type = sqlite3_value_type(value)
        guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { throw mismatch(column, "a number") }
        return sqlite3_value_double(value)
    }

    /// A truth value, stored as 0 or 1; any other integer throws.
    public func bool(_ column: Int) throws -> Bool {
        switch try int64(column) {
        case 0: return false
        case 1: return true
        default: throw mismatch(column, "0 or 1")
        }
    }

    /// Text; bytes that are not UTF-8 throw.
    public func string(_ column: Int) throws -> String {
        let bytes = try text(column)
        guard let text = try? UTF8Span(validating: bytes.span) else { throw mismatch(column, "UTF-8") }
        return String(copying: text)
    }

    /// Bytes.
    public func blob(_ column: Int) throws -> [UInt8] {
        try withBlob(column) { bytes in bytes.withUnsafeBytes { Array($0) } }
    }

    /// Lends the bytes of a text, UTF-8 as they were stored, without copying them.
    public func withText<Result>(_ column: Int, _ body: (Span<UInt8>) throws -> Result) throws -> Result {
        try body(try text(column).span)
    }

    /// Lends the bytes of a blob without copying them.
    public func withBlob<Result>(_ column: Int, _ body: (RawSpan) throws -> Result) throws -> Result {
        let value = value(column)
        guard sqlite3_value_type(value) == SQLITE_BLOB else { throw mismatch(column, "a blob") }
        let bytes = sqlite3_value_blob(value)
        return try body(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))).bytes)
    }

    /// The value, whatever its type.
    public func sqlValue(_ column: Int) throws -> SQLValue {
        switch try type(of: column) {
        case SQLITE_INTEGER: .integer(try int64(column))
        case SQLITE_FLOAT: .real(try double(column))
        case SQLITE_TEXT: .text(try string(column))
        case SQLITE_BLOB: .blob(try blob(column))
        default: .null
        }
    }

    /// A time that was stored as integer milliseconds since 1970-01-01 00:00 UTC.
    public func date(_ column: Int) throws -> Date {
        Date(timeIntervalSince1970: Double(try int64(column)) / 1_000)
    }

    /// An integer, or nil for NULL.
    public func optionalInt(_ column: Int) throws -> Int? { try isNull(column) ? nil : int(column) }

    /// An integer, or nil for NULL.
    public func optionalInt64(_ column: Int) throws -> Int64? { try isNull(column) ? nil : int64(column) }

    /// A number, or nil for NULL.
    public func optionalDouble(_ column: Int) throws -> Double? { try isNull(column) ? nil : double(column) }

    /// A truth value, or nil for NULL.
    public func optionalBool(_ column: Int) throws -> Bool? { try isNull(column) ? nil : bool(column) }

    /// Text, or nil for NULL.
    public func optionalString(_ column: Int) throws -> String? { try isNull(column) ? nil : string(column) }

    /// Bytes, or nil for NULL.
    public func optionalBlob(_ column: Int) throws -> [UInt8]? { try isNull(column) ? nil : blob(column) }

    /// A time, or nil for NULL.
    public func optionalDate(_ column: Int) throws -> Date? { try isNull(column) ? nil : date(column) }

    private func type(of column: Int) throws -> Int32 {
        guard (0..<columnCount).contains(column) else { throw mismatch(column, "a value") }
        return sqlite3_value_type(value(column))
    }

    /// The column's value, and NULL for a column that is not there.
    ///
    /// SQLite calls it unprotected: it may be read while no other thread uses the connection, and none does. One look-up
    /// for each column instead of three is a fifth of the time of reading a row.
    private func value(_ column: Int) -> OpaquePointer? {
        sqlite3_column_value(statement, Int32(clamping: column))
    }

    /// The bytes of a text, until the next step.
    private func text(_ column: Int) throws -> UnsafeBufferPointer<UInt8> {
        let value = value(column)
        guard sqlite3_value_type(value) == SQLITE_TEXT else { throw mismatch(column, "text") }
        let bytes = sqlite3_value_text(value)
        return UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
    }

    private func mismatch(_ column: Int, _ wanted: String) -> DatabaseError {
        guard (0..<columnCount).contains(column) else {
            return DatabaseError(
                code: .typeMismatch, message: "There is no column \(column): the row has \(columnCount) columns.")
        }
        let found =
            switch sqlite3_column_type(statement, Int32(column)) {
            case SQLITE_INTEGER: "an integer"
            case SQLITE_FLOAT: "a real number"
            case SQLITE_TEXT: "text"
            case SQLITE_BLOB: "a blob"
            default: "NULL"
            }
        let name = sqlite3_column_name(statement, Int32(column)).map { String(cString: $0) } ?? "?"
        return DatabaseError(
            code: .typeMismatch, message: "Column \(column) (\(name)) holds \(found) where \(wanted) is wanted.")
    }
}
