// SPDX-License-Identifier: MIT

/// The instants at which a stream's recent frames were heard.
struct HeardTimeline {
    private static let limit = 256

    /// The newest runs without a gap: the first frame and the instant when it was heard.
    private var runs: [(frame: Int, instant: ContinuousClock.Instant)] = []
    /// The newest ranges of frames that ended without being heard.
    private var flushed: [Range<Int>] = []

    /// True if `frame` begins a run that is not recorded yet.
    func isNew(_ frame: Int) -> Bool { runs.last.map { $0.frame < frame } ?? true }

    /// Notes that a run began with `frame`.
    mutating func began(_ frame: Int, at instant: ContinuousClock.Instant) {
        runs.append((frame, instant))
        if runs.count > Self.limit { runs.removeFirst() }
    }

    mutating func dropped(_ frames: Range<Int>) {
        flushed.append(frames)
        if flushed.count > Self.limit { flushed.removeFirst() }
    }

    /// The instant when `frame`, which is over, was heard at `rate` frames per second; nil if unheard or long ago.
    func instant(of frame: Int, rate: Double) -> ContinuousClock.Instant? {
        guard !flushed.contains(where: { $0.contains(frame) }), let run = runs.last(where: { $0.frame <= frame }) else {
            return nil
        }
        return run.instant + .nanoseconds(Int64(Double(frame - run.frame) / rate * 1e9))
    }
}
