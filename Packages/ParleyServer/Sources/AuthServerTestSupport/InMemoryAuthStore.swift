// SPDX-License-Identifier: MIT

public import AuthServer
import Concurrency
import Diagnostics

/// A store in memory, without durability.
public final class InMemoryAuthStore: AuthStore {
    private let rows = Guarded(InMemoryAuthRows())

    /// An empty store.
    public init() {}

    /// Runs transactions one after another.
    public func transaction<Result: Sendable>(
        _ body: @Sendable (any AuthTransaction) throws -> Result
    ) async throws -> Result {
        try rows.withLock { rows in
            let transaction = InMemoryAuthTransaction(on: rows)
            let result = try body(transaction)
            transaction.commit(to: &rows)
            return result
        }
    }

    /// Runs between transactions.
    public func read<Result: Sendable>(
        _ body: @Sendable (any AuthReading) throws -> Result
    ) async throws -> Result {
        try body(InMemoryAuthTransaction(on: rows.withLock { $0 }))
    }
}
