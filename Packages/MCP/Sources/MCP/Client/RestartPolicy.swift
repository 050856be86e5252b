// SPDX-License-Identifier: MIT

import Concurrency

/// Decides when a program that has ended is started again. Pure: time and chance are arguments.
struct RestartPolicy: Sendable {
    /// The number of ends in a row after which the program is not started again by itself.
    static let limit = 6
    private static let backoff = Backoff(first: .milliseconds(500), longest: .seconds(30), jitter: .half)
    /// A program that has run for so long is not failing.
    private static let stable = Duration.seconds(60)

    private(set) var failures = 0
    private var connected: Duration?

    /// The program runs, and has answered.
    mutating func started(now: Duration) { connected = now }

    /// The program has ended, or did not start.
    mutating func ended(now: Duration) {
        if let connected, now - connected >= Self.stable { failures = 0 }
        connected = nil
        failures += 1
    }

    /// A person demands another try.
    mutating func reset() { failures = 0 }

    /// The wait before the next start: zero for the first two, then a random share of a wait that doubles; `nil` to
    /// give up.
    func delay(unit: Double) -> Duration? {
        guard failures < Self.limit else { return nil }
        guard failures > 1 else { return .zero }
        return Self.backoff.delay(afterFailures: failures - 1, chance: unit)
    }
}
