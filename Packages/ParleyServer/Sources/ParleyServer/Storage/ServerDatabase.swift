// SPDX-License-Identifier: MIT

import Persistence

/// The port to the database of a server: every store is written once over it, in the SQL that its kinds have in common.
///
/// That SQL has `INSERT … ON CONFLICT` and `RETURNING`, and neither triggers nor functions of one kind alone. Sums are
/// cast to BIGINT, since PostgreSQL's are decimal. Truth values are stored as integers, and times as milliseconds.
///
/// A closure may run again if another transaction got in its way: it changes nothing but the rows, and draws no random
/// values. It runs where the caller of the port's methods runs, so that a statement costs no change of threads on a
/// database with a thread of its own.
protocol ServerDatabase: Sendable {
    /// True if other instances of the server may use the database at the same time.
    var isShared: Bool { get }

    /// Runs a closure on one unchanging state of the rows.
    func read<Value: Sendable>(
        _ body: nonisolated(nonsending) @Sendable (any SQLReader) async throws -> Value
    ) async throws -> Value

    /// Runs a closure as one transaction. Its result is as if all transactions had run one after another; it is undone
    /// if the closure throws or the task is cancelled.
    ///
    /// - Parameter durability: The failures that it survives; a shared database decides itself.
    @discardableResult
    func write<Value: Sendable>(
        durability: Durability, _ body: nonisolated(nonsending) @Sendable (any SQLWriter) async throws -> Value
    ) async throws -> Value

    /// Throws unless the database answers and has the tables of this version.
    func check() async throws

    func close() async
}

extension ServerDatabase {
    /// Runs a closure as one transaction that survives a power failure.
    @discardableResult
    func write<Value: Sendable>(
        _ body: nonisolated(nonsending) @Sendable (any SQLWriter) async throws -> Value
    ) async throws -> Value {
        try await write(durability: .full, body)
    }
}

/// The rows in one transaction. It must not be used after its closure has returned.
protocol SQLReader: Sendable {
    /// The database's time in milliseconds since 1970, as an expression: instances of a server share it.
    var now: SQL { get }

    /// Ends a SELECT that takes one of several equal pieces of work: rows that another transaction takes are passed over
    /// where the database can.
    var skippingTaken: SQL { get }

    /// All rows of a query, or of a write that returns rows.
    nonisolated(nonsending) func rows(_ sql: SQL) async throws -> [SQLRow]
}

/// The rows in one transaction that writes.
protocol SQLWriter: SQLReader {
    /// Runs a statement.
    ///
    /// - Returns: The number of rows that it inserted, updated or deleted.
    @discardableResult
    nonisolated(nonsending) func execute(_ sql: SQL) async throws -> Int
}

extension SQLReader {
    /// Decodes each row, in the query's order.
    nonisolated(nonsending) func query<Value>(
        _ sql: SQL, _ decode: (SQLRow) throws -> Value
    ) async throws -> [Value] {
        try await rows(sql).map(decode)
    }

    /// Decodes the first row; nil without one.
    nonisolated(nonsending) func first<Value>(
        _ sql: SQL, _ decode: (SQLRow) throws -> Value
    ) async throws -> Value? {
        try await rows(sql).first.map(decode)
    }

    /// The values of a query of one column.
    nonisolated(nonsending) func query<Value: SQLRowReadable>(
        _ sql: SQL, as type: Value.Type
    ) async throws -> [Value] {
        try await query(sql) { try $0.onlyValue(as: type) }
    }

    /// The first value of a query of one column; nil without a row.
    nonisolated(nonsending) func first<Value: SQLRowReadable>(
        _ sql: SQL, as type: Value.Type
    ) async throws -> Value? {
        try await first(sql) { try $0.onlyValue(as: type) }
    }
}
