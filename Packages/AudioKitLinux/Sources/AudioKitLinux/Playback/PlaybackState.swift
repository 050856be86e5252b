// SPDX-License-Identifier: MIT

/// What a playback stream knows: the queue, how far the sound was heard, and who waits for what. Pure bookkeeping.
///
/// Frames are counted from the start of the stream in the order in which they were accepted; a flushed frame keeps
/// its number and is never heard.
struct PlaybackState {
    /// What a task can wait for.
    enum Wish {
        /// Room in the queue.
        case space
        /// Every frame before this one was heard or flushed.
        case drained(upTo: Int)
        /// The flush with this number is done.
        case flushed(Int)
        /// This frame was heard.
        case heard(Int)
    }

    enum Outcome: Sendable {
        case done(ContinuousClock.Instant?)
        case failed(AudioError)
        case cancelled
    }

    struct Waiter {
        let id: Int
        let wish: Wish
        let continuation: CheckedContinuation<Outcome, Never>
    }

    let format: AudioFormat
    /// Frames in the queue beyond which `play` suspends.
    let limit: Int
    /// The number of the next frame to be accepted.
    private(set) var accepted = 0
    /// The number of the next frame for the device.
    private(set) var taken = 0
    /// Frames before this one were heard or flushed.
    private(set) var settled = 0
    /// How many frames were really heard.
    private(set) var heard = 0
    private var drainTarget = 0
    private var drainedTo = 0
    private(set) var flushesAsked = 0
    private var flushesDone = 0
    var xruns = 0
    private(set) var end: Result<Void, AudioError>?

    private var chunks: [AudioBuffer] = []
    private var firstChunk = 0
    private var offset = 0
    /// When runs without a gap began to be heard; the newest 256.
    private var runs: [(frame: Int, instant: ContinuousClock.Instant)] = []
    private var flushed: [Range<Int>] = []
    private var waiters: [Waiter] = []

    init(format: AudioFormat, limit: Int) {
        self.format = format
        self.limit = limit
    }

    var queued: Int { accepted - taken }
    var wantsDrain: Bool { drainedTo < drainTarget }
    var wantsFlush: Bool { flushesDone < flushesAsked }

    mutating func accept(_ buffer: AudioBuffer) {
        guard buffer.frameCount > 0 else { return }
        chunks.append(buffer)
        accepted += buffer.frameCount
    }

    mutating func askForDrain() { drainTarget = accepted }

    mutating func askForFlush() -> Int {
        flushesAsked += 1
        return flushesAsked
    }

    /// Copies at most `count` of the next frames without taking them out.
    func peek(_ target: UnsafeMutablePointer<Float>, frames count: Int) -> Int {
        var copied = 0
        var chunk = firstChunk
        var from = offset
        while copied < count, chunk < chunks.count {
            let buffer = chunks[chunk]
            let piece = min(count - copied, buffer.frameCount - from)
            buffer.samples.withUnsafeBufferPointer { samples in
                guard let base = samples.baseAddress else { return }
                (target + copied * format.channels).update(
                    from: base + from * format.channels, count: piece * format.channels)
            }
            copied += piece
            from = 0
            chunk += 1
        }
        return copied
    }

    /// Takes out frames that the device accepted.
    mutating func take(_ count: Int) {
        taken += count
        var left = count
        while left > 0, firstChunk < chunks.count {
            let piece = min(left, chunks[firstChunk].frameCount - offset)
            left -= piece
            offset += piece
            if offset == chunks[firstChunk].frameCount {
                // Lets go of the samples at once; the slot goes when half of the slots are empty.
                chunks[firstChunk] = AudioBuffer(samples: [], format: format)
                firstChunk += 1
                offset = 0
            }
        }
        if firstChunk * 2 > chunks.count {
            chunks.removeFirst(firstChunk)
            firstChunk = 0
        }
    }

    /// Notes that all frames before `frame` were heard at `now`; `run` is the first frame since the device last
    /// started, and `rate` the frames per second.
    mutating func noteHeard(upTo frame: Int, run: Int, rate: Double, now: ContinuousClock.Instant) {
        guard frame > settled else { return }
        if runs.last.map({ $0.frame < run }) ?? true {
            let first = max(run, settled)
            runs.append((first, now - .nanoseconds(Int64(Double(frame - first) / rate * 1e9))))
            if runs.count > 256 { runs.removeFirst() }
        }
        heard += frame - settled
        settled = frame
    }

    /// Drops the queue and everything in the device that was not heard.
    mutating func noteFlushed() {
        if accepted > settled { flushed.append(settled..<accepted) }
        if flushed.count > 256 { flushed.removeFirst() }
        chunks = []
        firstChunk = 0
        offset = 0
        taken = accepted
        settled = accepted
        flushesDone = flushesAsked
        drainedTo = accepted
    }

    /// Notes that the device played everything before `frame` and rests.
    mutating func noteDrained(upTo frame: Int) { drainedTo = max(drainedTo, frame) }

    /// The first end counts; a stream that was stopped has no error.
    mutating func finish(_ result: Result<Void, AudioError>) {
        if end == nil { end = result }
    }

    /// When `frame` was heard: nil for one that was flushed or is still to come.
    func instant(of frame: Int, rate: Double) -> ContinuousClock.Instant? {
        guard frame < settled, !flushed.contains(where: { $0.contains(frame) }),
            let run = runs.last(where: { $0.frame <= frame })
        else { return nil }
        return run.instant + .nanoseconds(Int64(Double(frame - run.frame) / rate * 1e9))
    }

    /// What a wish has come to; nil while it must wait.
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
            if queued <= limit { return .done(nil) }
        }
        return nil
    }

    mutating func add(_ waiter: Waiter) { waiters.append(waiter) }

    mutating func remove(_ id: Int) -> Waiter? {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return nil }
        return waiters.remove(at: index)
    }

    /// Takes out those who need not wait any longer, with what to tell them.
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
