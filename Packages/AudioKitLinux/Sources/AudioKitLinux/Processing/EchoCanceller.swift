// SPDX-License-Identifier: MIT

/// Removes the loudspeaker's sound (the far end) from the microphone's (the near end).
///
/// Both ends have instants of their devices' clocks, so that the canceller itself matches the far end to the near end,
/// also when the two devices' clocks drift apart. Values in, values out; not for use from two threads at once.
public protocol EchoCanceller: AnyObject {
    /// The rate of both ends; one channel.
    var format: AudioFormat { get }
    /// The number of frames that the canceller processes at once.
    var blockFrames: Int { get }
    /// The canceller's performance.
    var report: EchoReport { get }

    /// Passes the loudspeaker's sound: `instant` is when the first frame of `piece` is heard. Pieces arrive in order
    /// and before the microphone's frames of the same time; pauses between them are silence. More than one channel is
    /// mixed to one. Throws `formatNotSupported` for another rate.
    func playing(_ piece: AudioBuffer, audibleAt instant: ContinuousClock.Instant) throws(AudioError)

    /// Discards the sound that would have been heard after `instant`: the playback was flushed.
    func flushed(at instant: ContinuousClock.Instant)

    /// The near end without its echo. More than one channel is mixed to one. Whole blocks are returned as soon as they
    /// are full, the rest waits for the next piece; nil without a whole block. Throws `formatNotSupported` for another
    /// rate.
    func cancel(_ piece: CapturedBuffer) throws(AudioError) -> CapturedBuffer?
}

/// The performance of an echo canceller.
public struct EchoReport: Sendable, Hashable {
    /// Echo return loss enhancement (ITU-T G.168): the decibels by which the canceller reduces the microphone's power,
    /// over the last second in which the loudspeaker played. Speech at the near end makes it smaller. Nil before the
    /// loudspeaker played for half a second.
    public var enhancement: Double?
    /// True if the enhancement has reached 10 dB since the start.
    public var hasConverged: Bool
    /// The excess of the microphone's clock rate over the loudspeaker's, in parts per million.
    public var drift: Double
    /// Frames of the far end that arrived after the microphone's frames of their time: their echo stays.
    public var lateFrames: Int

    /// Makes a report; empty unless given.
    public init(
        enhancement: Double? = nil, hasConverged: Bool = false, drift: Double = 0, lateFrames: Int = 0
    ) {
        self.enhancement = enhancement
        self.hasConverged = hasConverged
        self.drift = drift
        self.lateFrames = lateFrames
    }
}
