// SPDX-License-Identifier: MIT

extension Database {
    /// Runs a closure that may wait in a transaction that is committed when it returns and undone when it throws.
    ///
    /// Like ``write(durability:_:)``, for closures that are written once for several kinds of databases. The closure
    /// holds the writer's turn until it returns, also while it waits for something else: other writes wait so long. It
    /// runs on the connection's thread, so that a statement needs no change of threads; it must not block.
    ///
    /// The transaction ends with the closure, whatever the closure does: it is undone if the closure throws or the task
    /// is cancelled, and a statement that a forgotten task runs later throws (`transactionEnded`). A write of the same
    /// database inside the closure would wait for itself; it throws instead (`transactionOpen`).
    ///
    /// - Parameters:
    ///   - durability: The failures that the transaction survives.
    ///   - body: The transaction.
    /// - Throws: ``DatabaseError``, `CancellationError`, or the closure's error.
    public func transaction<Value: Sendable>(
        durability: Durability = .full,
        _ body: nonisolated(nonsending) @Sendable (OpenTransaction<WritableConnection>) async throws -> Value
    ) async throws -> Value {
        try await gate.pass { try await writer.hold(.write(durability), from: ObjectIdentifier(gate), body) }
    }

    /// Runs a closure that may wait on one unchanging snapshot of the database.
    ///
    /// Like ``read(_:)``. The closure holds a reader until it returns; of four reads that all wait, a fifth waits for
    /// one to end. A read of the same database inside the closure throws `transactionOpen` where it would have to wait
    /// for a reader.
    ///
    /// - Throws: ``DatabaseError``, `CancellationError`, or the closure's error.
    public func snapshot<Value: Sendable>(
        _ body: nonisolated(nonsending) @Sendable (OpenTransaction<Connection>) async throws -> Value
    ) async throws -> Value {
        guard let readers else {
            return try await gate.pass { try await writer.hold(.read, from: ObjectIdentifier(gate), body) }
        }
        return try await readers.hold(body)
    }
}

/// A transaction that is open while the closure of ``Database/transaction(durability:_:)`` or ``Database/snapshot(_:)``
/// runs.
public final class OpenTransaction<Access: Connection>: Sendable {
    private let owner: ConnectionActor
    private let turn: OpenTurn

    init(_ owner: ConnectionActor, _ turn: OpenTurn) {
        self.owner = owner
        self.turn = turn
    }

    /// Runs statements on the connection's thread, which the transaction's own closure is on already.
    ///
    /// - Throws: ``DatabaseError`` (`transactionEnded` after the end), `CancellationError`, or the closure's error.
    nonisolated(nonsending) public func run<Value: Sendable>(
        _ body: @Sendable (Access) throws -> Value
    ) async throws -> Value {
        try await owner.run(in: turn) { connection in
            // SAFETY: the actor's connection is a WritableConnection, and Access is that class or its superclass.
            try body(unsafeDowncast(connection, to: Access.self))
        }
    }
}
