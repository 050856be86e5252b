// SPDX-License-Identifier: MIT

import Concurrency

/// Tells observers that tables they have read were changed. Changes are gathered, not queued: a slow observer hears of many
/// commits at once.
final class CommitHub: Sendable {
    private struct Observer {
        /// What its query read.
        var region = Region.nothing
        /// What has changed since its query began to read.
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

    /// Forgets an observer.
    func remove(_ id: UInt64) {
        state.withLock { $0.observers[id] = nil }
    }

    /// A commit has changed these tables.
    func publish(_ region: Region) {
        resume { state in
            for id in state.observers.keys {
                state.observers[id]?.changed.formUnion(region)
            }
        }
    }

    /// Wakes everyone for good.
    func close() {
        resume { $0.isClosed = true }
    }

    /// An observer's query begins: what is committed from here on may be missing from what it reads.
    func beginRead(_ id: UInt64) {
        state.withLock { $0.observers[id]?.changed = .nothing }
    }

    /// An observer's query has read these tables.
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

    /// Changes the state and wakes whom it concerns.
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
