// SPDX-License-Identifier: MIT

import AuthServer
import Persistence

/// The server's durable storage in SQLite. Each transaction is on the disk before it returns.
struct SQLiteAuthStore: AuthStore {
    private let database: Database

    /// Opens or makes the file.
    init(at path: String) async throws {
        database = try await Database(at: path)
        try await database.migrate(AuthSchema.migrations)
    }

    func transaction<Result: Sendable>(
        _ body: @Sendable (any AuthTransaction) throws -> Result
    ) async throws -> Result {
        try await database.write(durability: .full) { try body(SQLiteAuthTransaction($0)) }
    }

    func read<Result: Sendable>(_ body: @Sendable (any AuthReading) throws -> Result) async throws -> Result {
        try await database.read { try body(SQLiteAuthTransaction($0)) }
    }

    /// Throws unless the file can be read.
    func check() async throws { try await database.read { try $0.check() } }

    func close() async {
        await database.close()
    }
}

extension Connection {
    /// Throws unless the file can be read.
    func check() throws {
        _ = try first("SELECT count(*) FROM sqlite_schema", as: Int.self)
    }
}
