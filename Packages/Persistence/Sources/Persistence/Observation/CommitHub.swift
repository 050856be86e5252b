// SPDX-License-Identifier: MIT

import Concurrency

/// Notifies observers of changes to tables that they have read. Changes are gathered, not queued: a slow observer gets
/// many commits at once.
final class CommitHub: Sendable {
    private struct Observer {
        /// The tables that its query read.
        var region = Region.nothing
        /// The tables that have changed since its query began to read.
        var changed = Region.nothing
        var waiter: CheckedContinuation<Void, Never>?

        var isDue: Bool { region.overlaps(changed) }
    }

    private struct State {
        var observers: [UInt64: Observer] = [:]
        var nextID: UInt64 = 0
        var isClosed = false
    }

    private let state = Guarded(State())

    func add() -> UInt64 {
        state.withLock { state in
            state.nextID += 1
            state.observers[state.nextID] = Observer()
            return state.nextID
        }
    }

    /// Removes an observer.
    func remove(_ id: UInt64) {
        state.withLock { $0.observers[id] = nil }
    }

    /// Publishes the tables that a commit has changed.
    func publish(_ region: Region) {
        resume { state in
            for id in state.observers.keys {
                state.observers[id]?.changed.formUnion(region)
            }
        }
    }

    /// Wakes all observers for good.
    func close() {
        resume { $0.isClosed = true }
    }

    /// Begins an observer's query: it may miss commits from here on.
    func beginRead(_ id: UInt64) {
        state.withLock { $0.observers[id]?.changed = .nothing }
    }

    /// Ends an observer's query, with the tables that it has read.
    func endRead(_ id: UInt64, _ region: Region) {
        state.withLock { $0.observers[id]?.region = region }
    }

    /// Returns when the observer must read again, when it was cancelled or when the database was closed.
    func change(for id: UInt64) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    guard let observer = state.observers[id], !observer.isDue, !state.isClosed, !Task.isCancelled
                    else { return true }
                    state.observers[id]?.waiter = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.observers[id]?.waiter = nil }
                return state.observers[id]?.waiter
            }
            waiter?.resume()
        }
    }

    /// Changes the state and wakes the observers that it concerns.
    private func resume(_ body: (inout State) -> Void) {
        let waiters = state.withLock { state in
            body(&state)
            var waiters: [CheckedContinuation<Void, Never>] = []
            for (id, observer) in state.observers where observer.isDue || state.isClosed {
                guard let waiter = observer.waiter else { continue }
                waiters.append(waiter)
                state.observers[id]?.waiter = nil
            }
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
