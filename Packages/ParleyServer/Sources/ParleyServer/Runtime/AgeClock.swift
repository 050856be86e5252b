// SPDX-License-Identifier: MIT

import AuthServer

/// The time by which maintenance computes ages. A time of day that jumps ahead of the elapsed time is not believed for
/// a day: a wrong clock would delete every session, upload and recording at once.
struct AgeClock: Sendable, Hashable {
    /// The greatest lead of the time of day that is believed at once.
    static let tolerance: Duration = .seconds(3_600)
    /// The duration after which a longer lead is believed.
    static let patience: Duration = .seconds(86_400)
    /// The greatest growth of a lead that leaves its doubt as old as it is. A server that is off each night adds hours
    /// to a lead, a wrong clock mostly months.
    static let growth: Duration = .seconds(7 * 86_400)

    /// A lead that is not believed yet.
    struct Doubt: Sendable, Hashable {
        /// The time that servers have run with it.
        var elapsed: Duration
        /// The lead when it was last seen.
        var lead: Duration
    }

    /// The last believed time, and the monotonic time then; nil before the first.
    private var believed: AuthTime?
    private var believedAt: AuthTime?
    /// Nil while ``time(_:_:)`` is the time of day.
    private(set) var doubt: Doubt?

    /// - Parameters:
    ///   - believed: The last time that an earlier process believed; nil for a new home.
    ///   - doubt: The doubt that the process had then.
    init(believed: AuthTime?, doubt: Doubt? = nil) { (self.believed, self.doubt) = (believed, doubt) }

    /// The time to compute ages with; it is behind `wall` while `wall` is in doubt.
    ///
    /// - Parameters:
    ///   - wall: The time of day.
    ///   - monotonic: The time of a monotonic clock.
    mutating func time(_ wall: AuthTime, _ monotonic: AuthTime) -> AuthTime {
        guard let believed else { return believe(wall, monotonic) }
        let passed = believedAt.map { monotonic - $0 } ?? .zero
        let expected = believed + passed
        var next = Doubt(elapsed: .zero, lead: wall - expected)
        if let doubt, next.lead - doubt.lead <= Self.growth { next.elapsed = doubt.elapsed + passed }
        guard next.lead > Self.tolerance, next.elapsed < Self.patience else { return believe(wall, monotonic) }
        (self.believed, believedAt, doubt) = (expected, monotonic, next)
        return expected
    }

    private mutating func believe(_ wall: AuthTime, _ monotonic: AuthTime) -> AuthTime {
        (believed, believedAt, doubt) = (wall, monotonic, nil)
        return wall
    }
}
