// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Diagnostics
import Persistence

/// Keeps an ``AgeClock`` over restarts.
actor AgeStore {
    private let settings: SettingStore
    private let wall: AuthClock
    private let monotonic: AuthClock
    private let logger: Logger
    private var clock: AgeClock?
    /// True once the log has the current doubt.
    private var isLogged = false

    init(_ settings: SettingStore, wall: AuthClock, monotonic: AuthClock, logger: Logger) {
        self.settings = settings
        self.wall = wall
        self.monotonic = monotonic
        self.logger = logger
    }

    /// The time to compute ages with.
    func now() async throws -> AuthTime {
        var clock: AgeClock
        if let known = self.clock { clock = known } else { clock = try await storedClock() }
        let (now, earlier) = (wall.now(), clock.doubt)
        let time = clock.time(now, monotonic.now())
        self.clock = clock
        log(isInDoubt: clock.doubt != nil, ahead: now - time)
        try await settings.set("believed-time", to: "\(time.milliseconds)", durability: .normal)
        if clock.doubt != earlier {
            try await settings.set("doubted-time", to: Self.text(of: clock.doubt), durability: .normal)
        }
        return time
    }

    /// The clock of the last process, whose doubt goes on: otherwise a server that is off each night
    /// would never believe.
    private func storedClock() async throws -> AgeClock {
        let believed = try await settings.value("believed-time").flatMap { Int64($0) }
        let doubt = try await settings.value("doubted-time").flatMap { Self.doubt(from: $0) }
        return AgeClock(believed: believed.map { AuthTime(milliseconds: $0) }, doubt: doubt)
    }

    /// The milliseconds that have elapsed and those of the lead; empty without a doubt.
    private static func text(of doubt: AgeClock.Doubt?) -> String {
        guard let doubt else { return "" }
        return [doubt.elapsed, doubt.lead].map { "\($0.wholeNanoseconds / 1_000_000)" }.joined(separator: " ")
    }

    private static func doubt(from text: String) -> AgeClock.Doubt? {
        let numbers = text.split(separator: " ").compactMap { Int64($0) }
        guard numbers.count == 2 else { return nil }
        return AgeClock.Doubt(elapsed: .milliseconds(numbers[0]), lead: .milliseconds(numbers[1]))
    }

    /// Logs the beginning and the end of a doubt. Its cause is unknown: after a start the clock may be right.
    private func log(isInDoubt: Bool, ahead: Duration) {
        guard isInDoubt != isLogged else { return }
        isLogged = isInDoubt
        guard isInDoubt else {
            return logger.notice("the time of day is believed again: old data is deleted as before")
        }
        let minutes = ahead.components.seconds / 60
        logger.warning(
            """
            the time of day is \(minutes, privacy: .public) minutes ahead of what was expected, so nothing is deleted by \
            its age for a day: set the clock right, unless the server was off for that long
            """)
    }
}
