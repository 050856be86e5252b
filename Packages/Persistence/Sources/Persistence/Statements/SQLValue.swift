// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A value in one of SQLite's storage classes (sqlite.org/datatype3.html).
public enum SQLValue: Sendable, Equatable {
    /// NULL.
    case null
    /// A signed 64-bit integer.
    case integer(Int64)
    /// An IEEE 754 double. A NaN cannot be stored: binding one throws.
    case real(Double)
    /// UTF-8 text, which may hold NUL characters.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

/// A type whose values are allowed in an ``SQL`` literal; they become bindings, never text.
public protocol SQLValueConvertible {
    /// The value as SQLite stores it.
    var sqlValue: SQLValue { get }
}

extension SQLValue: SQLValueConvertible {
    /// The value itself.
    @inlinable public var sqlValue: SQLValue { self }
}

extension Int: SQLValueConvertible {
    /// An integer.
    @inlinable public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Int64: SQLValueConvertible {
    /// An integer.
    @inlinable public var sqlValue: SQLValue { .integer(self) }
}

extension Bool: SQLValueConvertible {
    /// 1 or 0.
    @inlinable public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: SQLValueConvertible {
    /// A real number; binding a NaN throws, because SQLite would store NULL in its place.
    @inlinable public var sqlValue: SQLValue { .real(self) }
}

extension String: SQLValueConvertible {
    /// Text.
    @inlinable public var sqlValue: SQLValue { .text(self) }
}

extension [UInt8]: SQLValueConvertible {
    /// A blob.
    @inlinable public var sqlValue: SQLValue { .blob(self) }
}

extension Data: SQLValueConvertible {
    /// A blob.
    @inlinable public var sqlValue: SQLValue { .blob(Array(self)) }
}

extension Date: SQLValueConvertible {
    /// Milliseconds since 1970-01-01 00:00 UTC as an integer, rounded to the nearest; a date that is not finite or is
    /// beyond 64 bits cannot be bound.
    @inlinable public var sqlValue: SQLValue {
        Int64(exactly: (timeIntervalSince1970 * 1_000).rounded()).map(SQLValue.integer) ?? .real(.nan)
    }
}

extension Optional: SQLValueConvertible where Wrapped: SQLValueConvertible {
    /// The wrapped value, or NULL.
    @inlinable public var sqlValue: SQLValue { self?.sqlValue ?? .null }
}
