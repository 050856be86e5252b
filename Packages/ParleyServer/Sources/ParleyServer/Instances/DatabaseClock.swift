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
    /// An answer as fast as this is exact enough.
    private static let fastAnswer: Duration = .milliseconds(20)
    /// The most readings in search of a fast answer: one that waits for a connection is slow, and the next one is not.
    private static let mostReadings = 5

    private struct Reading {
        let time: AuthTime
        /// The monotonic time of the reading.
        let at: AuthTime
        /// This machine's time of day less the database's.
        let lead: Duration
        /// The time that the database took: the reading is wrong by half of it at most.
        let answer: Duration
    }

    private let database: any ServerDatabase
    private let wall: AuthClock
    private let monotonic: AuthClock
    private let reading: Guarded<Reading>

    /// Reads the database's time, however slow it is, so that a slow database starts a server at all.
    ///
    /// - Parameters:
    ///   - wall: This machine's time of day.
    ///   - monotonic: A monotonic clock.
    init(_ database: any ServerDatabase, wall: AuthClock, monotonic: AuthClock) async throws {
        (self.database, self.wall, self.monotonic) = (database, wall, monotonic)
        reading = Guarded(try await Self.read(database, wall, monotonic))
    }

    /// The clock for the data of a storage: the database's if instances share it, otherwise this machine's.
    static func clock(of storage: ServerStorage, _ options: ServerOptions) async throws -> AuthClock {
        guard storage.isShared else { return options.clock }
        return try await DatabaseClock(storage.accounts, wall: options.clock, monotonic: options.monotonicClock).clock
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
        let next = try await Self.read(database, wall, monotonic)
        if next.answer <= Self.longestAnswer { reading.withLock { $0 = next } }
    }

    /// The reading with the fastest answer, which is the most exact one (Cristian 1989).
    private static func read(
        _ database: any ServerDatabase, _ wall: AuthClock, _ monotonic: AuthClock
    ) async throws -> Reading {
        var best = try await readOnce(database, wall, monotonic)
        for _ in 1..<mostReadings where best.answer > fastAnswer {
            let next = try await readOnce(database, wall, monotonic)
            if next.answer < best.answer { best = next }
        }
        return best
    }

    private static func readOnce(
        _ database: any ServerDatabase, _ wall: AuthClock, _ monotonic: AuthClock
    ) async throws -> Reading {
        let before = monotonic.now()
        let milliseconds = try await database.read { rows in
            try await rows.first("SELECT \(sql: rows.now) AS milliseconds", as: Int64.self)
        }
        let (after, day) = (monotonic.now(), wall.now())
        // Half the answer's time has passed since the database read its clock.
        let time = AuthTime(milliseconds: milliseconds ?? day.milliseconds) + (after - before) / 2
        return Reading(time: time, at: after, lead: day - time, answer: after - before)
    }
}
