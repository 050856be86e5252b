// SPDX-License-Identifier: MIT

import CPostgres
import Concurrency
import Synchronization

/// Drives one connection by its socket: any task sends, the loop's thread receives.
final class ConnectionDriver: LoopMember {
    /// The time that a cancelled statement has to end.
    private static let grace = Duration.seconds(3)

    private let state: Guarded<ConnectionState>
    private let loop: PostgresLoop
    private let socket: Int32
    private let requests: OwnedTasks
    private let statementTimeout: Duration
    private let nextID = Atomic<UInt64>(0)
    private let uses = Atomic<Int>(0)
    private let lossHandler = Guarded<(@Sendable () -> Void)?>(nil)
    private let noticeHandler: (@Sendable (PostgresNotice) -> Void)?
    /// The process of the server that serves this connection.
    let processID: Int32

    /// Takes over a connection that is established and in pipeline mode.
    init(
        _ opened: consuming OpenedConnection, loop: PostgresLoop, requests: OwnedTasks, statementCapacity: Int,
        statementTimeout: Duration, onNotice: (@Sendable (PostgresNotice) -> Void)? = nil
    ) {
        let handle = opened.take()
        socket = PQsocket(handle)
        processID = PQbackendPID(handle)
        state = Guarded(ConnectionState(handle: handle, statementCapacity: statementCapacity))
        (self.loop, self.requests, self.statementTimeout) = (loop, requests, statementTimeout)
        noticeHandler = onNotice
        loop.add(self)
        loop.watch(socket, for: self, reads: true, writes: false)
    }

    // MARK: Use

    /// True if the connection can be used.
    var isUsable: Bool { state.withLock { $0.handle != nil } }
    /// True if the connection can be used, and nobody uses it.
    var isIdle: Bool { state.withLock { $0.isIdle } }
    /// True if a transaction block is open.
    var isInTransaction: Bool { state.withLock { $0.isInTransaction } }
    /// True if an error has ended the transaction.
    var isFailedTransaction: Bool { state.withLock { $0.isFailedTransaction } }

    /// Counts a transaction; returns the number of them.
    func countUse() -> Int { uses.add(1, ordering: .relaxed).newValue }

    /// Calls a closure once when the connection is lost while nothing uses it; at once if it is lost already.
    func onLoss(_ handler: @escaping @Sendable () -> Void) {
        lossHandler.withLock { $0 = handler }
        if !isUsable { lossHandler.withLock { $0.take() }?() }
    }

    /// Runs statements in one round trip; the first error skips the rest.
    ///
    /// A cancelled task cancels the running statement, and returns when that has ended.
    ///
    /// - Parameters:
    ///   - commits: True if a COMMIT is among them, which is not cancelled with the task.
    ///   - isPrepared: True if the statements are kept for later runs.
    func run(
        _ statements: [PostgresStatement], commits: Bool = false, isPrepared: Bool = true
    ) async throws -> [PostgresResult] {
        let id = nextID.add(1, ordering: .relaxed).newValue
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                send(statements, id: id, commits: commits, isPrepared: isPrepared) { continuation.resume(with: $0) }
                // A cancellation before the statements were sent did not find them.
                if Task.isCancelled, !commits { interrupt(id) }
            }
        } onCancel: {
            if !commits { interrupt(id) }
        }
    }

    /// Sends statements without waiting for the answer.
    func send(_ statement: PostgresStatement, completion: @escaping @Sendable (StatementBatch.Outcome) -> Void) {
        send(
            [statement], id: nextID.add(1, ordering: .relaxed).newValue, commits: false, isPrepared: true,
            completion: completion)
    }

    private func send(
        _ statements: [PostgresStatement], id: UInt64, commits: Bool, isPrepared: Bool,
        completion: @escaping @Sendable (StatementBatch.Outcome) -> Void
    ) {
        let deadline = MonotonicTime.now.advanced(by: statementTimeout)
        let (failure, isSent) = state.withLock { state -> (PostgresError?, Bool) in
            let count = state.batches.count
            do throws(PostgresError) {
                try state.send(
                    statements, isPrepared: isPrepared,
                    in: StatementBatch(id: id, deadline: deadline, commits: commits, completion: completion))
            } catch {
                return (error, state.batches.count > count)
            }
            if state.needsFlush { loop.watch(socket, for: self, reads: true, writes: true) }
            return (nil, true)
        }
        if let failure {
            // One that was sent gets the error at the end of the connection.
            if !isSent { completion(.failure(failure)) }
            if failure.code == .connection { end(failure) }
        }
        loop.check(by: deadline)
    }

    /// Closes the connection; statements that still run fail with the error.
    func end(_ error: PostgresError) {
        let (handle, completions) = state.withLock { state -> (SendableHandle?, [ConnectionState.Completion]) in
            let (handle, completions) = state.end(error)
            if handle != nil { loop.watch(socket, for: self, reads: false, writes: false) }
            return (handle.map(SendableHandle.init), completions)
        }
        guard let handle else { return }
        loop.remove(self)
        PQfinish(handle.pointer)
        for completion in completions { completion() }
        lossHandler.withLock { $0.take() }?()
    }

    // MARK: Loop

    func ready(_ readiness: SocketQueue.Readiness) {
        let (completions, loss, cancels) = state.withLock { state in
            var (completions, loss) = state.receive { noticeHandler?($0) }
            if loss == nil, state.needsFlush {
                do throws(PostgresError) { try state.flush() } catch { loss = error }
                if !state.needsFlush { loop.watch(socket, for: self, reads: true, writes: false) }
            }
            return (completions, loss, state.wantsCancel)
        }
        for completion in completions { completion() }
        if let loss { end(loss) }
        if cancels { sendCancelRequest() }
    }

    func expire(at now: MonotonicTime) -> MonotonicTime {
        let (isOver, next) = state.withLock { state in
            state.interruptLate(at: now, lastChance: now.advanced(by: Self.grace))
            return (state.lastChance <= now, state.nextDeadline)
        }
        if isOver {
            end(PostgresError(code: .timeout, message: "The server does not answer. Try again when it is back."))
            return .never
        }
        sendCancelRequest()
        return next
    }

    // MARK: Interrupting

    private func interrupt(_ id: UInt64) {
        let lastChance = MonotonicTime.now.advanced(by: Self.grace)
        state.withLock { $0.interrupt(id, .cancelled, lastChance: lastChance) }
        loop.check(by: lastChance)
        sendCancelRequest()
    }

    private func sendCancelRequest() {
        guard let request = state.withLock({ $0.takeCancelRequest() }) else { return }
        requests.add { [self] in
            await BlockingCall.run { request.send() }
            state.withLock { $0.cancelRequestEnded() }?()
            sendCancelRequest()
        }
    }
}

/// A handle on its way out of the lock.
// SAFETY: the state has given it up, so only the thread that closes it has it.
private struct SendableHandle: @unchecked Sendable {
    let pointer: OpaquePointer
}
