// SPDX-License-Identifier: MIT

import AuthServer

/// The time by which housekeeping judges what is old. A time of day that jumps forward, further than time has passed, is not
/// believed for a day: a wrong clock would delete every session, upload and recording at once.
struct AgeClock: Sendable, Hashable {
    /// How far the time of day may be ahead of what is expected.
    static let tolerance: Duration = .seconds(3_600)
    /// How long a jump has to last before it is believed.
    static let patience: Duration = .seconds(86_400)

    /// What was believed last, and when that was by the monotonic clock; nil before anything was.
    private var believed: AuthTime?
    private var believedAt: AuthTime?
    /// Since when, by the monotonic clock, the time of day is too far ahead.
    private var doubtedAt: AuthTime?

    /// True while ``time(_:_:)`` is behind the time of day.
    var isInDoubt: Bool { doubtedAt != nil }

    /// - Parameter believed: What an earlier server believed last; nil for a new home.
    init(believed: AuthTime?) { self.believed = believed }

    /// The time to judge by; it is behind `wall` while `wall` is in doubt.
    ///
    /// - Parameters:
    ///   - wall: The time of day.
    ///   - monotonic: A clock that nobody sets.
    mutating func time(_ wall: AuthTime, _ monotonic: AuthTime) -> AuthTime {
        guard let believed else { return believe(wall, monotonic) }
        let expected = believed + (believedAt.map { monotonic - $0 } ?? .zero)
        let since = doubtedAt ?? monotonic
        guard wall > expected + Self.tolerance, monotonic - since < Self.patience else {
            return believe(wall, monotonic)
        }
        (self.believed, believedAt, doubtedAt) = (expected, monotonic, since)
        return expected
    }

    private mutating func believe(_ wall: AuthTime, _ monotonic: AuthTime) -> AuthTime {
        (believed, believedAt, doubtedAt) = (wall, monotonic, nil)
        return wall
    }
}
