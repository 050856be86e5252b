// SPDX-License-Identifier: MIT

import CSQLite

/// The current row of a query. It lives only inside the decoding closure: it cannot be copied or kept.
///
/// `try row["created_at"]` reads the column of that name as the type that is wanted there; `try row["reason"]` takes
/// NULL if that is an optional. A name is the column's in the SELECT: `count(*) AS number` is read as `row["number"]`.
///
/// Nothing is converted silently: a column that holds NULL or another type than the requested one throws
/// ``DatabaseError`` with the code `typeMismatch`, and a missing one `missingColumn`, for an optional as well.
public struct Row: ~Copyable {
    @usableFromInline let statement: OpaquePointer
    @usableFromInline let lookup: UnsafeMutablePointer<ColumnLookup>

    @usableFromInline
    init(_ statement: Statement) {
        self.statement = statement.handle
        lookup = statement.lookup
    }

    /// The value of a column, of the type that the caller wants.
    ///
    /// - Parameters:
    ///   - name: The column's name in the result, a literal in the program; capital letters count.
    ///   - type: The type, if the code around it does not imply one.
    /// - Throws: ``DatabaseError`` with `missingColumn`, which names the row's columns, or `typeMismatch`.
    @inlinable
    public subscript<Value: SQLReadable>(_ name: StaticString, as type: Value.Type = Value.self) -> Value {
        get throws { try Value(column: column(name)) }
    }

    /// Lends the bytes of a text, UTF-8 as they were stored, without copying them.
    public func withText<Result>(_ name: StaticString, _ body: (Span<UInt8>) throws -> Result) throws -> Result {
        try body(try column(name).text().span)
    }

    /// Every value, in the order of the SELECT.
    public func values() throws -> [SQLValue] {
        try (0..<columnCount).map { try SQLValue(column: column(at: $0)) }
    }

    /// The name of every column, in the order of the SELECT.
    public func names() -> [String] {
        (0..<columnCount).map { ColumnLookup.name(of: $0, in: statement) }
    }

    /// The value of the only column.
    @usableFromInline
    func onlyValue<Value: SQLReadable>(as type: Value.Type) throws -> Value {
        guard columnCount == 1 else {
            throw DatabaseError(
                code: .typeMismatch,
                message: "One value is wanted where the row has \(columnCount) columns: read them by their names.")
        }
        return try Value(column: column(at: 0))
    }

    func column(at index: Int32) -> Column { Column(statement, index) }

    private var columnCount: Int32 { sqlite3_data_count(statement) }

    @inlinable
    func column(_ name: StaticString) throws -> Column {
        let expected = lookup.pointee.next
        guard expected.pointee.name == name.utf8Start else {
            return Column(statement, try lookup.pointee.find(name, in: statement))
        }
        lookup.pointee.next = expected + 1
        return Column(statement, expected.pointee.index)
    }
}

extension Row {
    /// A column of the current row, for types that read themselves from it; see ``SQLReadable``.
    public struct Column: ~Copyable {
        private let statement: OpaquePointer
        private let index: Int32

        @usableFromInline
        init(_ statement: OpaquePointer, _ index: Int32) {
            self.statement = statement
            self.index = index
        }

        var type: Int32 { sqlite3_column_type(statement, index) }

        /// The value, unprotected as SQLite calls it: it may be read while no other thread uses the connection, and
        /// none does. One look-up for each column instead of three is a fifth of the time of reading a row.
        private var value: OpaquePointer? { sqlite3_column_value(statement, index) }

        func integer() throws -> Int64 {
            let value = value
            guard sqlite3_value_type(value) == SQLITE_INTEGER else { throw mismatch("an integer") }
            return sqlite3_value_int64(value)
        }

        /// SQLite's arithmetic yields integers as well as real numbers.
        func real() throws -> Double {
            let value = value
            let type = sqlite3_value_type(value)
            guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { throw mismatch("a number") }
            return sqlite3_value_double(value)
        }

        /// The bytes of a text, until the next step.
        func text() throws -> UnsafeBufferPointer<UInt8> {
            let value = value
            guard sqlite3_value_type(value) == SQLITE_TEXT else { throw mismatch("text") }
            let bytes = sqlite3_value_text(value)
            return UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
        }

        /// The bytes of a blob, until the next step.
        func blob() throws -> UnsafeRawBufferPointer {
            let value = value
            guard sqlite3_value_type(value) == SQLITE_BLOB else { throw mismatch("a blob") }
            let bytes = sqlite3_value_blob(value)
            return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
        }

        func mismatch(_ wanted: String) -> DatabaseError {
            let found =
                switch type {
                case SQLITE_INTEGER: "an integer"
                case SQLITE_FLOAT: "a real number"
                case SQLITE_TEXT: "text"
                case SQLITE_BLOB: "a blob"
                default: "NULL"
                }
            let name = ColumnLookup.name(of: index, in: statement)
            return DatabaseError(
                code: .typeMismatch, message: "Column “\(name)” holds \(found) where \(wanted) is wanted.")
        }
    }
}
