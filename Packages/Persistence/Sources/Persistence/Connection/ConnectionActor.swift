// SPDX-License-Identifier: MIT

/// Owns one connection on one thread; opens it at its first use.
actor ConnectionActor {
    nonisolated let executor: ThreadExecutor
    private let open: @Sendable () throws -> WritableConnection
    private var connection: WritableConnection?
    private var isClosed = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(name: String, open: @escaping @Sendable () throws -> WritableConnection) throws {
        executor = try ThreadExecutor(name: name)
        self.open = open
    }

    /// Runs a closure on the connection. Closures run one at a time, in the order in which they arrive.
    func run<Value: Sendable>(_ body: @Sendable (WritableConnection) throws -> Value) throws -> Value {
        try Task.checkCancellation()
        guard !isClosed else { throw DatabaseError.closed }
        if let connection { return try body(connection) }
        let opened = try open()
        connection = opened
        return try body(opened)
    }

    /// Runs a closure on the open connection, if there is one; for closures that the executor calls.
    func withOpenConnection(_ body: (Connection) -> Void) {
        if let connection { body(connection) }
    }

    func close() {
        isClosed = true
        connection?.close()
        connection = nil
    }
}
