// SPDX-License-Identifier: MIT

import AuthServer
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
        if clock == nil {
            let stored = try await settings.value("believed-time")
            clock = AgeClock(believed: stored.flatMap { Int64($0) }.map { AuthTime(milliseconds: $0) })
        }
        let now = wall.now()
        let time = clock?.time(now, monotonic.now()) ?? now
        log(isInDoubt: clock?.isInDoubt ?? false, ahead: now - time)
        try await settings.set("believed-time", to: "\(time.milliseconds)", durability: .normal)
        return time
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
