// SPDX-License-Identifier: MIT

import CSQLite

/// Limits a connection's statements and stops them on cancellation: SQLite's authorizer and progress handler.
///
/// A closure's SQL may not begin, commit, roll back or set savepoints, nor attach files, nor change the settings that
/// the transaction's promises rest on.
final class ConnectionAccess {
    /// True while the connection runs its own statements.
    private(set) var isInternal = false
    private var record: Record?

    private struct Record {
        var reads: Set<String> = []
        var writes: Set<String> = []
        var changesSchema = false
    }

    /// The settings that a caller may read but not change.
    private static let guarded: Set<String> = [
        "foreign_keys", "ignore_check_constraints", "journal_mode", "locking_mode", "query_only", "read_uncommitted",
        "synchronous", "trusted_schema", "writable_schema",
    ]

    /// Puts the handlers on a connection, which must not outlive this object.
    func install(on handle: OpaquePointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, _, _ in
                guard let context else { return SQLITE_DENY }
                let access = Unmanaged<ConnectionAccess>.fromOpaque(context).takeUnretainedValue()
                return access.allows(action, first, second) ? SQLITE_OK : SQLITE_DENY
            }, context)
        // Every few milliseconds of work; without it, a cancelled task would wait for its query's end. A commit or a
        // rollback is never interrupted.
        sqlite3_progress_handler(
            handle, 20_000,
            { context in
                guard let context else { return 0 }
                let access = Unmanaged<ConnectionAccess>.fromOpaque(context).takeUnretainedValue()
                return !access.isInternal && Task.isCancelled ? 1 : 0
            }, context)
    }

    /// Runs the connection's own statements.
    func internally<Value>(_ body: () throws -> Value) rethrows -> Value {
        let before = isInternal
        isInternal = true
        defer { isInternal = before }
        return try body()
    }

    /// Runs a closure that prepares a statement, and returns the tables that the statement uses.
    func recording<Value>(_ prepare: () throws -> Value) rethrows -> (Value, StatementTables) {
        record = Record()
        defer { record = nil }
        let value = try prepare()
        let reads = Region.tables(record?.reads ?? [])
        let writes = record?.changesSchema == true ? Region.everything : .tables(record?.writes ?? [])
        return (value, StatementTables(reads: reads, writes: writes))
    }

    /// Notes the tables that a statement being prepared names.
    private func note(_ action: Int32, _ table: UnsafePointer<CChar>?) {
        guard record != nil, let table else { return }
        switch action {
        case SQLITE_READ: record?.reads.insert(String(cString: table).lowercased())
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
            let name = String(cString: table).lowercased()
            if name == "sqlite_master" { record?.changesSchema = true } else { record?.writes.insert(name) }
        default: break
        }
    }

    private func allows(_ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?) -> Bool {
        note(action, first)
        switch action {
        case _ where isInternal: return true
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_ATTACH, SQLITE_DETACH: return false
        case SQLITE_PRAGMA:
            guard second != nil, let first else { return true }
            return !Self.guarded.contains(String(cString: first).lowercased())
        default: return true
        }
    }
}
