// SPDX-License-Identifier: MIT

/// A limit of so many events in a time, as the generic cell rate algorithm keeps it (ITU-T I.371): one number, whatever
/// the limit. A burst of the whole limit is allowed; after it, events come evenly.
public struct RateBucket: Sendable, Hashable {
    /// When the bucket will be empty again, in milliseconds since 1970.
    public private(set) var emptyAt: AuthTime

    /// An empty bucket, or one that was stored.
    public init(emptyAt: AuthTime = AuthTime(milliseconds: 0)) {
        self.emptyAt = emptyAt
    }

    /// Counts an event.
    ///
    /// - Returns: Nil if it is within the limit; else when the next one is, and the event is not counted.
    public mutating func take(at now: AuthTime, limit: Int, per window: Duration) -> AuthTime? {
        let interval = window / max(1, limit)
        // A clock that was set back must not lock anybody out for longer than a window.
        let start = min(max(emptyAt, now), now + window)
        let next = start + interval
        guard next <= now + window else { return next + (.zero - window) }
        emptyAt = next
        return nil
    }
}
