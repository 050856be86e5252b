// SPDX-License-Identifier: MIT

import CPostgres
import Concurrency

/// One connection of libpq in pipeline mode, and what was sent on it.
///
/// Each function that may end statements returns their completions, which are called without the lock.
struct ConnectionState {
    typealias Completion = @Sendable () -> Void

    /// The connection; nil once it is closed or broken.
    private(set) var handle: OpaquePointer?
    private(set) var prepared: PreparedStatements
    private(set) var batches: [StatementBatch] = []
    private(set) var failure: PostgresError?
    private(set) var needsFlush = false
    private var parameters = StatementParameters()
    /// The names of statements that the server still has, and the cache has not.
    private var surplus: [String] = []
    /// The batch that a request to cancel was sent for, until that request has ended.
    private var cancelling: UInt64?
    /// The last batch that such a request has reached the server for.
    private var cancelled: UInt64?
    /// The completion of the batch that was cancelled: the next statement must not be hit by the same request.
    private var held: Completion?
    /// The time at which a connection whose statement does not end is given up.
    private(set) var lastChance = MonotonicTime.never

    init(handle: OpaquePointer, statementCapacity: Int) {
        self.handle = handle
        prepared = PreparedStatements(capacity: statementCapacity)
    }

    /// True if nothing was sent that is not answered, and no transaction is open.
    var isIdle: Bool { batches.isEmpty && handle.map { PQtransactionStatus($0) == PQTRANS_IDLE } ?? false }

    /// True if the connection is inside a transaction block, failed or not.
    var isInTransaction: Bool {
        handle.map { [PQTRANS_INTRANS, PQTRANS_INERROR].contains(PQtransactionStatus($0)) } ?? false
    }

    /// True if an error has ended the transaction.
    var isFailedTransaction: Bool { handle.map { PQtransactionStatus($0) == PQTRANS_INERROR } ?? false }

    /// The next time at which a deadline passes.
    var nextDeadline: MonotonicTime {
        batches.lazy.filter { $0.interruption == nil }.reduce(lastChance) { min($0, $1.deadline) }
    }

    // MARK: Sending

    /// Sends statements and a synchronisation.
    ///
    /// - Throws: ``PostgresError``: nothing was sent, or the connection has to be given up.
    mutating func send(
        _ statements: [PostgresStatement], isPrepared: Bool, in batch: consuming StatementBatch
    ) throws(PostgresError) {
        guard let handle else { throw failure ?? .closed }
        var batch = batch
        do throws(PostgresError) {
            for statement in statements { try send(statement, isPrepared: isPrepared, on: handle, in: &batch) }
            try releaseSurplus(on: handle, in: &batch)
        } catch {
            // Those before it are on their way: their answers are awaited and dropped.
            for case .prepare(let statement) in batch.steps { prepared.remove(statement) }
            guard !batch.steps.isEmpty else { throw error }
            batch.error = error
        }
        guard PQpipelineSync(handle) == 1 else { throw lost() }
        needsFlush = true
        batches.append(batch)
        try flush()
    }

    private mutating func send(
        _ statement: PostgresStatement, isPrepared: Bool, on handle: OpaquePointer, in batch: inout StatementBatch
    ) throws(PostgresError) {
        guard statement.isComplete else {
            throw PostgresError(
                code: .invalidSQL,
                message: "A statement that is made of a text with values cannot be a part of another. Interpolate it.")
        }
        try parameters.set(statement.parameters)
        let types = parameters.types
        guard isPrepared, prepared.isEnabled else {
            let sent = parameters.withPointers { count, values, lengths, formats in
                PQsendQueryParams(handle, statement.text, count, types, values, lengths, formats, 1)
            }
            guard sent == 1 else { throw refused() }
            batch.steps.append(.run(nil))
            return
        }
        let entry: PreparedStatement
        if let found = prepared.find(statement.text, types: types, parameters: statement.parameters) {
            entry = found
        } else {
            let (added, removed) = prepared.add(statement.text, types: types)
            if let removed { surplus.append(removed.name) }
            guard PQsendPrepare(handle, added.name, statement.text, Int32(types.count), types) == 1 else {
                prepared.remove(added)
                throw refused()
            }
            batch.steps.append(.prepare(added))
            entry = added
        }
        let sent = parameters.withPointers { count, values, lengths, formats in
            PQsendQueryPrepared(handle, entry.name, count, values, lengths, formats, 1)
        }
        guard sent == 1 else { throw refused() }
        batch.steps.append(.run(entry))
    }

    /// Releases what the cache has no room for. It comes last, since a transaction begins with BEGIN.
    private mutating func releaseSurplus(
        on handle: OpaquePointer, in batch: inout StatementBatch
    ) throws(PostgresError) {
        while let name = surplus.popLast() {
            guard PQsendQueryParams(handle, "DEALLOCATE \(name)", 0, nil, nil, nil, nil, 1) == 1 else {
                throw refused()
            }
            batch.steps.append(.release(name))
        }
    }

    /// Writes what the socket takes.
    mutating func flush() throws(PostgresError) {
        guard let handle else { return }
        switch PQflush(handle) {
        case 0: needsFlush = false
        case 1: needsFlush = true
        default: throw lost()
        }
    }

    // MARK: Receiving

