// SPDX-License-Identifier: MIT

import CSQLite

/// A blob of the database that is read and written in parts, without being in memory as a whole
/// (sqlite.org/c3ref/blob_open.html). It exists only within the closure of
/// ``Connection/withBlob(table:column:rowID:isWritable:_:)``.
public final class IncrementalBlob {
    private let connection: Connection
    private var handle: OpaquePointer?

    fileprivate init(_ handle: OpaquePointer, on connection: Connection) {
        self.handle = handle
        self.connection = connection
    }

    deinit {
        close()
    }

    fileprivate func close() {
        sqlite3_blob_close(handle)
        handle = nil
    }

    /// The size in bytes; writing does not change it.
    public var count: Int { handle.map { Int(sqlite3_blob_bytes($0)) } ?? 0 }

    /// Reads a part.
    ///
    /// - Throws: ``DatabaseError`` with `invalidValue` when the part is not all within the blob.
    public func read(at offset: Int, count: Int) throws -> [UInt8] {
        let handle = try part(offset, count)
        var result = SQLITE_OK
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            result = sqlite3_blob_read(handle, buffer.baseAddress, Int32(count), Int32(offset))
            initialized = result == SQLITE_OK ? count : 0
        }
        try check(result)
        return bytes
    }

    /// Writes over a part.
    ///
    /// - Throws: ``DatabaseError`` with `invalidValue` when the part is not all within the blob, `readOnly` when it was not
    ///   opened for writing.
    public func write(_ bytes: [UInt8], at offset: Int) throws {
        let handle = try part(offset, bytes.count)
        try check(bytes.withUnsafeBytes { sqlite3_blob_write(handle, $0.baseAddress, Int32($0.count), Int32(offset)) })
    }

    private func part(_ offset: Int, _ count: Int) throws -> OpaquePointer {
        try connection.requireTransaction()
        guard let handle else { throw DatabaseError(code: .closed, message: "The blob was closed with its closure.") }
        guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else {
            throw DatabaseError(
                code: .invalidValue,
                message: "\(count) bytes at \(offset) are not all within the blob's \(self.count) bytes.")
        }
        return handle
    }

    private func check(_ result: Int32) throws {
        guard result != SQLITE_OK else { return }
        if result & 0xFF == SQLITE_ABORT {
            throw DatabaseError(
                code: .transactionEnded, message: "The blob's row was changed; open the blob again.", underlying: result
            )
        }
        throw DatabaseError(sqlite: result, on: try connection.openHandle(), name: connection.name)
    }
}

@available(*, unavailable)
extension IncrementalBlob: Sendable {}

extension Connection {
    /// Opens a blob (or a text) of one row to read or write it in parts. To make one of a given size, insert `zeroblob(size)`.
    ///
    /// - Parameters:
    ///   - table: The table, which is not WITHOUT ROWID.
    ///   - column: The column; to be written, it must be in no index and no foreign key.
    ///   - rowID: The row.
    ///   - isWritable: Whether it is written as well; in a write transaction.
    ///   - body: What to do; it must not keep the blob.
    /// - Throws: ``DatabaseError`` with `notFound` when there is no such row, `invalidSQL` when there is no such column or it
    ///   holds neither bytes nor text.
    public func withBlob<Value>(
        table: StaticString, column: StaticString, rowID: Int64, isWritable: Bool = false,
        _ body: (IncrementalBlob) throws -> Value
    ) throws -> Value {
        let handle = try requireTransaction()
        var opened: OpaquePointer?
        let result = sqlite3_blob_open(
            handle, "main", table.description, column.description, rowID, isWritable ? 1 : 0, &opened)
        guard result == SQLITE_OK, let opened else {
            let error = DatabaseError(sqlite: result, on: handle, name: name)
            guard error.message.hasPrefix("no such rowid") else { throw error }
            throw DatabaseError(
                code: .notFound, message: "There is no row \(rowID) in \(table).", underlying: error.underlying)
        }
        let tables = Region.tables([table.description.lowercased()])
        note(StatementTables(reads: tables, writes: isWritable ? tables : .nothing))
        let blob = IncrementalBlob(opened, on: self)
        defer { blob.close() }
        return try body(blob)
    }
}
