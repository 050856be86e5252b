// SPDX-License-Identifier: MIT

/// Owns one connection on one queue; opens it at its first use.
actor ConnectionActor {
    private let executor: QueueExecutor
    private let open: @Sendable () throws -> Connection
    private var connection: Connection?
    private var isClosed = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(label: String, open: @escaping @Sendable () throws -> Connection) {
        executor = QueueExecutor(label: label)
        self.open = open
    }

    /// Runs a closure on the connection. Closures run one at a time, in the order in which they arrive.
    func run<Value: Sendable>(_ body: @Sendable (Connection) throws -> Value) throws -> Value {
        try Task.checkCancellation()
        guard !isClosed else { throw DatabaseError(code: .closed, message: "The database was closed; open it again.") }
        if let connection { return try body(connection) }
        let opened = try open()
        connection = opened
        return try body(opened)
    }

    func close() {
        isClosed = true
        connection?.close()
        connection = nil
    }
}
