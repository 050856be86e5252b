// SPDX-License-Identifier: MIT

/// The state of a playback stream: the queue, the progress of the sound, and the waiting tasks. Pure bookkeeping.
///
/// Frames are counted from the start of the stream in the order in which they were accepted; a flushed frame keeps
/// its number and is never heard.
struct PlaybackState {
    let format: AudioFormat
    /// Frames in the queue beyond which `play` suspends.
    let limit: Int
    /// The number of the next frame to be accepted.
    private(set) var accepted = 0
    /// The number of the next frame for the ring.
    private(set) var taken = 0
    /// Frames before this one are with the device, or over.
    private(set) var written = 0
    /// Frames before this one were heard or flushed.
    private(set) var settled = 0
    /// The number of frames that were really heard.
    private(set) var heard = 0
    private var drainTarget = 0
    private var drainedTo = 0
    private var flushesAsked = 0
    private var flushesDone = 0
    private var wantsFlush = false
    /// The end of each pending flush.
    private var flushTargets: [Int] = []
    var xruns = 0
    private(set) var end: Result<Void, AudioError>?

    private var queue = ChunkQueue()
    private var timeline = HeardTimeline()
    private var waiters: [Waiter] = []

    init(format: AudioFormat, limit: Int) {
        self.format = format
        self.limit = limit
    }

    /// Frames that wait for the ring.
    var queued: Int { accepted - taken }
    /// Frames that wait for the device.
    var waiting: Int { accepted - max(written, settled) }
    var wantsDrain: Bool { drainedTo < drainTarget }

    mutating func accept(_ buffer: AudioBuffer) {
        guard buffer.frameCount > 0 else { return }
        queue.append(buffer)
        accepted += buffer.frameCount
    }

    mutating func askForDrain() { drainTarget = accepted }

    /// Drops the queue, and requests the same of the ring and the device; returns the flush's number.
    mutating func askForFlush() -> Int {
        flushesAsked += 1
        flushTargets.append(accepted)
        wantsFlush = true
        dropQueue()
        return flushesAsked
    }

    /// True, once, if the playback thread has not been asked for the latest flush yet.
    mutating func takeFlushWish() -> Bool {
        defer { wantsFlush = false }
        return wantsFlush
    }

    /// Takes out at most `count` of the next frames; fewer at the end of a buffer.
    mutating func next(_ count: Int) -> [Float] {
        guard let piece = queue.next(count) else { return [] }
        taken += piece.frameCount
        return piece.samples
    }

    /// Notes that the device has all frames before `frame`.
    mutating func noteWritten(upTo frame: Int) { written = max(written, min(frame, taken)) }

    /// Notes that frames on their way to a missing device are never heard.
    mutating func dropTaken() { drop(upTo: taken) }

    /// Notes that all frames before `frame` were heard at `now`; `run` is the first frame since the device last
    /// started, and `rate` the frames per second.
    mutating func noteHeard(upTo frame: Int, run: Int, rate: Double, now: ContinuousClock.Instant) {
        let frame = min(frame, taken)
        guard frame > settled else { return }
        if timeline.isNew(run) {
            let first = max(run, settled)
            timeline.began(first, at: now - .nanoseconds(Int64(Double(frame - first) / rate * 1e9)))
        }
        heard += frame - settled
        settled = frame
    }

    /// Notes that the flushes are done: frames before the returned end are not heard any more.
    @discardableResult
    mutating func noteFlushed() -> Int? {
        // One answer from the playback thread covers all flushes that were requested before it checked.
        guard let target = flushTargets.last else { return nil }
        flushTargets = []
        flushesDone = flushesAsked
        drop(upTo: target)
        drainedTo = max(drainedTo, target)
        return target
    }

    private mutating func drop(upTo frame: Int) {
        guard frame > settled else { return }
        timeline.dropped(settled..<frame)
        settled = frame
        written = max(written, frame)
    }

    private mutating func dropQueue() {
        queue.removeAll()
        taken = accepted
    }

    /// Notes that the device played everything before `frame` and stopped.
    mutating func noteDrained(upTo frame: Int) { drainedTo = max(drainedTo, frame) }

    /// Ends the stream. The first end counts; a stream that was stopped has no error.
    mutating func finish(_ result: Result<Void, AudioError>) {
        if end == nil { end = result }
    }

    /// The instant when `frame` was heard; nil for one that was flushed or is still to come.
    func instant(of frame: Int, rate: Double) -> ContinuousClock.Instant? {
        frame < settled ? timeline.instant(of: frame, rate: rate) : nil
    }

    /// The outcome of a wish; nil while it must wait.
    func outcome(of wish: Wish, rate: Double) -> Outcome? {
        switch wish {
        case .heard(let frame):
            if frame < settled || end != nil { return .done(instant(of: frame, rate: rate)) }
        case .flushed(let number):
            if flushesDone >= number || end != nil { return .done(nil) }
        case .drained(let frame):
            if settled >= frame { return .done(nil) }
            if let end { return failure(end) }
        case .space:
            if let end { return failure(end) }
            if waiting <= limit { return .done(nil) }
        }
        return nil
    }

    mutating func add(_ waiter: Waiter) { waiters.append(waiter) }

    mutating func remove(_ id: Int) -> Waiter? {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return nil }
        return waiters.remove(at: index)
    }

    /// Removes the tasks whose wait is over, with their outcomes.
    mutating func settle(rate: Double) -> [(Waiter, Outcome)] {
        guard !waiters.isEmpty else { return [] }
        var ready: [(Waiter, Outcome)] = []
        var waiting: [Waiter] = []
        for waiter in waiters {
            if let outcome = outcome(of: waiter.wish, rate: rate) {
                ready.append((waiter, outcome))
            } else {
                waiting.append(waiter)
            }
        }
        waiters = waiting
        return ready
    }

    private func failure(_ end: Result<Void, AudioError>) -> Outcome {
        switch end {
        case .success:
            .failed(AudioError(.closed, "The playback stream was stopped. Start another one."))
        case .failure(let error): .failed(error)
        }
    }
}
