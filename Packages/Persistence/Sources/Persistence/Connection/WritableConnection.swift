// SPDX-License-Identifier: MIT

import CSQLite

/// One connection to the file, inside a transaction that may write. It exists only within the closure of
/// ``Database/write(durability:_:)``; do not keep it.
///
/// It is a ``Connection``, so that a function that reads in one takes either.
public final class WritableConnection: Connection {
    /// Runs a statement to its end; its rows, if any, are dropped.
    ///
    /// - Throws: ``DatabaseError``: `constraint`, `diskFull`, `invalidSQL`, …
    public func execute(_ sql: SQL) throws {
        try run(sql)
    }

    /// The row ID of the newest row that this connection inserted; 0 before the first.
    public var lastInsertedRowID: Int64 { handle.map { sqlite3_last_insert_rowid($0) } ?? 0 }

    /// The number of rows that the newest INSERT, UPDATE or DELETE changed, without triggers and cascades.
    public var changes: Int { handle.map { Int(sqlite3_changes64($0)) } ?? 0 }
}

extension WritableConnection {
    /// Runs a closure in a transaction that sees one snapshot; writing in it throws.
    func reading<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        // A database in memory has no second connection, so this one may be the writer's.
        let isWriter = durability != nil
        if isWriter { try run(.queryOnly) }
        isReading = true
        defer {
            isReading = false
            if isWriter { try? run(.queryAndWrite) }
        }
        try run(.beginDeferred)
        return try finishing(body)
    }

    /// Runs a closure in a transaction that holds the write lock from its start, so that it cannot fail for a lock
    /// half-way.
    func writing<Value>(durability: Durability, _ body: (WritableConnection) throws -> Value) throws -> Value {
        if self.durability != durability {
            // Inside a transaction the setting would not take effect.
            try run(durability == .full ? .synchronousFull : .synchronousNormal)
            self.durability = durability
        }
        try busy.begin { try run(.beginImmediate) }
        changeRecord.begin()
        let value = try finishing(body)
        if let handle { checkpointer.run(on: handle) }
        let changed = changeRecord.end()
        if !changed.isEmpty { onCommit?(changed) }
        return value
    }

    private func finishing<Value>(_ body: (WritableConnection) throws -> Value) throws -> Value {
        isInTransaction = true
        defer { isInTransaction = false }
        do {
            let value = try body(self)
            try Task.checkCancellation()
            try run(.commit)
            return value
        } catch {
            rollBack()
            throw error
        }
    }

    private func rollBack() {
        guard let handle, sqlite3_get_autocommit(handle) == 0 else { return }
        // SQLite documents no way for this to fail that leaves a transaction open, but an open one would poison every
        // later use: then the connection is given up, and with it the uncommitted pages.
        do { try run(.rollback) } catch { close() }
    }
}
