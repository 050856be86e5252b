// SPDX-License-Identifier: MIT

import Concurrency

/// Admits one turn after another, in the order of arrival. Cancelling removes a waiting turn from the line.
package final class TurnLine: Sendable {
    /// A place in the line.
    package struct Place: Sendable, Hashable { fileprivate let id: UInt64 }

    private enum Waiter {
        /// The place is reserved, and the turn does not wait yet.
        case expected
        case waiting(CheckedContinuation<Void, any Error>)
    }

    private struct State {
        /// The id of the place that has the turn; `nil` if the line is empty.
        var current: UInt64?
        var line: [(id: UInt64, waiter: Waiter)] = []
        var lastID: UInt64 = 0
    }

    private let state = Guarded(State())

    package init() {}

    /// Waits for all earlier turns. The place is taken before the caller can be suspended, so that an actor's calls keep
    /// their order.
    ///
    /// - Throws: `CancellationError`; then ``leave()`` must not be called.
    package nonisolated(nonsending) func enter() async throws {
        try Task.checkCancellation()
        try await wait(for: reserve(first: false))
    }

    /// Reserves a place before all waiting turns. ``wait(for:)`` has to follow.
    package func reserveFirst() -> Place { reserve(first: true) }

    private func reserve(first: Bool) -> Place {
        state.withLock { state in
            state.lastID += 1
            let id = state.lastID
            if state.current == nil {
                state.current = id
            } else {
                state.line.insert((id, .expected), at: first ? 0 : state.line.count)
            }
            return Place(id: id)
        }
    }

    /// Waits until it is that place's turn.
    ///
    /// - Throws: `CancellationError`; then the place is given up, and ``leave()`` must not be called.
    package func wait(for place: Place) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isFree = state.withLock { state in
                    if state.current == place.id { return true }
                    guard let index = state.line.firstIndex(where: { $0.id == place.id }) else { return true }
                    state.line[index].waiter = .waiting(continuation)
                    return false
                }
                if isFree { continuation.resume() }
                // The handler below may have run before the entry.
                if Task.isCancelled { cancel(place) }
            }
        } onCancel: {
            cancel(place)
        }
    }

    /// Admits the next turn.
    package func leave() {
        let next = state.withLock { state -> Waiter? in
            guard !state.line.isEmpty else {
                state.current = nil
                return nil
            }
            let next = state.line.removeFirst()
            state.current = next.id
            return next.waiter
        }
        if case .waiting(let continuation)? = next { continuation.resume() }
    }

    private func cancel(_ place: Place) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.line.firstIndex(where: { $0.id == place.id }),
                case .waiting = state.line[index].waiter
            else { return nil }
            return state.line.remove(at: index).waiter
        }
        if case .waiting(let continuation)? = waiter { continuation.resume(throwing: CancellationError()) }
    }
}
