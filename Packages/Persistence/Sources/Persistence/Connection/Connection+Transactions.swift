// SPDX-License-Identifier: MIT

import CSQLite

extension Connection {
    /// Runs a closure in a transaction that sees one snapshot; writing in it throws.
    func reading<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        // A database in memory has no second connection, so this one may be the writer's.
        let isWriter = durability != nil
        if isWriter { try internally("PRAGMA query_only = ON") }
        defer { if isWriter { try? internally("PRAGMA query_only = OFF") } }
        try internally("BEGIN DEFERRED")
        return try finishing(body)
    }

    /// Runs a closure in a transaction that holds the write lock from its start, so that it cannot fail for a lock half-way.
    func writing<Value>(durability: Durability, _ body: (Connection) throws -> Value) throws -> Value {
        if self.durability != durability {
            // Inside a transaction the setting would not take effect.
            switch durability {
            case .full: try internally("PRAGMA synchronous = FULL")
            case .normal: try internally("PRAGMA synchronous = NORMAL")
            }
            self.durability = durability
        }
        try internally("BEGIN IMMEDIATE")
        return try finishing(body)
    }

    private func finishing<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        isInTransaction = true
        defer { isInTransaction = false }
        do {
            let value = try body(self)
            try Task.checkCancellation()
            try internally("COMMIT")
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
        do { try internally("ROLLBACK") } catch { close() }
    }

    func internally(_ sql: SQL) throws {
        try access.internally { try execute(sql) }
    }
}
