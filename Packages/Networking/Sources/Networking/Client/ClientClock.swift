// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The time as the client's stages read it: a clock for waits, and the calendar for dates in headers.
public struct ClientClock: Sendable {
    /// The time since some fixed moment; never goes back.
    public let now: @Sendable () -> Duration
    /// Waits; throws `CancellationError`.
    public let sleep: @Sendable (Duration) async throws -> Void
    /// The date of day.
    public let date: @Sendable () -> Date

    /// A clock, and the calendar beside it.
    public init<C: Clock>(_ clock: C, date: @escaping @Sendable () -> Date = { Date() }) where C.Duration == Duration {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
        self.date = date
    }

    /// The system's clock.
    public static var system: ClientClock { ClientClock(ContinuousClock()) }
}
