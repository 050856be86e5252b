// SPDX-License-Identifier: MIT

import Glibc

/// Tells the time of day.
public struct AuthClock: Sendable {
    /// The time.
    public let now: @Sendable () -> AuthTime

    /// A clock that asks a closure.
    public init(_ now: @escaping @Sendable () -> AuthTime) {
        self.now = now
    }

    /// The system's clock.
    public static let system = AuthClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return AuthTime(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
