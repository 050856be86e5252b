// SPDX-License-Identifier: MIT

/// A row of a result. It may be kept and sent to other tasks; it keeps its whole result in memory.
///
/// `try row["created_at"]` reads the column of that name as the type that is wanted there; `try row["reason"]` takes NULL
/// if that is an optional. A name is the column's in the SELECT: `count(*) AS number` is read as `row["number"]`.
///
/// Nothing is converted silently: a column that holds NULL or another type than the requested one throws
/// ``PostgresError`` with the code `typeMismatch`, and a missing one `missingColumn`, for an optional as well.
public struct PostgresRow: Sendable {
    let result: PostgresResult
    let index: Int32

    /// The names of the columns, in the order of the SELECT.
    public var columns: [String] { result.columns.names }

    /// The value of a column, of the type that the caller wants.
    ///
    /// - Parameters:
    ///   - name: The column's name in the result; capital letters count.
    ///   - type: The type, if the code around it does not imply one.
    /// - Throws: ``PostgresError`` with `missingColumn`, which names the row's columns, or `typeMismatch`.
    public subscript<Value: PostgresReadable>(_ name: String, as type: Value.Type = Value.self) -> Value {
        get throws { try Value(column: column(result.columns.index(of: name))) }
    }

    /// Every value, in the order of the SELECT.
    public func values() throws -> [PostgresValue] {
        try columns.indices.map { try PostgresValue(column: column($0)) }
    }

    /// The value of the only column.
    func onlyValue<Value: PostgresReadable>(as type: Value.Type) throws -> Value {
        guard columns.count == 1 else {
            throw PostgresError(
                code: .typeMismatch,
                message: "One value is wanted where the row has \(columns.count) columns: read them by their names.")
        }
        return try Value(column: column(0))
    }

    private func column(_ position: Int) -> PostgresColumn {
        PostgresColumn(
            name: result.columns.names[position], type: result.columns.types[position],
            bytes: result.bytes(row: index, column: Int32(position)))
    }
}
