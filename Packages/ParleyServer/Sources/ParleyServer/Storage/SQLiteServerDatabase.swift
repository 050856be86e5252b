// SPDX-License-Identifier: MIT

import AuthServer
import Persistence

/// A file of the server's home, or a database in memory, which one process uses at a time.
struct SQLiteServerDatabase: ServerDatabase {
    let database: Database
    /// The database's time.
    let clock: AuthClock

    var isShared: Bool { false }

    /// Opens a file and brings its tables up to date.
    ///
    /// - Parameter path: The file; nil for memory.
    static func open(_ path: String?, _ migrations: [Migration], clock: AuthClock) async throws -> SQLiteServerDatabase
    {
        let database = try await path == nil ? Database.inMemory() : Database(at: path ?? "")
        do {
            try await database.migrate(migrations)
        } catch {
            await database.close()
            throw error
        }
        return SQLiteServerDatabase(database: database, clock: clock)
    }

    func read<Value: Sendable>(
        _ body: nonisolated(nonsending) @Sendable (any SQLReader) async throws -> Value
    ) async throws -> Value {
        try await database.snapshot { snapshot in try await body(Rows(transaction: snapshot, clock: clock)) }
    }

    func write<Value: Sendable>(
        durability: Durability, _ body: nonisolated(nonsending) @Sendable (any SQLWriter) async throws -> Value
    ) async throws -> Value {
        try await database.transaction(durability: durability) { transaction in
            try await body(Rows(transaction: transaction, clock: clock))
        }
    }

    func check() async throws {
        _ = try await database.read { try $0.first("SELECT count(*) FROM sqlite_schema", as: Int.self) }
    }

    func close() async { await database.close() }

    /// The rows in one transaction.
    fileprivate struct Rows<Access: Connection>: SQLReader {
        let transaction: OpenTransaction<Access>
        let clock: AuthClock

        var now: SQL { "\(clock.now().milliseconds)" }
        /// Transactions that write run one at a time.
        var skippingTaken: SQL { "" }

        nonisolated(nonsending) func rows(_ sql: SQL) async throws -> [SQLRow] {
            try await transaction.run { connection in
                var names: [String]?
                return try connection.query(sql) { row in
                    let known = names ?? row.names()
                    names = known
                    return SQLRow(names: known, values: try row.values())
                }
            }
        }
    }
}

extension SQLiteServerDatabase.Rows: SQLWriter where Access == WritableConnection {
    nonisolated(nonsending) func execute(_ sql: SQL) async throws -> Int {
        try await transaction.run { connection in
            try connection.execute(sql)
            return connection.changes
        }
    }
}
