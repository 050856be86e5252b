// SPDX-License-Identifier: MIT

import CSQLite

extension Connection {
    /// Runs a statement to its end; its rows, if any, are dropped.
    func run(_ sql: SQL) throws {
        try withStatement(sql) { while try $0.step() {} }
    }

    /// Runs a query and decodes each row, in the query's order.
    @inlinable
    public func query<Value>(_ sql: SQL, _ decode: (borrowing Row) throws -> Value) throws -> [Value] {
        try withStatement(sql) { statement in
            var values: [Value] = []
            while try statement.step() { values.append(try decode(Row(statement))) }
            return values
        }
    }

    /// Runs a query up to its first row; nil without one. An INSERT … RETURNING inserts all its rows.
    @inlinable
    public func first<Value>(_ sql: SQL, _ decode: (borrowing Row) throws -> Value) throws -> Value? {
        try withStatement(sql) { try $0.step() ? decode(Row($0)) : nil }
    }

    /// Runs a query of one column, in the query's order: `query("SELECT name FROM item", as: String.self)`.
    @inlinable
    public func query<Value: SQLReadable>(_ sql: SQL, as type: Value.Type) throws -> [Value] {
        try query(sql) { try $0.onlyValue(as: type) }
    }

    /// Runs a query of one column up to its first row; nil without one. A value that may be NULL is read as an
    /// optional.
    @inlinable
    public func first<Value: SQLReadable>(_ sql: SQL, as type: Value.Type) throws -> Value? {
        try first(sql) { try $0.onlyValue(as: type) }
    }

    /// Calls a closure with each row, in the query's order, without keeping any.
    @inlinable
    public func forEach(_ sql: SQL, _ body: (borrowing Row) throws -> Void) throws {
        try withStatement(sql) { while try $0.step() { try body(Row($0)) } }
    }

    /// Runs a script of several statements without values.
    func executeScript(_ script: StaticString) throws {
        let handle = try openHandle()
        var text = script.description
        try text.withUTF8 { buffer in
            var rest = buffer
            while !rest.isEmpty {
                let ((statement, left), tables) = try access.recording {
                    try Statement.prepare(rest, flags: 0, handle, name)
                }
                note(tables)
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

    // Inlined, so that the closures of a caller's own module cost no calls and its values no metadata.
    @inlinable
    func withStatement<Value>(_ sql: SQL, _ body: (Statement) throws -> Value) throws -> Value {
        let statement = try begin(sql.source)
        defer { statement.end() }
        if try statement.bind(sql.bindings) { return try body(statement) }
        return try statement.lending(sql.bindings) { try body(statement) }
    }
}
