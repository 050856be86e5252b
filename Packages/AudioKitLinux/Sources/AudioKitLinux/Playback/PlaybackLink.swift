// SPDX-License-Identifier: MIT
internal import Synchronization

/// What the playback thread tells about where it is. Frames are ring frames: numbered as they went into the ring.
struct PlaybackMark: BitwiseCopyable {
    enum Kind: UInt8, BitwiseCopyable {
        /// How far it is.
        case progress
        /// The device ran dry, or was suspended, and was started again.
        case afterXrun, afterSuspend
        /// The device failed: what it had not played is played again later.
        case halted
        /// A flush is done: nothing before `written` will be heard any more.
        case flushed
    }

    var kind = Kind.progress
    /// Frames before this one were heard.
    var heard = 0
    /// Frames before this one are with the device.
    var written = 0
    /// The first frame since the device last started.
    var run = 0
    /// When `heard` was true: monotonic nanoseconds.
    var time: Int64 = 0
    /// When the last of what a flush left will have been heard: monotonic nanoseconds.
    var silentAt: Int64 = 0
}

/// The ring, the commands and the marks between those who play and the playback thread, in the device's format.
///
/// Commands cross by atomics: a flush or a drain says up to which ring frame it goes.
final class PlaybackLink: Sendable {
    let format: AudioFormat
    let periodFrames: Int
    let bufferFrames: Int
    /// Device frames per second of real time.
    let frameRate: Double
    let ring: SPSCRing<Float>
    /// The newest mark tells all: when this is full, older news is as good.
    let marks = SPSCRing<PlaybackMark>(capacity: 1024, zero: PlaybackMark())

    private let flushTarget = Atomic(0)
    private let flushes = Atomic(0)
    private let drainTarget = Atomic(Int.min)
    let flushesDone = Atomic(0)
    let drained = Atomic(Int.min)

    /// A link for `pcm` whose first frame has the number `index`.
    init(_ pcm: PCMHandle, startingAt index: Int) {
        format = pcm.format
        periodFrames = pcm.periodFrames
        bufferFrames = pcm.bufferFrames
        frameRate = pcm.frameRate
        // A fifth of a second of real time for the thread that fills it.
        let capacity = max(4 * pcm.periodFrames, pcm.bufferFrames, min(Int(pcm.frameRate / 5), 1 << 20))
        ring = SPSCRing(capacity: capacity, stride: pcm.format.channels, zero: 0, startingAt: index)
    }

    /// True if what waits in this ring can be played by `pcm` too.
    func fits(_ pcm: PCMHandle) -> Bool {
        format == pcm.format && bufferFrames == pcm.bufferFrames && periodFrames == pcm.periodFrames
    }

    /// Writer: asks to drop everything that is in the ring and in the device by now.
    func askForFlush() {
        flushTarget.store(ring.written, ordering: .releasing)
        flushes.wrappingAdd(1, ordering: .sequentiallyConsistent)
    }

    /// Writer: tells that the sound ends here for now, so that the device may rest after it. Returns whether that is
    /// news.
    func askForDrain() -> Bool { drainTarget.exchange(ring.written, ordering: .acquiringAndReleasing) != ring.written }

    /// The ring frame before which everything is to be dropped; nil when no flush is wanted.
    var wantedFlush: (number: Int, target: Int)? {
        let number = flushes.load(ordering: .sequentiallyConsistent)
        guard number != flushesDone.load(ordering: .relaxed) else { return nil }
        return (number, flushTarget.load(ordering: .acquiring))
    }

    /// The ring frame after which the device is to rest; nil when that was done.
    var wantedDrain: Int? {
        let target = drainTarget.load(ordering: .acquiring)
        return target > drained.load(ordering: .relaxed) ? target : nil
    }

    /// Reader: a mark that may be lost when nobody looks for long, unless it says more than where we are.
    func tell(_ mark: PlaybackMark) {
        if mark.kind != .progress || marks.room > 64 { marks.push(mark) }
    }
}
