// SPDX-License-Identifier: MIT

import CSQLite

/// One connection to the file, inside a transaction that may write. It exists only within the closure of
/// ``Database/write(durability:_:)``; do not keep it.
///
/// It is a ``Connection``, so that what reads in one takes either.
public final class WritableConnection: Connection {
    /// Runs a statement to its end; its rows, if any, are dropped.
    ///
    /// - Throws: ``DatabaseError``: `constraint`, `diskFull`, `invalidSQL`, …
    public func execute(_ sql: SQL) throws {
        try run(sql)
    }

    /// The row ID of the newest row that this connection inserted; 0 before the first.
    public var lastInsertedRowID: Int64 { handle.map { sqlite3_last_insert_rowid($0) } ?? 0 }

    /// How many rows the newest INSERT, UPDATE or DELETE changed, without triggers and cascades.
    public var changes: Int { handle.map { Int(sqlite3_changes64($0)) } ?? 0 }
}
