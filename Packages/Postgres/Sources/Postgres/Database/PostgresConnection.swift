// SPDX-License-Identifier: MIT

import Concurrency

/// A transaction on one connection, for the closure that it was given to. It throws `transactionEnded` after that.
///
/// The transaction begins with the first statement, in the same round trip. Statements of several tasks run one after
/// another, in the order of their calls.
public final class PostgresConnection: Sendable {
    private struct State {
        var hasBegun = false
        var isEnded = false
        /// The first error of a statement for which the transaction may be repeated.
        var conflict: PostgresError?
        var isStale = false
    }

    private let state = Guarded(State())
    let driver: ConnectionDriver
    private let begin: PostgresStatement
    /// True if the connection has served others before.
    private let isReused: Bool

    init(_ driver: ConnectionDriver, begin: PostgresStatement) {
        (self.driver, self.begin) = (driver, begin)
        isReused = driver.countUse() > 1
    }

    // MARK: Statements

    /// The rows of a statement, in memory.
    ///
    /// - Throws: ``PostgresError``; `CancellationError`, after the statement was cancelled at the server.
    public func rows(_ statement: PostgresStatement) async throws -> [PostgresRow] {
        try await run([statement])[0].rows
    }

    /// The values that `decode` makes of a statement's rows.
    public func query<Value>(
        _ statement: PostgresStatement, _ decode: (PostgresRow) throws -> Value
    ) async throws -> [Value] {
        let result = try await run([statement])[0]
        return try (0..<result.rowCount).map { try decode(PostgresRow(result: result, index: $0)) }
    }

    /// The values of a statement's only column.
    public func query<Value: PostgresReadable>(
        _ statement: PostgresStatement, as type: Value.Type
    ) async throws -> [Value] {
        try await query(statement) { try $0.onlyValue(as: type) }
    }

    /// The value that `decode` makes of a statement's first row; nil without rows.
    public func first<Value>(
        _ statement: PostgresStatement, _ decode: (PostgresRow) throws -> Value
    ) async throws -> Value? {
        let result = try await run([statement])[0]
        return result.rowCount == 0 ? nil : try decode(PostgresRow(result: result, index: 0))
    }

    /// The value of the only column of a statement's first row; nil without rows.
    public func first<Value: PostgresReadable>(
        _ statement: PostgresStatement, as type: Value.Type
    ) async throws -> Value? {
        try await first(statement) { try $0.onlyValue(as: type) }
    }

    /// Runs a statement for its effect.
    ///
    /// - Returns: The number of rows that it inserted, changed, deleted or returned; 0 for other statements.
    @discardableResult
    public func execute(_ statement: PostgresStatement) async throws -> Int {
        try await run([statement])[0].changedCount
    }

    /// Runs several statements in one round trip. None may need a result of another.
    ///
    /// - Returns: The rows of each. The first error skips the statements after it, and is thrown.
    @discardableResult
    public func pipeline(_ statements: [PostgresStatement]) async throws -> [[PostgresRow]] {
        statements.isEmpty ? [] : try await run(statements).map(\.rows)
    }

    /// Runs statements that are not kept prepared.
    func runOnce(_ statements: [PostgresStatement]) async throws {
        if !statements.isEmpty { _ = try await run(statements, isPrepared: false) }
    }

    private func run(_ statements: [PostgresStatement], isPrepared: Bool = true) async throws -> [PostgresResult] {
        try Task.checkCancellation()
        let begins = try state.withLock { state throws(PostgresError) in
            if state.isEnded { throw .transactionEnded }
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        do {
            let results = try await driver.run(begins ? [begin] + statements : statements, isPrepared: isPrepared)
            return begins ? Array(results.dropFirst()) : results
        } catch let error as PostgresError {
            state.withLock { state in
                if error.isConflict, state.conflict == nil { state.conflict = error }
                if begins, isReused, !driver.isUsable, [.connection, .shutdown].contains(error.code) {
                    state.isStale = true
                }
            }
            throw error
        }
    }

    // MARK: End

    /// True if the connection had been lost before the transaction began, so that another one is worth a try.
    var isStale: Bool { state.withLock { $0.isStale } }

    /// The error for which the transaction may be repeated, whatever the closure made of it.
    var conflict: PostgresError? { state.withLock { $0.conflict } }

    /// Refuses statements from now on.
    ///
    /// - Returns: True if there is a transaction to end.
    private func end() -> Bool {
        state.withLock { state in
            defer { state.isEnded = true }
            return state.hasBegun && !state.isEnded
        }
    }

    /// Commits; the transaction is stored when this returns.
    func commit() async throws {
        guard end() else { return }
        do {
            if driver.isFailedTransaction { throw conflict ?? .transactionEnded }
            // A statement of the closure has committed or rolled back.
            if driver.isIdle { throw PostgresError.transactionEnded }
            let results = try await driver.run(["COMMIT"], commits: true)
            if results.last?.isRollback == true { throw PostgresError.transactionEnded }
        } catch let error as PostgresError {
            if error.isConflict { state.withLock { $0.conflict = $0.conflict ?? error } }
            throw error
        }
    }

    /// Ends a transaction that only read, without waiting for it.
    func finishReading(_ completion: @escaping @Sendable () -> Void) {
        guard end() else { return completion() }
        driver.send("COMMIT") { _ in completion() }
    }

    /// Undoes the transaction, also in a cancelled task. A connection that cannot do so is given up.
    func rollBack() async {
        _ = end()
        guard driver.isInTransaction else { return }
        let done = Promise<Void>()
        driver.send("ROLLBACK") { _ in done.resolve() }
        try? await done.valueDespiteCancellation()
    }
}
