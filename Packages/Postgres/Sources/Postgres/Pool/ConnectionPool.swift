// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// The connections of a database: opened when needed, up to a limit, and replaced when they break or grow old.
final class ConnectionPool: LoopMember {
    private typealias Continuation = CheckedContinuation<ConnectionDriver, any Error>

    private struct State {
        var pool: PoolState<ConnectionDriver>
        var continuations: [UInt64: Continuation] = [:]
        var nextID: UInt64 = 0
    }

    private let state: Guarded<State>
    /// Resolved once the pool is closed and nobody uses a connection.
    let drained = Promise<Void>()
    private let configuration: PostgresConfiguration
    private let loop: PostgresLoop
    private let tasks: OwnedTasks
    private let requests: OwnedTasks
    private let logger: Logger

    init(
        _ configuration: PostgresConfiguration, loop: PostgresLoop, tasks: OwnedTasks, requests: OwnedTasks,
        logger: Logger
    ) {
        state = Guarded(
            State(
                pool: PoolState(
                    limit: configuration.maximumConnections, maximumAge: configuration.maximumAge,
                    backoff: configuration.reconnectBackoff)))
        (self.configuration, self.loop, self.tasks, self.logger) = (configuration, loop, tasks, logger)
        self.requests = requests
        loop.add(self)
    }

    /// A connection, which is given back by ``put(_:)``; waits for one if needed, in order.
    ///
    /// - Throws: ``PostgresError`` with `busy`, or the error of the last attempt to connect; `CancellationError`.
    func take() async throws -> ConnectionDriver {
        let (idle, actions) = state.withLock { $0.pool.takeIdle(at: .now) }
        perform(actions)
        if let idle { return idle }
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let now = MonotonicTime.now
                let deadline = now.advanced(by: configuration.acquireTimeout)
                let (actions, next) = state.withLock { state in
                    state.continuations[id] = continuation
                    return (state.pool.wait(id, deadline: deadline, at: now), state.pool.nextDeadline)
                }
                perform(actions)
                loop.check(by: next)
                // A cancellation before the waiter was in the line did not find it there.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Gives a connection back. One that broke, or is still in a transaction, is replaced.
    func put(_ driver: ConnectionDriver) {
        let isUsable = driver.isIdle
        perform(state.withLock { $0.pool.put(driver, isUsable: isUsable, at: .now) })
    }

    /// Refuses all users from now on, and closes what nobody uses; the rest closes when it is given back.
    func close() {
        perform(state.withLock { $0.pool.close() })
    }

    private func cancel(_ id: UInt64) {
        let continuation = state.withLock { state in
            state.pool.cancel(id) ? state.continuations.removeValue(forKey: id) : nil
        }
        continuation?.resume(throwing: CancellationError())
    }

    // MARK: Loop

    func ready(_ readiness: SocketQueue.Readiness) {}

    func expire(at now: MonotonicTime) -> MonotonicTime {
        let (actions, next) = state.withLock { ($0.pool.expire(at: now), $0.pool.nextDeadline) }
        perform(actions)
        return next
    }

    // MARK: Actions

    private func perform(_ actions: [PoolState<ConnectionDriver>.Action]) {
        for action in actions {
            switch action {
            case .serve(let id, let driver):
                state.withLock { $0.continuations.removeValue(forKey: id) }?.resume(returning: driver)
            case .refuse(let id, let error):
                state.withLock { $0.continuations.removeValue(forKey: id) }?.resume(throwing: error)
            case .open: tasks.add { [self] in await open() }
            case .close(let driver): driver.end(.closed)
            }
        }
        guard state.withLock({ $0.pool.isDrained }) else { return }
        loop.remove(self)
        drained.resolve()
    }

    private func open() async {
        do {
            let opened = try await OpenedConnection.open(configuration, loop: loop)
            let driver = ConnectionDriver(
                opened, loop: loop, requests: requests, statementCapacity: configuration.preparedStatements,
                statementTimeout: configuration.statementTimeout)
            perform(state.withLock { $0.pool.opened(driver, at: .now) })
            driver.onLoss { [weak self, weak driver] in
                guard let self, let driver else { return }
                perform(state.withLock { $0.pool.lost(driver, at: .now) })
            }
        } catch {
            let error = error as? PostgresError ?? .closed
            logger.warning("no connection to PostgreSQL: \(error.code, privacy: .public)")
            let (actions, next) = state.withLock { state in
                (
                    state.pool.couldNotOpen(error, chance: .random(in: 0...1), at: .now), state.pool.nextDeadline
                )
            }
            perform(actions)
            loop.check(by: next)
        }
    }
}
