// SPDX-License-Identifier: MIT

/// A limit of events in a time, by the generic cell rate algorithm (ITU-T I.371): one number, whatever the limit. A
/// burst of the whole limit is allowed; after it, events pass evenly.
public struct RateBucket: Sendable, Hashable {
    /// The time at which the bucket will be empty again.
    public private(set) var emptyAt: AuthTime

    /// An empty bucket, or one that was stored.
    public init(emptyAt: AuthTime = AuthTime(milliseconds: 0)) {
        self.emptyAt = emptyAt
    }

    /// Counts an event.
    ///
    /// - Returns: Nil if it is within the limit; else the time of the next allowed event, and this one is not counted.
    public mutating func take(at now: AuthTime, limit: Int, per window: Duration) -> AuthTime? {
        let interval = window / max(1, limit)
        // After the clock was set back, the lock-out must not exceed a window.
        let start = min(max(emptyAt, now), now + window)
        let next = start + interval
        guard next <= now + window else { return next + (.zero - window) }
        emptyAt = next
        return nil
    }

    /// Uncounts an event that ``take(at:limit:per:)`` counted with the same limit. Events that were counted since stay
    /// counted.
    mutating func takeBack(limit: Int, per window: Duration) {
        emptyAt = emptyAt + (.zero - window / max(1, limit))
    }
}
