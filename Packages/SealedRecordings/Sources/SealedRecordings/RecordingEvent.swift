// SPDX-License-Identifier: MIT

public import AudioKitLinux

/// An event of a recording in progress.
public enum RecordingEvent: Sendable {
    /// A period (20 ms) was recorded, or metered during a pause.
    case progress(RecordingProgress)
    /// The last event: the recording has ended, and the file is closed.
    case ended(RecordingSummary)
}

/// The length and the level of a recording in progress.
public struct RecordingProgress: Sendable {
    /// The length so far, pauses left out.
    public let duration: Duration
    /// RMS and peak in dBFS of this period, and its number of clipped samples; also during a pause.
    public let level: AudioLevel
    /// The number of clipped samples so far.
    public let clippedSamples: Int
    /// True during a pause.
    public let isPaused: Bool
    /// The time for which it can continue, by the free space and the limit; nil if neither is known.
    public let remaining: Duration?
}

/// A recording that has ended.
public struct RecordingSummary: Sendable {
    /// The reason for the end.
    public enum Ending: Sendable {
        /// `finish()`, or the release of the session.
        case finished
        /// The time limit.
        case limitReached
        /// The end of a virtual card's sound.
        case soundEnded
        /// The free space was down to the reserve. The recording is complete.
        case spaceUsedUp
        /// The microphone was removed or failed. The recording is complete up to there.
        case deviceLost(AudioError)
        /// The disk failed or was full all the same. The part that was on it by then can be read.
        case failed(RecordingError)
    }

    /// The reason for the end.
    public let ending: Ending
    /// The recording; nil if there is no sound to keep (then there is no file either), or if it cannot be read.
    public let recording: SealedRecording?
    /// The losses on the way: overruns, and buffers that arrived too fast for the disk.
    public let statistics: StreamStatistics
}
