// SPDX-License-Identifier: MIT
import Concurrency
internal import Diagnostics

/// The announcements of a playback stream that were not taken yet, in order; for one consumer.
///
/// The stream's service thread fills it as soon as the device was given sound, which is before the microphone can hear
/// it. It ends when it is dropped. Bounded: the oldest are dropped first, because their sound is over by then.
public final class PlaybackAnnouncements: Sendable {
    private struct Waiting {
        var announcements: [PlaybackAnnouncement] = []
        var dropped = 0
    }

    private let waiting = Guarded(Waiting())
    private let limit: Int

    init(limit: Int) { self.limit = max(1, limit) }

    /// Removes the announcements since the last call, oldest first. Never waits.
    public func take() -> [PlaybackAnnouncement] {
        waiting.withLock { waiting in
            defer { waiting.announcements = [] }
            return waiting.announcements
        }
    }

    /// The number of announcements dropped because `take()` was not called in time.
    public var dropped: Int { waiting.withLock { $0.dropped } }

    func add(_ announcements: [PlaybackAnnouncement]) {
        waiting.withLock { waiting in
            waiting.announcements += announcements
            let excess = waiting.announcements.count - limit
            guard excess > 0 else { return }
            waiting.announcements.removeFirst(excess)
            waiting.dropped += excess
        }
    }
}
