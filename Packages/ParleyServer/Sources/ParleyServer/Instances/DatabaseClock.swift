// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Persistence

/// The time of day of a shared database, carried on by this machine's monotonic clock.
///
/// All instances of a server compare ages and judge tokens by it, so that a machine whose own time of day is wrong
/// neither ends a session too early nor lets one live too long.
final class DatabaseClock: Sendable {
    /// The difference of the times of day above which `/readyz` reports it.
    static let tolerance: Duration = .seconds(30)
    /// A slower answer is not believed: nobody knows when it was read.
    private static let longestAnswer: Duration = .seconds(2)
    /// The most readings at the start; then the last one is believed, so that a slow database starts a server at all.
    private static let firstReadings = 5

    private struct Reading {
        let time: AuthTime
        /// The monotonic time of the reading.
        let at: AuthTime
        /// This machine's time of day less the database's.
        let lead: Duration
    }

    private let database: any ServerDatabase
    private let wall: AuthClock
    private let monotonic: AuthClock
    private let reading: Guarded<Reading>

    /// Reads the database's time.
    ///
    /// - Parameters:
    ///   - wall: This machine's time of day.
    ///   - monotonic: A monotonic clock.
    init(_ database: any ServerDatabase, wall: AuthClock, monotonic: AuthClock) async throws {
        (self.database, self.wall, self.monotonic) = (database, wall, monotonic)
        var (first, answer) = try await Self.read(database, wall, monotonic)
        for _ in 1..<Self.firstReadings where answer > Self.longestAnswer {
            (first, answer) = try await Self.read(database, wall, monotonic)
        }
        reading = Guarded(first)
    }

    /// The shared time.
    var clock: AuthClock {
        AuthClock { [self] in
            let last = reading.withLock { $0 }
            return last.time + (monotonic.now() - last.at)
        }
    }

    /// This machine's time of day less the database's, at the last reading.
    var lead: Duration { reading.withLock { $0.lead } }

    /// Reads the database's time again; a monotonic clock drifts by some seconds a day.
    func refresh() async throws {
        let (next, answer) = try await Self.read(database, wall, monotonic)
        if answer <= Self.longestAnswer { reading.withLock { $0 = next } }
    }

    private static func read(
        _ database: any ServerDatabase, _ wall: AuthClock, _ monotonic: AuthClock
    ) async throws -> (reading: Reading, answer: Duration) {
        let before = monotonic.now()
        let milliseconds = try await database.read { rows in
            try await rows.first("SELECT \(sql: rows.now) AS milliseconds", as: Int64.self)
        }
        let (after, day) = (monotonic.now(), wall.now())
        let answer = after - before
        // Half the answer's time has passed since the database read its clock.
        let time = AuthTime(milliseconds: milliseconds ?? day.milliseconds) + answer / 2
        return (Reading(time: time, at: after, lead: day - time), answer)
    }
}
