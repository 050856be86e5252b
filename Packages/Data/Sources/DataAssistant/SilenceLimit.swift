// SPDX-License-Identifier: MIT

import Concurrency

/// The longest time for which a model may say nothing. A reader that is slow is no silence.
final class SilenceLimit: Sendable {
    private struct State {
        var signs = 0
        var isReporting = false
        var wasReached = false
    }

    private let limit: Duration
    private let clock: any Clock<Duration>
    private let state = Guarded(State())

    init(_ limit: Duration, _ clock: any Clock<Duration>) { (self.limit, self.clock) = (limit, clock) }

    /// True once the limit was reached.
    var wasReached: Bool { state.withLock { $0.wasReached } }

    /// Notes a word, and that nothing is awaited while `report` runs.
    func interrupted(_ report: () async throws -> Void) async throws {
        state.withLock { ($0.signs, $0.isReporting) = ($0.signs + 1, true) }
        defer { state.withLock { ($0.signs, $0.isReporting) = ($0.signs + 1, false) } }
        try await report()
    }

    /// Waits for the first silence of the limit's length; one after a word may last up to twice as long.
    ///
    /// - Returns: False if the task was cancelled before.
    func isReached() async -> Bool {
        while true {
            let signs = state.withLock { $0.signs }
            do { try await clock.sleep(for: limit) } catch { return false }
            let isSilent = state.withLock { state in
                guard state.signs == signs, !state.isReporting else { return false }
                state.wasReached = true
                return true
            }
            if isSilent { return true }
        }
    }
}