    /// Takes what the socket has.
    ///
    /// - Returns: The completions of the batches that ended, and the reason to give the connection up, if there is one.
    mutating func receive(_ notify: (PostgresNotice) -> Void) -> (completions: [Completion], loss: PostgresError?) {
        guard let handle else { return ([], nil) }
        let hasInput = PQconsumeInput(handle) == 1
        var completions: [Completion] = []
        var loss: PostgresError?
        var emptyAnswers = 0
        // After a loss, the library gives the same answer again and again.
        while loss == nil, !batches.isEmpty, PQisBusy(handle) == 0, emptyAnswers < 3 {
            guard let answer = PQgetResult(handle) else {
                // Between two statements there is an empty answer.
                emptyAnswers += 1
                continue
            }
            emptyAnswers = 0
            loss = take(answer, &completions)
        }
        while let notice = PostgresNotice(nextOf: handle) { notify(notice) }
        if !hasInput || PQstatus(handle) != CONNECTION_OK { loss = loss ?? lost() }
        return (completions, loss)
    }

    /// - Returns: The reason to give the connection up, if there is one.
    private mutating func take(_ answer: OpaquePointer, _ completions: inout [Completion]) -> PostgresError? {
        let status = PQresultStatus(answer)
        if status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY,
            batches[0].nextStep < batches[0].steps.count
        {
            let step = batches[0].steps[batches[0].nextStep]
            batches[0].nextStep += 1
            if case .run(let statement) = step {
                let result = PostgresResult(answer, likely: statement?.columns)
                statement?.columns = result.columns
                batches[0].results.append(result)
                return nil
            }
        }
        defer { PQclear(answer) }
        switch status {
        case PGRES_PIPELINE_SYNC: endBatch(&completions)
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY, PGRES_PIPELINE_ABORTED: break
        case PGRES_FATAL_ERROR:
            let error = PostgresError(answer)
            // What was prepared for another schema, or behind a pooler on another connection, is prepared anew.
            if error.isConflict, let state = error.sqlState, !state.hasPrefix("40") {
                for case .run(let statement?) in batches[0].steps { prepared.remove(statement) }
            }
            if batches[0].error == nil { batches[0].error = error }
        default:
            return PostgresError(code: .invalidSQL, message: "COPY is not supported here. Use INSERT, or psql.")
        }
        return nil
    }

    private mutating func endBatch(_ completions: inout [Completion]) {
        let batch = batches.removeFirst()
        for case .prepare(let statement) in batch.unconfirmed { prepared.remove(statement) }
        for case .release(let name) in batch.unconfirmed { surplus.append(name) }
        let (completion, outcome) = (batch.completion, batch.outcome)
        if !batches.contains(where: { $0.interruption != nil }) { lastChance = .never }
        if cancelling == batch.id {
            held = { completion(outcome) }
        } else {
            completions.append { completion(outcome) }
        }
    }

    // MARK: Interrupting

    /// Marks a batch to be cancelled.
    ///
    /// - Parameter lastChance: The time to give the connection up if the batch has not ended.
    mutating func interrupt(_ id: UInt64, _ reason: Interruption, lastChance: MonotonicTime) {
        guard let index = batches.firstIndex(where: { $0.id == id }), batches[index].interruption == nil else { return }
        batches[index].interruption = reason
        self.lastChance = min(self.lastChance, lastChance)
    }

    /// Marks the batches whose deadline has passed.
    mutating func interruptLate(at now: MonotonicTime, lastChance: MonotonicTime) {
        for batch in batches where batch.deadline <= now { interrupt(batch.id, .timedOut, lastChance: lastChance) }
    }

    /// True if the statement that runs now is to be cancelled, and no request for that is on its way.
    var wantsCancel: Bool {
        guard cancelling == nil, let batch = batches.first else { return false }
        return batch.interruption != nil && batch.id != cancelled
    }

    /// The request that cancels the statement that runs now.
    mutating func takeCancelRequest() -> CancelRequest? {
        guard let handle, wantsCancel else { return nil }
        cancelling = batches.first?.id
        return CancelRequest(handle)
    }

    /// A request to cancel has ended; returns the completion that waited for it.
    mutating func cancelRequestEnded() -> Completion? {
        (cancelled, cancelling) = (cancelling, nil)
        defer { held = nil }
        return held
    }

    // MARK: End

    /// Gives the connection up; returns what the caller has to close, and the completions of all batches.
    mutating func end(_ error: PostgresError) -> (handle: OpaquePointer?, completions: [Completion]) {
        guard let ending = handle else { return (nil, []) }
        handle = nil
        failure = error
        var completions: [Completion] = held.map { [$0] } ?? []
        for batch in batches {
            let (completion, outcome) = (batch.completion, batch.outcome(ofLoss: error))
            completions.append { completion(outcome) }
        }
        (batches, held, lastChance) = ([], nil, .never)
        return (ending, completions)
    }

    private func lost() -> PostgresError {
        PostgresError(
            code: .connection, message: "The connection to the server was lost. Try again when the server is back.")
    }

    /// The library did not take a statement.
    private func refused() -> PostgresError {
        guard let handle, PQstatus(handle) == CONNECTION_OK else { return lost() }
        return PostgresError(
            code: .invalidSQL,
            message: "The statement cannot be sent: it has more than 65,535 values, or the memory is used up. Split it."
        )
    }
}
