// SPDX-License-Identifier: MIT

import AuthServer

/// The server's durable storage of sign-in. Each transaction is on the disk before it returns.
struct SQLAuthStore: AuthStore {
    let database: any ServerDatabase

    func transaction<Result: Sendable>(
        _ body: nonisolated(nonsending) @Sendable (any AuthTransaction) async throws -> Result
    ) async throws -> Result {
        try await database.write { writer in try await body(SQLAuthTransaction(writer: writer)) }
    }

    func read<Result: Sendable>(
        _ body: nonisolated(nonsending) @Sendable (any AuthReading) async throws -> Result
    ) async throws -> Result {
        try await database.read { rows in try await body(SQLAuthReading(rows: rows)) }
    }
}
