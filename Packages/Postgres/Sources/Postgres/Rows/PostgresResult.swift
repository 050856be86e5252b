// SPDX-License-Identifier: MIT

import CPostgres

/// The rows of one statement, as libpq holds them.
// SAFETY: nothing changes a PGresult after it was received, and libpq's functions that read one change nothing.
final class PostgresResult: @unchecked Sendable {
    private let handle: OpaquePointer
    let columns: ResultColumns
    let rowCount: Int32

    /// Takes over a result.
    ///
    /// - Parameter likely: The columns of the statement's previous run, which are used again if they are the same.
    init(_ handle: OpaquePointer, likely: ResultColumns? = nil) {
        self.handle = handle
        rowCount = PQntuples(handle)
        columns = likely.flatMap { $0.describes(handle) ? $0 : nil } ?? ResultColumns(handle)
    }

    deinit { PQclear(handle) }

    /// The number of rows that the statement inserted, changed, deleted or returned; 0 for other statements.
    var changedCount: Int {
        guard let text = PQcmdTuples(handle) else { return 0 }
        var count = 0
        var position = text
        while case let digit = position.pointee &- 48, 0...9 ~= digit {
            count = count &* 10 &+ Int(digit)
            position += 1
        }
        return count
    }

    /// True if the statement was a COMMIT that the server turned into a rollback.
    var isRollback: Bool { String(cString: PQcmdStatus(handle)) == "ROLLBACK" }

    /// The rows as values.
    var rows: [PostgresRow] { (0..<rowCount).map { PostgresRow(result: self, index: $0) } }

    /// The bytes of a column; nil for NULL. They live as long as the result.
    func bytes(row: Int32, column: Int32) -> UnsafeRawBufferPointer? {
        guard PQgetisnull(handle, row, column) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(handle, row, column), count: Int(PQgetlength(handle, row, column)))
    }
}

/// The names and types of a result's columns.
final class ResultColumns: Sendable {
    let names: [String]
    let types: [UInt32]

    init(_ result: OpaquePointer) {
        let indices = 0..<PQnfields(result)
        names = indices.map { index in PQfname(result, index).map { String(cString: $0) } ?? "" }
        types = indices.map { PQftype(result, $0) }
    }

    /// True if the result has the same number of columns and the same types; a prepared statement's names never change.
    func describes(_ result: OpaquePointer) -> Bool {
        guard PQnfields(result) == types.count else { return false }
        for (index, type) in types.enumerated() where PQftype(result, Int32(index)) != type { return false }
        return true
    }

    /// The index of a column.
    ///
    /// - Throws: ``PostgresError`` with `missingColumn`.
    func index(of name: String) throws(PostgresError) -> Int {
        guard let index = names.firstIndex(of: name) else {
            throw PostgresError(
                code: .missingColumn,
                message: "There is no column “\(name)” in the row, which has \(names.joined(separator: ", ")): "
                    + "correct the name, or add the column to the SELECT.")
        }
        for other in names.indices.dropFirst(index + 1) where names[other] == name {
            throw PostgresError(
                code: .missingColumn, message: "Two columns are called “\(name)”: rename one in the SELECT with AS.")
        }
        return index
    }
}
