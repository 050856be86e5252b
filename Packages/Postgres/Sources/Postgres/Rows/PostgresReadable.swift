// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A type that a column can be read as.
///
/// A custom type reads the stored value and converts it: `init(column:) throws { try self.init(String(column: column)) }`.
public protocol PostgresReadable {
    /// Reads the value of a column.
    ///
    /// - Throws: ``PostgresError`` with `typeMismatch` for NULL, and for a value of another type.
    init(column: borrowing PostgresColumn) throws
}

extension Bool: PostgresReadable {
    /// A `boolean`.
    public init(column: borrowing PostgresColumn) throws { self = try column.bool() }
}

extension Int64: PostgresReadable {
    /// A `smallint`, `integer` or `bigint`, or a `numeric` that is whole, as `sum(…)` returns.
    public init(column: borrowing PostgresColumn) throws { self = try column.integer() }
}

extension Int: PostgresReadable {
    /// An integer, as `Int64`.
    public init(column: borrowing PostgresColumn) throws { self = Int(try column.integer()) }
}

extension Double: PostgresReadable {
    /// A `real`, `double precision` or `numeric`; an integer is taken as well.
    public init(column: borrowing PostgresColumn) throws { self = try column.real() }
}

extension String: PostgresReadable {
    /// A text, JSON, a UUID in lower case, a `numeric` with all its digits, or a label of an enumeration.
    public init(column: borrowing PostgresColumn) throws { self = try column.text() }
}

extension [UInt8]: PostgresReadable {
    /// A `bytea`.
    public init(column: borrowing PostgresColumn) throws { self.init(try column.blob()) }
}

extension Data: PostgresReadable {
    /// A `bytea`.
    public init(column: borrowing PostgresColumn) throws { self.init(try column.blob()) }
}

extension Date: PostgresReadable {
    /// A `timestamp with time zone`, a `timestamp` in UTC, or a `date` at its first moment in UTC; an infinite one throws.
    public init(column: borrowing PostgresColumn) throws { self = try column.time() }
}

extension PostgresValue: PostgresReadable {
    /// The value, of any type that this module knows. A `numeric` is an integer if it is whole and fits, else real.
    public init(column: borrowing PostgresColumn) throws {
        guard !column.isNull else {
            self = .null
            return
        }
        switch column.type {
        case WireType.bool: self = .bool(try column.bool())
        case WireType.int2, WireType.int4, WireType.int8, WireType.oid: self = .integer(try column.integer())
        case WireType.float4, WireType.float8: self = .real(try column.real())
        case WireType.numeric:
            if let integer = try? column.integer() { self = .integer(integer) } else { self = .real(try column.real()) }
        case WireType.bytes: self = .bytes([UInt8](try column.blob()))
        case WireType.date, WireType.timestamp, WireType.timestampWithZone: self = .timestamp(try column.time())
        // A function without a result.
        case WireType.void: self = .null
        default: self = .text(try column.text())
        }
    }
}

extension Optional: PostgresReadable where Wrapped: PostgresReadable {
    /// The value, or nil for NULL.
    public init(column: borrowing PostgresColumn) throws { self = column.isNull ? nil : try Wrapped(column: column) }
}
