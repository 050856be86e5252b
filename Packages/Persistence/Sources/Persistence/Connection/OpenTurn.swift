// SPDX-License-Identifier: MIT

import Concurrency

/// The turn of one transaction whose closure may wait. The task that runs the closure knows it, so that a wait for the
/// same turn is found instead of lasting for ever.
final class OpenTurn: Sendable {
    /// The turns that the present task, or one that it is a child of, holds.
    @TaskLocal static var held: [OpenTurn] = []

    /// The gate or the pool that gave the turn.
    private let source: ObjectIdentifier
    private let state = Guarded(true)

    init(of source: ObjectIdentifier) {
        self.source = source
    }

    var isOpen: Bool { state.withLock { $0 } }

    func end() {
        state.withLock { $0 = false }
    }

    /// Throws if the present task would wait for its own turn to end.
    static func checkWait(for source: AnyObject) throws {
        guard held.contains(where: { $0.source == ObjectIdentifier(source) && $0.isOpen }) else { return }
        throw DatabaseError(
            code: .transactionOpen,
            message: "This task has a transaction of the same database open, and would wait for it for ever. Use that "
                + "transaction, or let it end first.")
    }
}
