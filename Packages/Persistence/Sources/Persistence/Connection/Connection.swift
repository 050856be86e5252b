// SPDX-License-Identifier: MIT

import CSQLite

/// One connection to the file, inside a transaction. It exists only within the closures of ``Database/read(_:)`` and
/// ``Database/write(durability:_:)``; do not keep it.
///
/// Each statement is prepared once and kept. `CancellationError` is thrown from a running statement when the task is
/// cancelled.
public final class Connection {
    let name: String
    let configuration: Database.Configuration
    let access: ConnectionAccess
    var isInTransaction = false
    var durability: Durability?
    private(set) var handle: OpaquePointer?
    private var cache: StatementCache
    /// The connection's own statements: a caller's COMMIT must not find one that was allowed to us.
    private var ownCache = StatementCache(capacity: 16)

    /// A connection that owns an open handle.
    init(handle: OpaquePointer, name: String, configuration: Database.Configuration) {
        self.handle = handle
        self.name = name
        self.configuration = configuration
        cache = StatementCache(capacity: configuration.statementCacheCapacity)
        access = ConnectionAccess()
        access.install(on: handle)
    }

    deinit {
        close()
    }

    /// Runs a statement to its end; its rows, if any, are dropped.
    public func execute(_ sql: SQL) throws {
        try withStatement(sql) { while try $0.step() {} }
    }

    /// Runs a query and decodes each row, in the query's order.
    public func query<Value>(_ sql: SQL, _ decode: (borrowing Row) throws -> Value) throws -> [Value] {
        try withStatement(sql) { statement in
            var values: [Value] = []
            while try statement.step() { values.append(try decode(Row(statement.handle))) }
            return values
        }
    }

    /// Runs a query up to its first row; nil when there is none. An INSERT … RETURNING inserts what it says.
    public func first<Value>(_ sql: SQL, _ decode: (borrowing Row) throws -> Value) throws -> Value? {
        try withStatement(sql) { try $0.step() ? decode(Row($0.handle)) : nil }
    }

    /// The row ID of the newest row that this connection inserted; 0 before the first.
    public var lastInsertedRowID: Int64 { handle.map { sqlite3_last_insert_rowid($0) } ?? 0 }

    /// How many rows the newest INSERT, UPDATE or DELETE changed, without triggers and cascades.
    public var changes: Int { handle.map { Int(sqlite3_changes64($0)) } ?? 0 }

    /// A part of a transaction that is undone alone when its closure throws; the error is passed on. Nests.
    public func savepoint<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        try internally("SAVEPOINT parley")
        do {
            let value = try body(self)
            try internally("RELEASE parley")
            return value
        } catch {
            // The error that counts is the first one; if the transaction has ended, there is nothing to undo.
            try? internally("ROLLBACK TO parley")
            try? internally("RELEASE parley")
            throw error
        }
    }

    /// Runs a script of several statements without values.
    func executeScript(_ script: StaticString) throws {
        let handle = try openHandle()
        var text = script.description
        try text.withUTF8 { buffer in
            var rest = buffer
            while !rest.isEmpty {
                let (statement, left) = try Statement.prepare(rest, flags: 0, handle, name)
                if let statement {
                    defer { sqlite3_finalize(statement) }
                    while true {
                        let result = sqlite3_step(statement)
                        if result == SQLITE_DONE { break }
                        if result & 0xFF == SQLITE_INTERRUPT && Task.isCancelled { throw CancellationError() }
                        guard result == SQLITE_ROW else { throw DatabaseError(sqlite: result, on: handle, name: name) }
                    }
                }
                rest = UnsafeBufferPointer(rebasing: rest.suffix(left))
            }
        }
    }

    /// Closes the handle; a second call does nothing.
    func close() {
        cache.removeAll()
        ownCache.removeAll()
        sqlite3_close_v2(handle)
        handle = nil
    }

    func openHandle() throws -> OpaquePointer {
        guard let handle else { throw DatabaseError(code: .closed, message: "\(name) was closed; open it again.") }
        return handle
    }

    private func withStatement<Value>(_ sql: SQL, _ body: (Statement) throws -> Value) throws -> Value {
        let handle = try openHandle()
        // SQLite ends a transaction itself after some errors (a full disk, say). A closure that swallows such an error
        // must not go on to write statement by statement.
        guard !isInTransaction || sqlite3_get_autocommit(handle) == 0 else {
            throw DatabaseError(
                code: .transactionEnded,
                message: "An earlier error rolled the transaction back; let that error leave the closure.")
        }
        let isOwn = access.isInternal
        let kept = isOwn ? ownCache.take(sql.text) : cache.take(sql.text)
        let statement = try kept ?? Statement(sql.text, on: handle, name: name)
        defer {
            statement.reset()
            if isOwn { ownCache.put(statement) } else { cache.put(statement) }
        }
        try statement.bind(sql.bindings)
        return try body(statement)
    }
}

@available(*, unavailable)
extension Connection: Sendable {}
