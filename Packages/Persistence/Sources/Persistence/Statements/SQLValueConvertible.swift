// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A type whose values can stand in an ``SQL`` literal; they become bindings, never text.
public protocol SQLValueConvertible {
    /// The value as SQLite stores it.
    var sqlValue: SQLValue { get }

    /// Gives the value to a statement that is about to run: exactly one call of the binder. The default gives
    /// ``sqlValue``.
    func bind(to binder: inout StatementBinder) throws
}

extension SQLValueConvertible {
    /// Gives ``sqlValue``.
    public func bind(to binder: inout StatementBinder) throws { try binder.bind(sqlValue) }
}

extension SQLValue: SQLValueConvertible {
    /// The value itself.
    @inlinable public var sqlValue: SQLValue { self }
}

extension Int: SQLValueConvertible {
    /// An integer.
    @inlinable public var sqlValue: SQLValue { .integer(Int64(self)) }

    /// Gives the integer.
    @inlinable
    public func bind(to binder: inout StatementBinder) throws { try binder.bind(Int64(self)) }
}

extension Int64: SQLValueConvertible {
    /// An integer.
    @inlinable public var sqlValue: SQLValue { .integer(self) }

    /// Gives the integer.
    @inlinable
    public func bind(to binder: inout StatementBinder) throws { try binder.bind(self) }
}

extension Bool: SQLValueConvertible {
    /// 1 or 0.
    @inlinable public var sqlValue: SQLValue { .integer(self ? 1 : 0) }

    /// Gives 1 or 0.
    @inlinable
    public func bind(to binder: inout StatementBinder) throws { try binder.bind(self ? 1 : 0 as Int64) }
}

extension Double: SQLValueConvertible {
    /// A real number; binding a NaN throws, because SQLite would store NULL in its place.
    @inlinable public var sqlValue: SQLValue { .real(self) }

    /// Gives the number.
    @inlinable
    public func bind(to binder: inout StatementBinder) throws { try binder.bind(self) }
}

extension String: SQLValueConvertible {
    /// Text.
    @inlinable public var sqlValue: SQLValue { .text(self) }

    /// Gives the text.
    @inlinable
    public func bind(to binder: inout StatementBinder) throws { try binder.bind(self) }
}

extension [UInt8]: SQLValueConvertible {
    /// A blob.
    @inlinable public var sqlValue: SQLValue { .blob(self) }

    /// Gives the bytes.
    @inlinable
    public func bind(to binder: inout StatementBinder) throws { try binder.bind(span) }
}

extension Data: SQLValueConvertible {
    /// A blob.
    @inlinable public var sqlValue: SQLValue { .blob(Array(self)) }
}

extension Date: SQLValueConvertible {
    /// Milliseconds since 1970-01-01 00:00 UTC as an integer, rounded to the nearest; a date that is not finite or is beyond
    /// 64 bits cannot be bound.
    @inlinable public var sqlValue: SQLValue {
        Int64(exactly: (timeIntervalSince1970 * 1_000).rounded()).map(SQLValue.integer) ?? .real(.nan)
    }
}

extension Optional: SQLValueConvertible where Wrapped: SQLValueConvertible {
    /// The wrapped value, or NULL.
    @inlinable public var sqlValue: SQLValue { self?.sqlValue ?? .null }

    /// Gives the wrapped value, or NULL.
    @inlinable
    public func bind(to binder: inout StatementBinder) throws {
        if let self { try self.bind(to: &binder) } else { try binder.bindNull() }
    }
}
