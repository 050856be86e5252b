// SPDX-License-Identifier: MIT

import Foundation
import Persistence

/// Clocks that go only as far as a test moves them.
///
// SAFETY: all state is behind the lock.
final class ManualTime: @unchecked Sendable {
    private struct Sleeper {
        let end: Int64
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let lock = NSLock()
    private var time = OutboxTime(
        boot: "first", awake: 50_000, elapsed: 100_000, wall: Date(timeIntervalSince1970: 1_800_000_000))
    private var sleepers: [Int: Sleeper] = [:]
    private var cancelled: Set<Int> = []
    private var count = 0
    private var watchers: [CheckedContinuation<Void, Never>] = []

    var now: OutboxTime { lock.withLock { time } }

    var clock: OutboxClock {
        OutboxClock(now: { self.now }, sleep: { try await self.sleep($0) })
    }

    /// Moves every clock on and ends the sleeps that are over.
    func advance(_ milliseconds: Int64) {
        set {
            $0.awake += milliseconds
            $0.elapsed += milliseconds
            $0.wall += Double(milliseconds) / 1_000
        }
    }

    func set(_ change: (inout OutboxTime) -> Void) {
        let ended = lock.withLock {
            change(&time)
            let over = sleepers.filter { $0.value.end <= time.elapsed }
            for id in over.keys { sleepers[id] = nil }
            return over
        }
        for sleeper in ended.values { sleeper.continuation.resume() }
    }

    /// Returns when somebody sleeps.
    func waitForASleeper() async {
        await withCheckedContinuation { continuation in
            let isThere = lock.withLock {
                if sleepers.isEmpty { watchers.append(continuation) }
                return !sleepers.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    private func sleep(_ duration: Duration) async throws {
        let id = lock.withLock {
            count += 1
            return count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (isCancelled, waiting) = lock.withLock { () -> (Bool, [CheckedContinuation<Void, Never>]) in
                    if cancelled.contains(id) { return (true, []) }
                    let end = time.elapsed + Int64(duration / .milliseconds(1))
                    sleepers[id] = Sleeper(end: end, continuation: continuation)
                    defer { watchers = [] }
                    return (false, watchers)
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
                for watcher in waiting { watcher.resume() }
            }
        } onCancel: {
            let sleeper = lock.withLock {
                cancelled.insert(id)
                return sleepers.removeValue(forKey: id)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
