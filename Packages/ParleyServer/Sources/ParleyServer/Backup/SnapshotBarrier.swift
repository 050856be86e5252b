// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Dispatch
import Persistence

/// Copies several databases in the state of one moment. All are locked for writing until each copy's snapshot has
/// begun, so that the copies are what a power failure at that moment would have left; then writes continue during the
/// copying.
final class SnapshotBarrier: Sendable {
    private struct State {
        var locked = 0
        var begun: Set<Int> = []
        var isOpen = false
    }

    private let count: Int
    private let state = Guarded(State())
    /// Resolved once every lock is held, or a step failed.
    private let locked = Promise<Void>()
    private let gate = DispatchSemaphore(value: 0)

    private init(count: Int) {
        self.count = count
    }

    /// - Parameter files: Each database, and the path of its copy.
    static func copy(_ files: [(database: Database, path: String)]) async throws {
        let barrier = SnapshotBarrier(count: files.count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (database, _) in files {
                group.addTask {
                    defer { barrier.open() }
                    // On the database's own thread, which may wait.
                    try await database.write(durability: .normal) { _ in barrier.holdLock() }
                }
            }
            try? await barrier.locked.valueDespiteCancellation()
            for (number, (database, path)) in files.enumerated() {
                group.addTask {
                    defer { barrier.open() }
                    try await database.backUp(to: path) { _ in barrier.began(number) }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Waits until every snapshot has begun, or a step failed.
    private func holdLock() {
        let (isLast, isOpen) = state.withLock { state in
            state.locked += 1
            return (state.locked == count, state.isOpen)
        }
        if isLast { locked.resolve() }
        if !isOpen { gate.wait() }
    }

    private func began(_ number: Int) {
        let isComplete = state.withLock { state in
            state.begun.insert(number)
            return state.begun.count == count
        }
        if isComplete { open() }
    }

    /// Lets every writer continue.
    private func open() {
        let isFirst = state.withLock { state in
            defer { state.isOpen = true }
            return !state.isOpen
        }
        locked.resolve()
        guard isFirst else { return }
        for _ in 0..<count { gate.signal() }
    }
}
