// SPDX-License-Identifier: MIT

import CSQLite
public import FoundationEssentials

/// A type that a column can be read as.
///
/// A custom type reads the stored value and converts it: `init(column:) throws { try self.init(String(column: column))
/// }`.
public protocol SQLReadable {
    /// Reads the value of a column.
    ///
    /// - Throws: ``DatabaseError`` with `typeMismatch` for NULL, and for a value of another type.
    init(column: borrowing Row.Column) throws
}

extension Int64: SQLReadable {
    /// An integer.
    public init(column: borrowing Row.Column) throws { self = try column.integer() }
}

extension Int: SQLReadable {
    /// An integer.
    public init(column: borrowing Row.Column) throws { self = Int(try column.integer()) }
}

extension Bool: SQLReadable {
    /// A truth value, stored as 0 or 1; any other integer throws.
    public init(column: borrowing Row.Column) throws {
        switch try column.integer() {
        case 0: self = false
        case 1: self = true
        default: throw column.mismatch("0 or 1")
        }
    }
}

extension Double: SQLReadable {
    /// A real number; an integer is taken as well.
    public init(column: borrowing Row.Column) throws { self = try column.real() }
}

extension String: SQLReadable {
    /// Text; bytes that are not UTF-8 throw.
    public init(column: borrowing Row.Column) throws {
        let bytes = try column.text()
        guard let text = try? UTF8Span(validating: bytes.span) else { throw column.mismatch("UTF-8") }
        self.init(copying: text)
    }
}

extension [UInt8]: SQLReadable {
    /// A blob.
    public init(column: borrowing Row.Column) throws { self.init(try column.blob()) }
}

extension Data: SQLReadable {
    /// A blob.
    public init(column: borrowing Row.Column) throws { self.init(try column.blob()) }
}

extension Date: SQLReadable {
    /// A time, stored as integer milliseconds since 1970-01-01 00:00 UTC.
    public init(column: borrowing Row.Column) throws {
        self.init(timeIntervalSince1970: Double(try column.integer()) / 1_000)
    }
}

extension SQLValue: SQLReadable {
    /// The value, of any type.
    public init(column: borrowing Row.Column) throws {
        switch column.type {
        case SQLITE_INTEGER: self = .integer(try column.integer())
        case SQLITE_FLOAT: self = .real(try column.real())
        case SQLITE_TEXT: self = .text(try String(column: column))
        case SQLITE_BLOB: self = .blob(try [UInt8](column: column))
        default: self = .null
        }
    }
}

extension Optional: SQLReadable where Wrapped: SQLReadable {
    /// The value, or nil for NULL.
    public init(column: borrowing Row.Column) throws {
        self = column.type == SQLITE_NULL ? nil : try Wrapped(column: column)
    }
}
