// SPDX-License-Identifier: MIT
internal import Synchronization

/// A playback thread's report of its position. Frames are ring frames: numbered as they entered the ring.
struct PlaybackMark: BitwiseCopyable {
    enum Kind: UInt8, BitwiseCopyable {
        /// The present position.
        case progress
        /// The device ran dry, or was suspended, and was started again.
        case afterXrun, afterSuspend
        /// The device failed: its unplayed frames are played again later.
        case halted
        /// A flush is done: frames before `written` are not heard any more.
        case flushed
    }

    var kind = Kind.progress
    /// Frames before this one were heard.
    var heard = 0
    /// Frames before this one are with the device.
    var written = 0
    /// The first frame since the device last started.
    var run = 0
    /// The time at which `heard` was measured: monotonic nanoseconds.
    var time: Int64 = 0
    /// The time when the last frame after a flush will have been heard: monotonic nanoseconds.
    var silentAt: Int64 = 0
}

/// The ring, the commands and the marks between the playing tasks and the playback thread, in the device's format.
///
/// Commands are passed by atomics: a flush or a drain has a ring frame up to which it applies.
final class PlaybackLink: Sendable {
    let format: AudioFormat
    let periodFrames: Int
    let bufferFrames: Int
    /// Device frames per second of real time.
    let frameRate: Double
    let ring: SPSCRing<Float>
    /// The newest mark is sufficient: when this is full, older marks serve as well.
    let marks = SPSCRing<PlaybackMark>(capacity: 1024, zero: PlaybackMark())

    private let flushTarget = Atomic(0)
    private let flushes = Atomic(0)
    private let drainTarget = Atomic(Int.min)
    let flushesDone = Atomic(0)
    let drained = Atomic(Int.min)

    /// Makes a link for `pcm` whose first frame has the number `index`.
    init(_ pcm: PCMHandle, startingAt index: Int) {
        format = pcm.format
        periodFrames = pcm.periodFrames
        bufferFrames = pcm.bufferFrames
        frameRate = pcm.frameRate
        // A fifth of a second of real time for the thread that fills it.
        let capacity = max(4 * pcm.periodFrames, pcm.bufferFrames, min(Int(pcm.frameRate / 5), 1 << 20))
        ring = SPSCRing(capacity: capacity, stride: pcm.format.channels, zero: 0, startingAt: index)
    }

    /// True if `pcm` can play the frames in this ring too.
    func fits(_ pcm: PCMHandle) -> Bool {
        format == pcm.format && bufferFrames == pcm.bufferFrames && periodFrames == pcm.periodFrames
    }

    /// Writer: asks to drop everything that is in the ring and in the device by now.
    func askForFlush() {
        flushTarget.store(ring.written, ordering: .releasing)
        flushes.wrappingAdd(1, ordering: .sequentiallyConsistent)
    }

    /// Writer: marks the present end of the sound, so that the device may stop after it. Returns true if the end has
    /// changed.
    func askForDrain() -> Bool { drainTarget.exchange(ring.written, ordering: .acquiringAndReleasing) != ring.written }

    /// The ring frame before which everything is to be dropped; nil without a pending flush.
    var wantedFlush: (number: Int, target: Int)? {
        let number = flushes.load(ordering: .sequentiallyConsistent)
        guard number != flushesDone.load(ordering: .relaxed) else { return nil }
        return (number, flushTarget.load(ordering: .acquiring))
    }

    /// The ring frame after which the device is to stop; nil without a pending drain.
    var wantedDrain: Int? {
        let target = drainTarget.load(ordering: .acquiring)
        return target > drained.load(ordering: .relaxed) ? target : nil
    }

    /// Reader: pushes a mark. Progress marks are dropped while the ring of marks is nearly full.
    func tell(_ mark: PlaybackMark) {
        if mark.kind != .progress || marks.room > 64 { marks.push(mark) }
    }
}
