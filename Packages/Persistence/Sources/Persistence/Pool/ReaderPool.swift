// SPDX-License-Identifier: MIT

import Concurrency

/// The connections that read: made when needed, up to a limit, each on its own thread.
final class ReaderPool: Sendable {
    private enum Turn {
        case use(ConnectionActor)
        case make
    }
    private typealias Continuation = CheckedContinuation<Turn, any Error>

    private struct State {
        var pool: PoolState<ConnectionActor, Continuation>
        var nextID: UInt64 = 0
    }

    private let state: Guarded<State>
    private let make: @Sendable () throws -> ConnectionActor

    init(limit: Int, make: @escaping @Sendable () throws -> ConnectionActor) {
        state = Guarded(State(pool: PoolState(limit: limit)))
        self.make = make
    }

    /// Runs a closure on a free connection; waits for one if needed, in order. Cancelling ends the wait.
    func run<Value: Sendable>(_ body: @Sendable (WritableConnection) throws -> Value) async throws -> Value {
        let reader = try await take()
        defer { put(reader) }
        return try await reader.run(body)
    }

    /// Runs a closure that may wait on a free connection, which it holds until it returns.
    func hold<Value: Sendable>(
        _ body: nonisolated(nonsending) @Sendable (OpenTransaction<Connection>) async throws -> Value
    ) async throws -> Value {
        let reader = try await take()
        defer { put(reader) }
        return try await reader.hold(.read, from: ObjectIdentifier(self), body)
    }

    /// Closes every connection after its work; waiting callers get the error `closed`.
    func close() async {
        let (waiters, readers) = state.withLock { $0.pool.close() }
        for waiter in waiters { waiter.resume(throwing: DatabaseError.closed) }
        for reader in readers { await reader.close() }
    }

    private func take() async throws -> ConnectionActor {
        switch state.withLock({ $0.pool.take() }) {
        case .use(let reader): return reader
        case .make: return try makeReader()
        case .closed: throw DatabaseError.closed
        case .wait:
            switch try await turn() {
            case .use(let reader): return reader
            case .make: return try makeReader()
            }
        }
    }

    private func turn() async throws -> Turn {
        try OpenTurn.checkWait(for: self)
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer = state.withLock { $0.pool.take(id: id, continuation) }
                switch answer {
                case .use(let reader): continuation.resume(returning: .use(reader))
                case .make: continuation.resume(returning: .make)
                case .closed: continuation.resume(throwing: DatabaseError.closed)
                case .wait:
                    // A cancellation before the waiter was in the queue did not find it there.
                    if Task.isCancelled { cancel(id) }
                }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: UInt64) {
        state.withLock { $0.pool.cancel(id: id) }?.resume(throwing: CancellationError())
    }

    private func makeReader() throws -> ConnectionActor {
        do {
            let reader = try make()
            state.withLock { $0.pool.made(reader) }
            return reader
        } catch {
            state.withLock { $0.pool.couldNotMake() }?.resume(returning: .make)
            throw error
        }
    }

    private func put(_ reader: ConnectionActor) {
        state.withLock { $0.pool.put(reader) }?.resume(returning: .use(reader))
    }
}
