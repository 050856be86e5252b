// SPDX-License-Identifier: MIT

import Diagnostics
import Persistence
import Postgres

/// One PostgreSQL database with all tables, which the instances of a server share.
///
/// Transactions that write are serializable, and run again when others were in their way. Each is stored before it
/// returns, whatever durability was asked for.
struct PostgresServerDatabase: ServerDatabase {
    let database: PostgresDatabase
    private let space: DatabaseSpace

    var isShared: Bool { true }

    /// Connects, and brings the tables up to date; one instance at a time does so.
    ///
    /// - Throws: `DatabaseError`, with `newer` for the tables of a newer version.
    static func open(_ url: String, logger: Logger) async throws -> PostgresServerDatabase {
        let opened = try await connect(url, logger: logger)
        do {
            try await Self.translatingErrors { try await opened.database.migrate(PostgresSchema.migrations) }
        } catch {
            await opened.close()
            throw error
        }
        return opened
    }

    /// A database with the tables that it has; it connects at its first use.
    static func connect(_ url: String, logger: Logger) async throws -> PostgresServerDatabase {
        try await Self.translatingErrors {
            PostgresServerDatabase(
                database: try PostgresDatabase(PostgresConfiguration(url: url), logger: logger),
                space: DatabaseSpace(logger: logger))
        }
    }

    /// True before the first migration.
    func isNew() async throws -> Bool {
        try await Self.translatingErrors {
            try await database.pendingMigrations(PostgresSchema.migrations).count == PostgresSchema.migrations.count
        }
    }

    func read<Value: Sendable>(
        _ body: nonisolated(nonsending) @Sendable (any SQLReader) async throws -> Value
    ) async throws -> Value {
        try await Self.translatingErrors {
            try await database.read { connection in try await body(PostgresRows(connection: connection)) }
        }
    }

    func write<Value: Sendable>(
        durability: Durability, _ body: nonisolated(nonsending) @Sendable (any SQLWriter) async throws -> Value
    ) async throws -> Value {
        try await Self.translatingErrors {
            do {
                return try await database.write { connection in try await body(PostgresRows(connection: connection)) }
            } catch let error as PostgresError where error.code == .diskFull {
                space.noteFull(error)
                throw error
            }
        }
    }

    func check() async throws {
        let missing = try await Self.translatingErrors {
            try await database.pendingMigrations(PostgresSchema.migrations)
        }
        guard missing.isEmpty else {
            throw DatabaseError(
                code: .older,
                message:
                    "The database lacks the migration “\(missing[0])”. Restart the server, or run parley-server migrate."
            )
        }
        try await Self.translatingErrors { try await space.check(database) }
    }

    func close() async { await database.close() }

    /// Runs a closure. The port has one type of errors; the codes of both kinds of databases have the same names.
    @discardableResult
    nonisolated(nonsending) static func translatingErrors<Value>(
        _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as PostgresError {
            throw DatabaseError(code: .init(rawValue: error.code.rawValue), message: error.message)
        }
    }
}

/// The rows in one transaction.
private struct PostgresRows: SQLWriter {
    let connection: PostgresConnection

    var now: SQL { "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)" }
    var skippingTaken: SQL { "FOR UPDATE SKIP LOCKED" }

    nonisolated(nonsending) func rows(_ sql: SQL) async throws -> [SQLRow] {
        let found = try await connection.rows(PostgresStatement(sql))
        guard let names = found.first?.columns else { return [] }
        return try found.map { SQLRow(names: names, values: try $0.values().map(SQLValue.init)) }
    }

    nonisolated(nonsending) func execute(_ sql: SQL) async throws -> Int {
        try await connection.execute(PostgresStatement(sql))
    }
}

extension PostgresStatement {
    fileprivate init(_ sql: SQL) {
        self.init(text: sql.numberedText, values: sql.bindings.map(PostgresValue.init))
    }
}

extension PostgresValue {
    fileprivate init(_ value: SQLValue) {
        switch value {
        case .null: self = .null
        case .integer(let integer): self = .integer(integer)
        case .real(let real): self = .real(real)
        case .text(let text): self = .text(text)
        case .blob(let bytes): self = .bytes(bytes)
        }
    }
}

extension SQLValue {
    fileprivate init(_ value: PostgresValue) {
        switch value {
        case .null: self = .null
        case .bool(let bool): self = bool.sqlValue
        case .integer(let integer): self = .integer(integer)
        case .real(let real): self = .real(real)
        case .text(let text): self = .text(text)
        case .bytes(let bytes): self = .blob(bytes)
        case .timestamp(let date): self = date.sqlValue
        }
    }
}

extension DatabaseError.Code {
    /// The tables of an earlier version.
    static let older = Self(rawValue: "older")
    /// The connection was lost while a transaction was committed: its writes may be there.
    static let commitUnknown = Self(rawValue: "commitUnknown")
}

extension DatabaseError {
    /// True if the database cannot be used now, and another attempt may succeed.
    var isPassing: Bool {
        ["busy", "commitUnknown", "conflict", "connection", "shutdown", "timeout"].contains(code.rawValue)
    }
}
