// SPDX-License-Identifier: MIT

import Glibc

/// A moment: milliseconds since 1970-01-01 00:00 UTC, leap seconds not counted.
public struct AuthTime: Sendable, Hashable, Comparable, Codable {
    /// Milliseconds since 1970.
    public let milliseconds: Int64

    /// A moment by its milliseconds since 1970.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// A moment by its seconds since 1970; nil for times more than 100,000 years from then.
    public init?(seconds: Int64) {
        guard (-3_200_000_000_000...3_200_000_000_000).contains(seconds) else { return nil }
        milliseconds = seconds * 1_000
    }

    /// Whole seconds since 1970, as JSON Web Tokens count (RFC 7519 §2, NumericDate).
    public var seconds: Int64 { milliseconds.quotientAndRemainder(dividingBy: 1_000).quotient }

    /// The time that a moment of another instance may be ahead of now: the instances of a server read the time of their
    /// database within a second each, and what one issues is shown to another at once.
    static let longestLead: Duration = .seconds(2)

    /// True if less than a lifetime has passed since this moment. One that is further ahead than ``longestLead`` is from
    /// before the clock was set back: nobody knows its age, so it counts as too old.
    func isRecent(at now: AuthTime, _ lifetime: Duration) -> Bool {
        (.zero - Self.longestLead..<lifetime).contains(now - self)
    }

    /// Orders the earlier moment first.
    public static func < (left: AuthTime, right: AuthTime) -> Bool { left.milliseconds < right.milliseconds }

    /// The moment after a duration.
    public static func + (time: AuthTime, duration: Duration) -> AuthTime {
        AuthTime(milliseconds: time.milliseconds + duration.wholeMicroseconds / 1_000)
    }

    /// The time from the second moment to the first.
    public static func - (later: AuthTime, earlier: AuthTime) -> Duration {
        .milliseconds(later.milliseconds - earlier.milliseconds)
    }
}

extension Duration {
    /// The microseconds, without their fraction. They are exact; a quotient of durations is a rounded Double, which may
    /// be a little less than the whole number.
    var wholeMicroseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}

/// A source of the time of day.
public struct AuthClock: Sendable {
    /// Returns the time.
    public let now: @Sendable () -> AuthTime

    /// A clock that calls a closure.
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
