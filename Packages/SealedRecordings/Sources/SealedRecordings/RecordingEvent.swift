// SPDX-License-Identifier: MIT

public import AudioKitLinux

/// What a recording in progress tells.
public enum RecordingEvent: Sendable {
    /// A period (20 ms) was recorded, or heard while it rests.
    case progress(RecordingProgress)
    /// The last event: it has ended, and the file is closed.
    case ended(RecordingSummary)
}

/// How far a recording has come, and how it sounds.
public struct RecordingProgress: Sendable {
    /// How long the recording is by now, pauses left out.
    public let duration: Duration
    /// RMS and peak in dBFS of this period, and how many of its samples are clipped; also while it rests.
    public let level: AudioLevel
    /// How many samples of the recording are clipped by now.
    public let clippedSamples: Int
    /// True if it rests.
    public let isPaused: Bool
    /// How much longer it can go on, by the free space and the limit; nil when neither is known.
    public let remaining: Duration?
}

/// A recording that has ended.
public struct RecordingSummary: Sendable {
    /// Why it ended.
    public enum Ending: Sendable {
        /// By `finish()`, or since its session was released.
        case finished
        /// At its greatest length.
        case limitReached
        /// With the sound of a virtual card.
        case soundEnded
        /// The free space was down to the reserve. The recording is complete.
        case spaceUsedUp
        /// The microphone went away or failed. The recording is complete up to there.
        case deviceLost(AudioError)
        /// The disk failed or was full all the same. What was on it by then can be read.
        case failed(RecordingError)
    }

    /// Why it ended.
    public let ending: Ending
    /// What there is of it; nil when there is no sound to keep (then there is no file either), or when it cannot be read.
    public let recording: SealedRecording?
    /// What went wrong on the way: overruns, and buffers that came too fast for the disk.
    public let statistics: StreamStatistics
}
