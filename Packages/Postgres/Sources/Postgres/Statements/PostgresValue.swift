// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A value of a statement or a column, in the types that this module knows.
///
/// `integer`, `real`, `bool`, `bytes` and `timestamp` are sent with their own type. `text` and `null` have the type that
/// the server infers from their place, so that a text can be a UUID, JSON or an enumeration there.
public enum PostgresValue: Sendable, Equatable {
    /// NULL.
    case null
    /// `boolean`.
    case bool(Bool)
    /// `bigint`; cast where a function takes `integer` alone: `left(name, CAST(\(count) AS integer))`.
    case integer(Int64)
    /// `double precision`.
    case real(Double)
    /// UTF-8 text without a NUL, which PostgreSQL cannot store: sending one throws `invalidValue`.
    case text(String)
    /// `bytea`.
    case bytes([UInt8])
    /// `timestamp with time zone`, to the microsecond.
    case timestamp(Date)
}

/// A type whose values are allowed in a ``PostgresStatement``; they become parameters, never text.
public protocol PostgresValueConvertible {
    /// The value as it is sent.
    var postgresValue: PostgresValue { get }
}

extension PostgresValue: PostgresValueConvertible {
    /// The value itself.
    public var postgresValue: PostgresValue { self }
}

extension Int: PostgresValueConvertible {
    /// A `bigint`.
    public var postgresValue: PostgresValue { .integer(Int64(self)) }
}

extension Int64: PostgresValueConvertible {
    /// A `bigint`.
    public var postgresValue: PostgresValue { .integer(self) }
}

extension Bool: PostgresValueConvertible {
    /// A `boolean`.
    public var postgresValue: PostgresValue { .bool(self) }
}

extension Double: PostgresValueConvertible {
    /// A `double precision`.
    public var postgresValue: PostgresValue { .real(self) }
}

extension String: PostgresValueConvertible {
    /// Text.
    public var postgresValue: PostgresValue { .text(self) }
}

extension [UInt8]: PostgresValueConvertible {
    /// A `bytea`.
    public var postgresValue: PostgresValue { .bytes(self) }
}

extension Data: PostgresValueConvertible {
    /// A `bytea`.
    public var postgresValue: PostgresValue { .bytes(Array(self)) }
}

extension Date: PostgresValueConvertible {
    /// A `timestamp with time zone`, rounded to the nearest microsecond.
    public var postgresValue: PostgresValue { .timestamp(self) }
}

extension Optional: PostgresValueConvertible where Wrapped: PostgresValueConvertible {
    /// The wrapped value, or NULL.
    public var postgresValue: PostgresValue { self?.postgresValue ?? .null }
}
