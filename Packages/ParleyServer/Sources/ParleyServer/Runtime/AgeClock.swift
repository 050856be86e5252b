// SPDX-License-Identifier: MIT

import AuthServer

/// The time by which maintenance computes ages. A time of day that jumps ahead of the elapsed time is not believed for
/// a day: a wrong clock would delete every session, upload and recording at once.
struct AgeClock: Sendable, Hashable {
    /// The greatest lead of the time of day that is believed at once.
    static let tolerance: Duration = .seconds(3_600)
    /// The duration after which a longer lead is believed.
    static let patience: Duration = .seconds(86_400)

    /// The last believed time, and the monotonic time then; nil before the first.
    private var believed: AuthTime?
    private var believedAt: AuthTime?
    /// The monotonic time at which the time of day was first too far ahead; nil without a doubt.
    private var doubtedAt: AuthTime?

    /// True while ``time(_:_:)`` is behind the time of day.
    var isInDoubt: Bool { doubtedAt != nil }

    /// - Parameter believed: The last time that an earlier process believed; nil for a new home.
    init(believed: AuthTime?) { self.believed = believed }

    /// The time to compute ages with; it is behind `wall` while `wall` is in doubt.
    ///
    /// - Parameters:
    ///   - wall: The time of day.
    ///   - monotonic: The time of a monotonic clock.
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
