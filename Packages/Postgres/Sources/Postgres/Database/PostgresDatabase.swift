// SPDX-License-Identifier: MIT

import Concurrency
public import Diagnostics

/// The isolation of a transaction that writes (PostgreSQL's manual, chapter 13).
public enum PostgresIsolation: String, Sendable, CaseIterable {
    /// As if transactions ran one after another.
    case serializable = "BEGIN ISOLATION LEVEL SERIALIZABLE"
    /// Each statement has a snapshot of its own.
    case readCommitted = "BEGIN ISOLATION LEVEL READ COMMITTED"
}

/// A PostgreSQL database, by a bounded pool of connections that one thread watches.
///
/// The closures of ``read(_:)`` and ``write(isolation:_:)`` run on that thread: they may await anything, and must not
/// block or compute for long. Nothing connects before the first use. Safe to use from any task.
public final class PostgresDatabase: Sendable {
    /// The address and the limits.
    public let configuration: PostgresConfiguration
    let loop: PostgresLoop
    let pool: ConnectionPool
    let tasks = OwnedTasks()
    /// Requests to cancel statements: they are taken to the last, since a task waits for the end of its cancelled
    /// statement.
    let requests = OwnedTasks()
    let notifications: NotificationHub
    let logger: Logger
    private let clock: any Clock<Duration>

    /// A database that connects when it is used.
    ///
    /// - Throws: ``PostgresError`` if the system gives no thread.
    public convenience init(_ configuration: PostgresConfiguration, logger: Logger = .disabled) throws {
        try self.init(configuration, logger: logger, clock: ContinuousClock())
    }

    package init(_ configuration: PostgresConfiguration, logger: Logger, clock: any Clock<Duration>) throws {
        self.configuration = configuration
        self.logger = logger.with(category: "postgres")
        self.clock = clock
        loop = try PostgresLoop()
        pool = ConnectionPool(configuration, loop: loop, tasks: tasks, requests: requests, logger: self.logger)
        notifications = NotificationHub(
            configuration, loop: loop, tasks: tasks, requests: requests, logger: self.logger, clock: clock)
    }

    deinit { shutDown() }

    // MARK: Transactions

    /// Runs a closure on one unchanging snapshot of the database (REPEATABLE READ, READ ONLY), taken at its first
    /// statement.
    ///
    /// It may run again, as ``write(isolation:_:)`` says.
    ///
    /// - Throws: ``PostgresError``, `CancellationError`, or the closure's error.
    public func read<Value: Sendable>(
        _ body: @Sendable (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        try await run(Self.beginReading, isReading: true, body)
    }

    /// Runs a closure in a transaction that is committed when it returns and undone when it throws. Once this returns,
    /// the transaction is stored.
    ///
    /// While other transactions are in its way (40001, 40P01), it is undone and the closure runs again, after a short
    /// random wait, up to `maximumAttempts` times: the closure must have no effect beyond the database. A task that is
    /// cancelled before the commit undoes the transaction and throws `CancellationError`.
    ///
    /// - Parameters:
    ///   - isolation: The isolation; with less than `serializable`, the closure has to know what it allows.
    ///   - body: The transaction; it must not keep the connection.
    /// - Throws: ``PostgresError``: `conflict` after the last attempt; `commitUnknown` if the connection was lost during
    ///   the commit, which is never repeated; any other. `CancellationError`, or the closure's error.
    @discardableResult
    public func write<Value: Sendable>(
        isolation: PostgresIsolation = .serializable,
        _ body: @Sendable (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        try await run(PostgresStatement(text: isolation.rawValue), isReading: false, body)
    }

    private static let beginReading: PostgresStatement = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    private func run<Value: Sendable>(
        _ begin: PostgresStatement, isReading: Bool, _ body: @Sendable (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        try await withTaskExecutorPreference(loop) {
            var attempt = 1
            // All idle connections may have been lost with the server.
            var rest = configuration.maximumConnections
            while true {
                do { return try await runOnce(begin, isReading: isReading, body) } catch let failed as FailedAttempt {
                    if failed.isStale, rest > 0 {
                        rest -= 1
                        continue
                    }
                    guard !failed.isStale else { throw failed.error }
                    guard attempt < max(1, configuration.maximumAttempts) else { throw failed.lasting(attempt) }
                    let chance = Double.random(in: 0...1)
                    try await clock.sleep(
                        for: configuration.conflictBackoff.delay(afterFailures: attempt, chance: chance))
                    attempt += 1
                }
            }
        }
    }

    /// Runs a transaction once.
    ///
    /// - Throws: ``FailedAttempt`` if it may be repeated.
    private func runOnce<Value: Sendable>(
        _ begin: PostgresStatement, isReading: Bool, _ body: @Sendable (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let driver = try await pool.take()
        let connection = PostgresConnection(driver, begin: begin)
        do {
            let value = try await body(connection)
            if isReading, connection.conflict == nil, !driver.isFailedTransaction {
                connection.finishReading { [pool] in pool.put(driver) }
                return value
            }
            try Task.checkCancellation()
            try await connection.commit()
            pool.put(driver)
            return value
        } catch {
            await connection.rollBack()
            pool.put(driver)
            if Task.isCancelled { throw error }
            if connection.isStale { throw FailedAttempt(error: error, sqlState: nil, isStale: true) }
            if let conflict = connection.conflict {
                throw FailedAttempt(error: error, sqlState: conflict.sqlState, isStale: false)
            }
            throw error
        }
    }

    // MARK: End

    /// Closes the connections that nobody uses, and each other one at the end of its transaction; later uses throw
    /// `closed`. Without a call, this happens when the last reference is released.
    public func close() async {
        notifications.close()
        pool.close()
        try? await pool.drained.valueDespiteCancellation()
        await tasks.close()
        // Nothing waits for them any more. To a host that is gone, each would take minutes.
        requests.cancel()
        loop.stop()
    }

    private func shutDown() {
        notifications.close()
        pool.close()
        tasks.cancel()
        loop.stop()
    }
}

/// The end of a transaction that may be repeated.
private struct FailedAttempt: Error {
    let error: any Error
    let sqlState: String?
    /// True if the connection had been lost before; false if another transaction was in the way.
    let isStale: Bool

    /// The error after the last attempt.
    func lasting(_ attempts: Int) -> PostgresError {
        let reason =
            sqlState == "26000"
            ? "The server lacked the connection's prepared statements, \(attempts) times in a row. Nothing was changed: "
                + "add prepared_statements=0 to the URL, as a pooler of transactions needs it."
            : "Other transactions were in the way, \(attempts) times in a row. Nothing was changed: try again later."
        return PostgresError(code: .conflict, message: reason, sqlState: sqlState)
    }
}
