// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

@testable import Networking

/// A clock that stands still until a test moves it.
final class ManualClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    private struct Sleeper {
        let identifier: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let isReady: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant()
        var sleepers: [Sleeper] = []
        var watchers: [Watcher] = []
        var cancelled: Set<Int> = []
        var lastIdentifier = 0
    }

    private let state = Guarded(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    /// How long each sleeper has still to sleep, the shortest first.
    var remaining: [Duration] {
        state.withLock { state in state.sleepers.map { state.now.duration(to: $0.deadline) }.sorted() }
    }

    func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let identifier = state.withLock { state in
            state.lastIdentifier += 1
            return state.lastIdentifier
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let (result, ready) = state.withLock {
                    state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
                    if state.cancelled.remove(identifier) != nil { return (.failure(CancellationError()), []) }
                    if deadline <= state.now { return (.success(()), []) }
                    state.sleepers.append(
                        Sleeper(identifier: identifier, deadline: deadline, continuation: continuation))
                    let (watchers, seen) = (state.watchers, state)
                    let ready = watchers.filter { $0.isReady(seen) }
                    state.watchers = watchers.filter { !$0.isReady(seen) }
                    return (nil, ready.map(\.continuation))
                }
                if let result { continuation.resume(with: result) }
                for watcher in ready { watcher.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                guard let index = state.sleepers.firstIndex(where: { $0.identifier == identifier }) else {
                    state.cancelled.insert(identifier)
                    return nil as CheckedContinuation<Void, any Error>?
                }
                return state.sleepers.remove(at: index).continuation
            }
            sleeper?.resume(throwing: CancellationError())
        }
    }

    /// Waits until so many tasks sleep.
    func waitForSleepers(_ count: Int = 1) async {
        await wait { $0.sleepers.count >= count }
    }

    /// Waits until a task has still to sleep for so long.
    func waitForSleeper(of remaining: Duration) async {
        await wait { state in state.sleepers.contains { state.now.duration(to: $0.deadline) == remaining } }
    }

    private func wait(until isReady: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isReadyNow = state.withLock { state in
                if isReady(state) { return true }
                state.watchers.append(Watcher(isReady: isReady, continuation: continuation))
                return false
            }
            if isReadyNow { continuation.resume() }
        }
    }

    /// Moves on and wakes whoever is due.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            let due = state.sleepers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
            state.sleepers.removeAll { $0.deadline <= now }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}
