// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// A clock that stands still until a test moves it.
final class ManualClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    private struct State {
        var now = Instant()
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var lastIdentifier = 0
    }

    private let state = Guarded(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let identifier = state.withLock { state in
            state.lastIdentifier += 1
            return state.lastIdentifier
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let (isDue, ready) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
                    if deadline <= state.now { return (true, []) }
                    state.sleepers[identifier] = (deadline, continuation)
                    let count = state.sleepers.count
                    let ready = state.watchers.filter { $0.count <= count }
                    state.watchers.removeAll { $0.count <= count }
                    return (false, ready.map(\.continuation))
                }
                if isDue { continuation.resume() }
                for watcher in ready { watcher.resume() }
                if Task.isCancelled { cancel(identifier) }
            }
        } onCancel: {
            cancel(identifier)
        }
    }

    /// Waits until so many tasks sleep.
    func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    /// Moves on and wakes whoever is due.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for identifier in due.keys { state.sleepers[identifier] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    private func cancel(_ identifier: Int) {
        let sleeper = state.withLock { $0.sleepers.removeValue(forKey: identifier) }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
