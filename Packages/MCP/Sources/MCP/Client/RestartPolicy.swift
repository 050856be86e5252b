// SPDX-License-Identifier: MIT

/// When a program that has ended is started again. Pure: time and chance come in as values.
struct RestartPolicy: Sendable {
    /// After so many ends in a row it is not started again by itself.
    static let limit = 6
    private static let first = Duration.milliseconds(500)
    private static let longest = Duration.seconds(30)
    /// Whoever has run for so long is not failing.
    private static let stable = Duration.seconds(60)

    private(set) var failures = 0
    private var connected: Duration?

    /// It runs, and has answered.
    mutating func started(now: Duration) { connected = now }

    /// It has ended, or did not start.
    mutating func ended(now: Duration) {
        if let connected, now - connected >= Self.stable { failures = 0 }
        connected = nil
        failures += 1
    }

    /// A person wants it to be tried again.
    mutating func reset() { failures = 0 }

    /// How long to wait before the next start: not at all for the first two, then a random share of a wait that doubles;
    /// `nil` to give up.
    func delay(unit: Double) -> Duration? {
        guard failures < Self.limit else { return nil }
        guard failures > 1 else { return .zero }
        let upper = min(Self.first * (1 << (failures - 2)), Self.longest)
        return upper / 2 + upper / 2 * unit
    }
}
