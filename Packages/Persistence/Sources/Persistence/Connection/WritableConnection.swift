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
    /// The kinds of transactions.
    enum Kind: Sendable {
        /// Sees one snapshot; writing in it throws.
        case read
        /// Holds the write lock from its start, so that it cannot fail for a lock half-way.
        case write(Durability)
    }

    /// Runs a closure in a transaction that sees one snapshot; writing in it throws.
    func reading<Value>(_ body: (Connection) throws -> Value) throws -> Value { try run(.read, body) }

    /// Runs a closure in a transaction that holds the write lock from its start.
    func writing<Value>(durability: Durability, _ body: (WritableConnection) throws -> Value) throws -> Value {
        try run(.write(durability), body)
    }

    private func run<Value>(_ kind: Kind, _ body: (WritableConnection) throws -> Value) throws -> Value {
        try begin(kind)
        do {
            let value = try body(self)
            try commit(kind)
            return value
        } catch {
            rollBack(kind)
            throw error
        }
    }

    /// Begins a transaction, which ``commit(_:)`` or ``rollBack(_:)`` of the same kind ends; a failed commit needs the
    /// latter.
    func begin(_ kind: Kind) throws {
        switch kind {
        case .read:
            // A database in memory has no second connection, so this one may be the writer's.
            if durability != nil { try run(.queryOnly) }
            isReading = true
            do {
                try run(.beginDeferred)
            } catch {
                endReading()
                throw error
            }
        case .write(let durability):
            if self.durability != durability {
                // Inside a transaction the setting would not take effect.
                try run(durability == .full ? .synchronousFull : .synchronousNormal)
                self.durability = durability
            }
            try busy.begin { try run(.beginImmediate) }
            changeRecord.begin()
        }
        isInTransaction = true
    }

    func commit(_ kind: Kind) throws {
        try Task.checkCancellation()
        try run(.commit)
        isInTransaction = false
        if case .read = kind { return endReading() }
        if let handle { checkpointer.run(on: handle) }
        let changed = changeRecord.end()
        if !changed.isEmpty { onCommit?(changed) }
    }

    func rollBack(_ kind: Kind) {
        isInTransaction = false
        rollBack()
        if case .read = kind { endReading() }
    }

    /// Copies the log into the file and empties it.
    func emptyLog() throws {
        let handle = try openHandle()
        // SQLite itself does not wait for another connection that copies the log.
        let result = busy.trying { checkpointer.empty(on: handle) }
        guard result != SQLITE_OK else { return }
        let error = DatabaseError(sqlite: result, on: handle, name: name)
        guard error.code == .busy else { throw error }
        try Task.checkCancellation()
        throw DatabaseError(
            code: .busy,
            message: "What was deleted stays in the log of \(name) while another program reads it. End that program.",
            underlying: error.underlying)
    }

    private func endReading() {
        isReading = false
        if durability != nil { try? run(.queryAndWrite) }
    }

    private func rollBack() {
        guard let handle, sqlite3_get_autocommit(handle) == 0 else { return }
        // SQLite documents no way for this to fail that leaves a transaction open, but an open one would poison every
        // later use: then the connection is given up, and with it the uncommitted pages.
        do { try run(.rollback) } catch { close() }
    }
}
