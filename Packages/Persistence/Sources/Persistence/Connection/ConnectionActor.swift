// SPDX-License-Identifier: MIT

/// Owns one connection on one thread; opens it at its first use.
actor ConnectionActor {
    nonisolated let executor: ThreadExecutor
    private let open: @Sendable () throws -> WritableConnection
    private var connection: WritableConnection?
    private var isClosed = false
    /// The turn of a transaction whose closure may wait; others use the connection only where it does not matter.
    private var turn: OpenTurn?
    /// Wait for the end of that turn.
    private var closers: [CheckedContinuation<Void, Never>] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(name: String, open: @escaping @Sendable () throws -> WritableConnection) throws {
        executor = try ThreadExecutor(name: name)
        self.open = open
    }

    /// Runs a closure on the connection. Closures run one at a time, in the order in which they arrive.
    func run<Value: Sendable>(_ body: @Sendable (WritableConnection) throws -> Value) throws -> Value {
        try body(try opened())
    }

    private func opened() throws -> WritableConnection {
        try Task.checkCancellation()
        guard !isClosed else { throw DatabaseError.closed }
        if let connection { return connection }
        let opened = try open()
        connection = opened
        return opened
    }

    /// Runs a closure that may wait inside a transaction. The caller has the connection's turn from `source`.
    func hold<Access: Connection, Value: Sendable>(
        _ kind: WritableConnection.Kind, from source: ObjectIdentifier,
        _ body: nonisolated(nonsending) @Sendable (OpenTransaction<Access>) async throws -> Value
    ) async throws -> Value {
        let connection = try opened()
        let turn = OpenTurn(of: source)
        try connection.begin(kind)
        self.turn = turn
        do {
            let value = try await OpenTurn.$held.withValue(OpenTurn.held + [turn]) {
                try await body(OpenTransaction(self, turn))
            }
            endTurn()
            try connection.commit(kind)
            return value
        } catch {
            endTurn()
            connection.rollBack(kind)
            throw error
        }
    }

    /// Runs a closure in the transaction of a turn.
    func run<Value: Sendable>(
        in turn: OpenTurn, _ body: @Sendable (WritableConnection) throws -> Value
    ) throws -> Value {
        try Task.checkCancellation()
        guard turn.isOpen, self.turn === turn, let connection else {
            throw DatabaseError(
                code: .transactionEnded,
                message: "The transaction of this statement is over; wait for its tasks inside its closure.")
        }
        return try body(connection)
    }

    private func endTurn() {
        turn?.end()
        turn = nil
        for closer in closers { closer.resume() }
        closers = []
    }

    /// Closes the connection after the transaction that is open.
    func close() async {
        isClosed = true
        if turn != nil { await withCheckedContinuation { closers.append($0) } }
        connection?.close()
        connection = nil
    }
}
