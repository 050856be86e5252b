// SPDX-License-Identifier: MIT
import Concurrency
internal import Diagnostics

/// What a playback stream announced and nobody took yet, in order; for one taker.
///
/// It fills from the stream's service thread as soon as the device was given a piece, so before the microphone can hear
/// it, and ends when it is dropped. Bounded: the oldest go first, whose sound is over by then.
public final class PlaybackAnnouncements: Sendable {
    private struct Waiting {
        var announcements: [PlaybackAnnouncement] = []
        var dropped = 0
    }

    private let waiting = Guarded(Waiting())
    private let limit: Int

    init(limit: Int) { self.limit = max(1, limit) }

    /// Takes out what was announced since the last call, oldest first. Never waits.
    public func take() -> [PlaybackAnnouncement] {
        waiting.withLock { waiting in
            defer { waiting.announcements = [] }
            return waiting.announcements
        }
    }

    /// How many announcements were dropped because nobody took them.
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
