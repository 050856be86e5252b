// SPDX-License-Identifier: MIT

import AuthServer
import Diagnostics
import Persistence

/// Keeps an ``AgeClock`` over restarts.
actor AgeStore {
    private let database: Database
    private let wall: AuthClock
    private let monotonic: AuthClock
    private let logger: Logger
    private var clock: AgeClock?

    init(_ database: Database, wall: AuthClock, monotonic: AuthClock, logger: Logger) {
        self.database = database
        self.wall = wall
        self.monotonic = monotonic
        self.logger = logger
    }

    /// The time to judge by what is old.
    func now() async throws -> AuthTime {
        if clock == nil {
            let stored = try await database.read { connection in
                try connection.first("SELECT value FROM setting WHERE name = 'believed-time'") { try $0.string(0) }
            }
            clock = AgeClock(believed: stored.flatMap { Int64($0) }.map { AuthTime(milliseconds: $0) })
        }
        let now = wall.now()
        let time = clock?.time(now, monotonic.now()) ?? now
        if time != now {
            logger.error(
                "the time of day jumped forward: until it has stayed so for a day, nothing is deleted by its age")
        }
        let text = "\(time.milliseconds)"
        try await database.write(durability: .normal) { connection in
            try connection.execute("INSERT OR REPLACE INTO setting (name, value) VALUES ('believed-time', \(text))")
        }
        return time
    }
}
