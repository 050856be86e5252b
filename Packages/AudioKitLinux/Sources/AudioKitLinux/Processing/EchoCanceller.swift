// SPDX-License-Identifier: MIT

/// Takes what the loudspeaker plays (the far end) out of what the microphone hears (the near end).
///
/// Both ends come with instants of their devices' clocks, so that the canceller itself finds which piece of the far end
/// was in the air with which piece of the near end, also when the two devices' clocks drift apart. Values in, values
/// out; not for use from two threads at once.
public protocol EchoCanceller: AnyObject {
    /// The rate of both ends; one channel.
    var format: AudioFormat { get }
    /// How many frames the canceller works on at once.
    var blockFrames: Int { get }
    /// How well it does.
    var report: EchoReport { get }

    /// Tells what the loudspeaker plays: `instant` is when the first frame of `piece` is heard. Pieces come in order
    /// and before the microphone's frames of the same time; pauses between them are silence. More than one channel is
    /// mixed to one. Throws `formatNotSupported` for another rate.
    func playing(_ piece: AudioBuffer, audibleAt instant: ContinuousClock.Instant) throws(AudioError)

    /// Takes back what would have been heard after `instant`: the playback was flushed.
    func flushed(at instant: ContinuousClock.Instant)

    /// The near end without its echo. More than one channel is mixed to one. Whole blocks are returned as soon as they
    /// are full, the rest waits for the next piece; nil when there is no whole block yet. Throws `formatNotSupported`
    /// for another rate.
    func cancel(_ piece: CapturedBuffer) throws(AudioError) -> CapturedBuffer?
}

/// How well an echo canceller does.
public struct EchoReport: Sendable, Hashable {
    /// Echo return loss enhancement (ITU-T G.168): how many decibels of the microphone's power the canceller takes
    /// away, over the last second in which the loudspeaker played. Speech at the near end makes it smaller. Nil before
    /// the loudspeaker played for half a second.
    public var enhancement: Double?
    /// True if the enhancement has reached 10 dB since the start.
    public var hasConverged: Bool
    /// How much faster the microphone's clock runs than the loudspeaker's, in parts per million.
    public var drift: Double
    /// Frames of the far end that came after the microphone's frames of their time: their echo stays.
    public var lateFrames: Int

    /// Makes a report; of nothing unless given.
    public init(
        enhancement: Double? = nil, hasConverged: Bool = false, drift: Double = 0, lateFrames: Int = 0
    ) {
        self.enhancement = enhancement
        self.hasConverged = hasConverged
        self.drift = drift
        self.lateFrames = lateFrames
    }
}
