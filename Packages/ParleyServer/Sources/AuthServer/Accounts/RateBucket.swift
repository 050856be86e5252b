// SPDX-License-Identifier: MIT

/// A limit of events in a time, by the generic cell rate algorithm (ITU-T I.371): one number, whatever the limit. A
/// burst of the whole limit is allowed; after it, events pass evenly.
public struct RateBucket: Sendable, Hashable {
    /// The time at which the bucket will be empty again, in microseconds since 1970: more than a thousand events a
    /// second are less than a millisecond apart.
    private var emptyMicroseconds: Int64

    /// The time at which the bucket will be empty again, rounded up: a bucket that is stored by it allows no more
    /// events than its limit.
    public var emptyAt: AuthTime { Self.time(emptyMicroseconds) }

    /// An empty bucket, or one that was stored.
    public init(emptyAt: AuthTime = AuthTime(milliseconds: 0)) {
        // A stored number of any size must not trap.
        emptyMicroseconds = min(max(emptyAt.milliseconds, 0), .max / 1_000) * 1_000
    }

    /// Counts an event.
    ///
    /// - Returns: Nil if it is within the limit; else the time of the next allowed event, and this one is not counted.
    public mutating func take(at now: AuthTime, limit: Int, per window: Duration) -> AuthTime? {
        let (now, length) = (now.milliseconds * 1_000, window.wholeMicroseconds)
        // Only a clock that was set back leaves a bucket that is full for longer than a window: it counts as empty.
        // Clocks of instances, which differ a little, must not empty a full one.
        let start = (now...now + 2 * length).contains(emptyMicroseconds) ? emptyMicroseconds : now
        let next = start + (window / max(1, limit)).wholeMicroseconds
        guard next <= now + length else { return Self.time(next - length) }
        emptyMicroseconds = next
        return nil
    }

    /// Uncounts an event that ``take(at:limit:per:)`` counted with the same limit. Events that were counted since stay
    /// counted.
    mutating func takeBack(limit: Int, per window: Duration) {
        emptyMicroseconds -= (window / max(1, limit)).wholeMicroseconds
    }

    private static func time(_ microseconds: Int64) -> AuthTime {
        AuthTime(milliseconds: (microseconds + 999).quotientAndRemainder(dividingBy: 1_000).quotient)
    }
}
