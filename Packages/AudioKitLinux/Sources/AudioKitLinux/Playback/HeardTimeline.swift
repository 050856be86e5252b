// SPDX-License-Identifier: MIT

/// When which frames of a stream were heard, as far back as anybody asks.
struct HeardTimeline {
    private static let limit = 256

    /// When runs without a gap began to be heard; the newest.
    private var runs: [(frame: Int, instant: ContinuousClock.Instant)] = []
    /// What is over without having been heard; the newest.
    private var flushed: [Range<Int>] = []

    /// True if `frame` begins a run that is not known yet.
    func isNew(_ frame: Int) -> Bool { runs.last.map { $0.frame < frame } ?? true }

    /// A run began with `frame`.
    mutating func began(_ frame: Int, at instant: ContinuousClock.Instant) {
        runs.append((frame, instant))
        if runs.count > Self.limit { runs.removeFirst() }
    }

    mutating func dropped(_ frames: Range<Int>) {
        flushed.append(frames)
        if flushed.count > Self.limit { flushed.removeFirst() }
    }

    /// When `frame`, which is over, was heard at `rate` frames per second; nil for one that was not, or long ago.
    func instant(of frame: Int, rate: Double) -> ContinuousClock.Instant? {
        guard !flushed.contains(where: { $0.contains(frame) }), let run = runs.last(where: { $0.frame <= frame }) else {
            return nil
        }
        return run.instant + .nanoseconds(Int64(Double(frame - run.frame) / rate * 1e9))
    }
}
