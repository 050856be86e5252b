// SPDX-License-Identifier: MIT
internal import Synchronization

/// A capture thread's mark about sound in its ring.
struct CaptureMark: BitwiseCopyable {
    enum Kind: UInt8, BitwiseCopyable {
        /// `frames` follow in the sample ring.
        case sound
        /// The device was started again after an overrun, or after a suspend.
        case afterXrun, afterSuspend
        /// The device has stopped: nothing follows in this link.
        case end
    }

    var kind = Kind.sound
    /// The first frame's number since the stream began, in frames of the device, lost ones included.
    var position = 0
    /// The number of frames that follow or were lost.
    var frames = 0
    /// The time when the last frame was at the microphone: monotonic nanoseconds.
    var time: Int64 = 0
}

/// The rings between the capture thread and the delivery thread, for one opening of a device.
///
/// When the delivery thread is so late that they are full, the newest frames are dropped: a later mark shows the gap.
final class CaptureLink: Sendable {
    let format: AudioFormat
    let periodFrames: Int
    /// Frames per second of real time.
    let frameRate: Double
    let samples: SPSCRing<Float>
    let marks: SPSCRing<CaptureMark>
    /// True if the device waits for its reader, so that the reader may wait for its own reader.
    let isPatient: Atomic<Bool>
    /// Set while the capture thread waits for room.
    let wantsRoom = Atomic(false)

    init(_ pcm: PCMHandle) {
        format = pcm.format
        periodFrames = pcm.periodFrames
        frameRate = pcm.frameRate
        isPatient = Atomic(pcm.isPatient)
        // Half a second of real time for a delivery thread that gets no processor. A fast virtual card needs more
        // frames for that; a patient one waits.
        let frames = (pcm.isPatient ? Double(pcm.format.sampleRate) : pcm.frameRate) / 2
        let capacity = max(4 * pcm.periodFrames, 2 * pcm.bufferFrames, min(Int(frames), 1 << 20))
        samples = SPSCRing(capacity: capacity, stride: pcm.format.channels, zero: 0)
        marks = SPSCRing(capacity: max(64, 4 * samples.capacity / pcm.periodFrames), zero: CaptureMark())
    }

    /// True if a period fits with its mark, and some further marks for interruptions.
    func hasRoom(for frames: Int) -> Bool { samples.room >= frames && marks.room >= 8 }

    /// Notes an interruption, unless that would take the place of the mark for the end.
    func push(event kind: CaptureMark.Kind, lost frames: Int) {
        if marks.room >= 2 { marks.push(CaptureMark(kind: kind, frames: frames)) }
    }
}
