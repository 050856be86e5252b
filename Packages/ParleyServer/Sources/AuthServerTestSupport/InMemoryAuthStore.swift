// SPDX-License-Identifier: MIT

public import AuthServer
import Concurrency
import Diagnostics

/// A store in memory, without durability.
///
/// Transactions run at the same time. Of two that do, the one that ends later runs again on what the other one wrote, as
/// in a database with serializable transactions.
public final class InMemoryAuthStore: AuthStore {
    private struct State {
        var rows = InMemoryAuthRows()
        var version = 0
    }

    private let state = Guarded(State())

    /// An empty store.
    public init() {}

    /// Runs a transaction until no other one got in its way.
    public func transaction<Result: Sendable>(
        _ body: nonisolated(nonsending) @Sendable (any AuthTransaction) async throws -> Result
    ) async throws -> Result {
        while true {
            try Task.checkCancellation()
            let (rows, version) = state.withLock { ($0.rows, $0.version) }
            let transaction = InMemoryAuthTransaction(on: rows)
            let result = try await body(transaction)
            let changes = transaction.changes()
            let isCommitted = state.withLock { state in
                guard state.version == version else { return false }
                changes.commit(to: &state.rows)
                state.version += 1
                return true
            }
            if isCommitted { return result }
        }
    }

    /// Runs between transactions.
    public func read<Result: Sendable>(
        _ body: nonisolated(nonsending) @Sendable (any AuthReading) async throws -> Result
    ) async throws -> Result {
        try await body(InMemoryAuthTransaction(on: state.withLock { $0.rows }))
    }
}
