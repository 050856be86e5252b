// SPDX-License-Identifier: MIT

/// The loudspeaker's sound on a timeline of frames that runs with its device's clock: a pause is silence on it. Frames
/// that were read are dropped.
struct FarEndTimeline {
    /// The loudspeaker's clock, over the timeline's frames.
    private(set) var clock: StreamClock
    /// Frames that arrived after their position on the timeline had been read.
    private(set) var lateFrames = 0

    private var samples: [Float] = []
    /// The frame of `samples[0]`.
    private var base = 0
    /// Everything before this frame was read.
    private var readUpTo = Int.min
    /// The longest sound that waits, in frames; later frames are dropped.
    private let limit: Int

    /// The frame after the last one.
    private var end: Int { base + samples.count }

    init(rate: Int, limit: Int) {
        clock = StreamClock(rate: rate)
        self.limit = limit
    }

    /// True if the timeline ends at `frame` or before.
    func isOver(at frame: Double) -> Bool { Double(end) <= frame }

    /// Puts `piece` on the timeline; its first frame is heard at `instant` (seconds).
    mutating func append(_ piece: [Float], instant: Double) {
        if clock.hasStarted {
            let surprise = instant - clock.instant(of: Double(end))
            if abs(surprise) > StreamClock.largestJitter { move(by: Int((surprise * clock.rate).rounded())) }
        }
        clock.observe(position: end, instant: instant)
        lateFrames += max(0, min(piece.count, readUpTo == Int.min ? 0 : readUpTo - end))
        samples += piece.prefix(max(0, limit - samples.count))
    }

    /// Discards the sound after `instant` (seconds): it was flushed.
    mutating func discard(after instant: Double) {
        guard clock.hasStarted else { return }
        let frame = Int(clock.frame(at: instant).rounded(.up))
        if frame < end { move(by: frame - end) }
    }

    /// Fills `target` from the timeline, from `start` on with `step` frames for each frame of the target; silence if
    /// nothing plays.
    mutating func read(from start: Double, step: Double, into target: inout [Float]) {
        forget(before: Int(start) - FractionalReader.reach - 1)
        let first = Int(start.rounded(.down)) - FractionalReader.reach
        let count = Int(Double(target.count) * step) + 2 * FractionalReader.reach + 3
        guard first < end, first + count > base else {
            for index in target.indices { target[index] = 0 }
            readUpTo = max(readUpTo, Int(start) + target.count)
            return
        }
        var window = [Float](repeating: 0, count: count)
        let kept = max(first, base)..<max(max(first, base), min(first + count, end))
        for frame in kept { window[frame - first] = samples[frame - base] }
        window.withUnsafeBufferPointer { window in
            guard let signal = window.baseAddress else { return }
            for index in target.indices {
                let place = start - Double(first) + Double(index) * step
                let whole = Int(place)
                target[index] = FractionalReader.value(signal, whole, place - Double(whole))
            }
        }
        readUpTo = max(readUpTo, Int(start) + target.count)
    }

    /// Moves the end of the timeline: forward over silence, backward over unheard frames.
    private mutating func move(by frames: Int) {
        if frames > limit || -frames > samples.count {
            base = end + frames
            samples.removeAll(keepingCapacity: true)
        } else if frames > 0 {
            samples += [Float](repeating: 0, count: frames)
        } else {
            samples.removeLast(-frames)
        }
    }

    private mutating func forget(before frame: Int) {
        let count = min(frame - base, samples.count)
        // In large steps, because each one moves the remaining samples.
        guard count > 16_384 || (count > 0 && count == samples.count) else { return }
        samples.removeFirst(count)
        base += count
    }
}
